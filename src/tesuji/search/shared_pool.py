"""Positions of many questions, searched by several threads in batches they share, the most urgent first."""

import random
import threading
import time
from bisect import insort
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from tesuji._core import EvaluationCache, Game, Leaves, Restriction, Tree, gather_all
from tesuji.features.evaluation import Evaluator
from tesuji.search.choice import choice_named
from tesuji.search.findings import make_result
from tesuji.search.options import SearchOptions, tree_options
from tesuji.search.result import SearchResult
from tesuji.search.work import UNLIMITED, batch_rows, scatter

Tell = Callable[["Job", SearchResult | None, BaseException | None], None]
"""Takes a job with what was found (None where nothing was), or with what went wrong."""


@dataclass(eq=False)
class Job:
    """One position to search. Whoever made it is told in a thread of the pool."""

    position: Callable[[], Game]
    """Makes the game when the search begins: those who wait cost little."""
    size: int
    evaluators: Sequence[Evaluator]
    """The network, an evaluator for each thread or for several."""
    options: SearchOptions
    """How to search; its visits and seconds end the job."""
    finished: Tell
    """Told once, at the end: whatever ended the job, it is told."""
    reported: Tell | None = None
    """Told on the way, every `interval` seconds and first after `first_report`."""
    interval: float = 1.0
    first_report: float = 1.0
    restrictions: Sequence[Restriction] = ()
    priority: int = 0
    """Larger ones are searched first; of equal ones the earlier."""
    pv_length: int = 24

    order: int = 0
    game: Game | None = field(default=None, repr=False)
    tree: Tree | None = field(default=None, repr=False)
    started: float = 0.0
    next_report: float = 0.0
    ended: bool = False
    telling: threading.Lock = field(default_factory=threading.Lock, repr=False)
    """Held while somebody is told, so that nothing comes after the end."""

    @property
    def group(self) -> Hashable:
        """Jobs of one group can share a batch."""
        return id(self.evaluators[0]), self.size, batch_rows(self.options, 1)

    def open(self, cache: EvaluationCache | None) -> Tree:
        """The tree, made when the search begins."""
        if self.tree is None:
            evaluate, self.game = self.evaluators[0], self.position()
            core = tree_options(self.options, evaluate.planes, evaluate.has_pass)
            tree = Tree(core, evaluate.planes, self.size, cache)
            tree.set_root(self.game)
            tree.restrict(list(self.restrictions))
            tree.set_target(min(self.options.visits or UNLIMITED, UNLIMITED))
            self.tree, self.started = tree, time.perf_counter()
            self.next_report = self.started + self.first_report
        return self.tree

    def result(self) -> SearchResult | None:
        """What was found so far; None before the position was evaluated."""
        tree = self.tree
        if self.game is None or tree is None or tree.statistics.visits < 1:
            return None
        choose, chance = choice_named(self.options.choice), random.Random(self.options.seed)
        seconds = time.perf_counter() - self.started
        return make_result(self.game, tree, self.options, choose, chance, seconds, tree.subtree, self.pv_length)

    def close(self) -> bool:
        """Whether it ends by this call; from now on no report is told."""
        with self.telling:
            was_ended, self.ended = self.ended, True
        return not was_ended

    def tell_end(self, fault: BaseException | None) -> None:
        """Tells what was found, or what went wrong."""
        result = None
        if fault is None:
            try:
                result = self.result()
            except BaseException as problem:  # such as: no move is allowed here
                fault = problem
        self.finished(self, result, fault)

    def is_spent(self) -> bool:
        """Whether its budget is used up."""
        assert self.tree is not None
        if self.tree.finished:
            return True
        limit = self.options.seconds
        late = limit is not None and time.perf_counter() - self.started >= limit
        return late and self.tree.statistics.visits >= 1


