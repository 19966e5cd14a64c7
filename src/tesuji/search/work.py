"""The loop behind every search: a budget, threads that gather, evaluate and scatter, and reports on the way."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tesuji._core import Leaves, Tree
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.search.findings import owned_in
from tesuji.search.options import SearchOptions
from tesuji.search.result import SearchResult

UNLIMITED = 2**32 - 1
Report = Callable[[SearchResult], None]
PassShare = Callable[[Floats | None], float]
"""How much of a search must look at passing, by who owns the points of its root as far as the network tells."""


class Budget:
    """When a search ends: visits, a deadline, or neither."""

    def __init__(self, visits: int, seconds: float | None, now: Callable[[], float] = time.perf_counter) -> None:
        """`now` is the clock that counts; to be made and asked in the thread that searches."""
        self.visits, self.now = visits, now
        self.deadline = None if seconds is None else now() + seconds

    @classmethod
    def of(cls, options: SearchOptions, visits: int | None, seconds: float | None, unlimited: bool) -> "Budget":
        """The options' budget with what one call asks instead."""
        now = clock_of(options)
        if unlimited:
            return cls(UNLIMITED, seconds, now)
        if visits is not None and visits < 1:
            raise InputError(f"cannot search {visits} visits; at least 1 evaluates the position")
        checked = replace(
            options,
            visits=options.visits if visits is None else visits,
            seconds=options.seconds if seconds is None else seconds,
        )
        if checked.visits is None and checked.seconds is None:
            raise InputError("a search needs visits, seconds, or a way to be stopped (unlimited=True)")
        return cls(checked.visits or UNLIMITED, checked.seconds, now)

    def spent(self, last_batch: float) -> bool:
        """Whether another batch would end after the deadline."""
        return self.deadline is not None and self.now() + 0.5 * last_batch > self.deadline


def clock_of(options: SearchOptions) -> Callable[[], float]:
    """The clock that a search's seconds are counted by."""
    if options.clock == "wall":
        return time.perf_counter
    return time.thread_time if options.threads == 1 else time.process_time


class Reporter:
    """Tells the state of a search at an interval."""

    def __init__(self, report: Report, snapshot: Callable[[], SearchResult], interval: float) -> None:
        self._report, self._snapshot, self._interval = report, snapshot, interval
        self._next = time.perf_counter() + interval

    def tick(self) -> None:
        now = time.perf_counter()
        if now >= self._next:
            self._next = now + self._interval
            self._report(self._snapshot())


class Work:
    """The loop of all threads of one search."""

    def __init__(
        self, tree: Tree, budget: Budget, stop: threading.Event, batch: int, pass_share: PassShare | float
    ) -> None:
        self.tree, self.budget, self.stop, self.batch = tree, budget, stop, batch
        self.pass_share = pass_share
        self.errors: list[BaseException] = []

    def run(self, evaluators: Sequence[Evaluator], leaves: Sequence[Leaves], reporter: Reporter | None) -> None:
        # The root first, whatever the clock says: there must be a move to give.
        while self.tree.statistics.visits < 1:
            self.step(evaluators[0], leaves[0])
        give_passing_its_share(self.tree, self.pass_share)
        helpers = [
            threading.Thread(target=self.guarded, args=(evaluators[i % len(evaluators)], leaves[i], None), daemon=True)
            for i in range(1, len(leaves))
        ]
        for helper in helpers:
            helper.start()
        self.guarded(evaluators[0], leaves[0], reporter)
        for helper in helpers:
            helper.join()
        if self.errors:
            raise self.errors[0]

    def guarded(self, evaluate: Evaluator, leaves: Leaves, reporter: Reporter | None) -> None:
        try:
            self.loop(evaluate, leaves, reporter)
        except BaseException as error:
            self.errors.append(error)

    def loop(self, evaluate: Evaluator, leaves: Leaves, reporter: Reporter | None) -> None:
        last_batch = 0.0
        while not (self.tree.finished or self.stop.is_set() or self.errors or self.budget.spent(last_batch)):
            started = self.budget.now()
            self.step(evaluate, leaves)
            last_batch = self.budget.now() - started
            if reporter is not None:
                reporter.tick()

    def step(self, evaluate: Evaluator, leaves: Leaves) -> None:
        self.tree.gather(leaves, self.batch)
        if len(leaves):
            scatter(leaves, evaluate)


def give_passing_its_share(tree: Tree, share: PassShare | float) -> None:
    """Once the root has been judged: who owns its points may decide how much of the search looks at passing."""
    tree.set_pass_share(share(owned_in(tree)) if callable(share) else share)


def batch_rows(options: SearchOptions, leaves: int) -> int:
    """Rows the network is given for so many leaves, at most."""
    return max(leaves * (8 if options.symmetry == "all" else 1), 8 if options.root_symmetries else 1)


def scatter(leaves: Leaves, evaluate: Evaluator) -> None:
    """Evaluates the leaves and hands the answers to their trees; nothing stays pending when that fails."""
    try:
        evaluation: Evaluation = evaluate(leaves.planes, leaves.komi)
        leaves.scatter(
            _floats(evaluation.policy),
            _floats(evaluation.value),
            None if evaluation.black_score is None else _floats(evaluation.black_score),
            None if evaluation.black_ownership is None else _floats(evaluation.black_ownership),
        )
    except BaseException:
        leaves.abandon()
        raise


def _floats(array: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.ascontiguousarray(array, dtype=np.float32)