class SharedPool:
    """Threads that search jobs. A step of a thread takes leaves of many jobs, evaluates them at once, hands them back.

    `batch` is the most leaves of a step; `width` the most positions whose trees grow at the same time.
    """

    def __init__(self, threads: int = 1, batch: int = 32, width: int = 64, cache: int = 0) -> None:
        self._batch, self._width, self._cache_entries = batch, width, cache
        self._caches: dict[Hashable, EvaluationCache] = {}
        self._jobs: list[Job] = []  # the most urgent first
        self._busy: dict[Job, int] = {}  # threads at work on a job
        self._orders = 0
        self._untold = 0  # jobs that have ended, but nobody has been told yet
        self._closed = False
        self._changed = threading.Condition()
        self._opening = threading.Lock()
        self._threads = [threading.Thread(target=self._work, args=(i,), daemon=True) for i in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, jobs: Sequence[Job]) -> None:
        """Wants these positions searched."""
        with self._changed:
            for job in jobs:
                job.order, self._orders = self._orders, self._orders + 1
                insort(self._jobs, job, key=lambda each: (-each.priority, each.order))
            self._changed.notify_all()

    def stop(self, jobs: Sequence[Job]) -> None:
        """Ends jobs now, with what was found; a batch under way ends for itself."""
        self._end(jobs)

    def clear_cache(self) -> None:
        """Forgets evaluations beyond the trees that grow now."""
        with self._changed:
            self._caches.clear()

    @property
    def open_jobs(self) -> list[Job]:
        """All that have not ended."""
        with self._changed:
            return list(self._jobs)

    def wait(self) -> None:
        """Until every job has ended."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._jobs or self._untold) or self._closed)

    def close(self) -> None:
        """Ends all threads after the batch under way; jobs are left as they are."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self, number: int) -> None:
        leaves: dict[Hashable, Leaves] = {}
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closed)
                if self._closed:
                    return
                jobs = self._chosen()
                for job in jobs:
                    self._busy[job] = self._busy.get(job, 0) + 1
            try:
                self._step(jobs, number, leaves)
            except BaseException as fault:  # the network's or ours: told to whoever asked, and the pool lives on
                self._end(jobs, fault)
            finally:
                self._leave(jobs)

    def _chosen(self) -> list[Job]:
        """The jobs of the next step: those nobody works on if there are enough, else the most urgent of all."""
        group = self._jobs[0].group
        width = max(1, self._width // len(self._threads))
        alike = [job for job in self._jobs[: 4 * self._width] if job.group == group]
        idle = [job for job in alike if not self._busy.get(job)]
        return (idle if len(idle) >= min(width, 8) else alike)[:width]

    def _leave(self, jobs: Sequence[Job]) -> None:
        with self._changed:
            for job in jobs:
                self._busy[job] -= 1
                if not self._busy[job]:
                    del self._busy[job]

    def _step(self, chosen: Sequence[Job], number: int, kept: dict[Hashable, Leaves]) -> None:
        jobs = [job for job in chosen if not job.ended]  # some may have been stopped meanwhile
        if not jobs:
            return
        first = jobs[0]
        evaluate = first.evaluators[number % len(first.evaluators)]
        if first.group not in kept:
            rows = batch_rows(first.options, max(self._batch, self._width // len(self._threads)))
            kept[first.group] = Leaves(evaluate.planes, first.size, rows)
        leaves = kept[first.group]
        cache = self._cache(first)
        with self._opening:
            trees = [job.open(cache) for job in jobs]
        each = max(1, min(self._batch // len(jobs), first.options.batch))
        gather_all(trees, leaves, [each] * len(trees))
        if len(leaves):
            scatter(leaves, evaluate)
        else:
            time.sleep(0.0005)  # all that is left to evaluate is with other threads
        self._tell(jobs)

    def _cache(self, job: Job) -> EvaluationCache | None:
        if not self._cache_entries:
            return None
        with self._changed:
            if job.group not in self._caches:
                self._caches[job.group] = EvaluationCache(self._cache_entries, job.size)
            return self._caches[job.group]

    def _tell(self, jobs: Sequence[Job]) -> None:
        now = time.perf_counter()
        for job in jobs:
            if job.ended:
                continue
            if job.is_spent():
                self._end([job])
            elif job.reported is not None and now >= job.next_report:
                job.next_report = now + job.interval
                result = job.result()
                with job.telling:
                    if result is not None and not job.ended:
                        job.reported(job, result, None)

    def _end(self, jobs: Sequence[Job], fault: BaseException | None = None) -> None:
        """Takes all of them off the list before anybody is told: nobody begins what is about to end."""
        ended = [job for job in jobs if job.close()]
        with self._changed:
            self._untold += len(ended)
            self._jobs = [job for job in self._jobs if not job.ended]
        for job in ended:
            try:
                job.tell_end(fault)
            finally:
                with self._changed:
                    self._untold -= 1
                    self._changed.notify_all()
