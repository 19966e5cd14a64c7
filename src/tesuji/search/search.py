"""The search of one game: gather leaves, evaluate them, scatter the answers, until the budget is spent."""

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tesuji import _core
from tesuji._core import EvaluationCache, Game, Leaves, MoveStatistics, Tree
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.search.choice import choice_named
from tesuji.search.options import SearchOptions, changed, tree_options
from tesuji.search.result import RootMove, SearchResult, root_moves

UNLIMITED = 2**32 - 1
Report = Callable[[SearchResult], None]
PassShare = Callable[[Floats | None], float]
"""How much of a search must look at passing, by who owns the points of its root as far as the network tells."""


class Search:
    """PUCT over one tree, kept between calls.

    `evaluate` judges positions; give several, one for each thread, where they do not share a device well.
    Options come as a `SearchOptions`, as keywords, or both.
    """

    def __init__(
        self, evaluate: Evaluator | Sequence[Evaluator], options: SearchOptions | None = None, **changes: Any
    ) -> None:
        self.options = changed(options, changes)
        self._choose = choice_named(self.options.choice)
        self._evaluators = list(evaluate) if isinstance(evaluate, Sequence) else [evaluate]
        if not self._evaluators:
            raise ValueError("a search needs an evaluator")
        if len({evaluator.planes for evaluator in self._evaluators}) > 1:
            raise ValueError("the evaluators of one search must read the same planes")
        self._chance = random.Random(self.options.seed)
        self._tree: Tree | None = None
        self._leaves: list[Leaves] = []
        self._epoch = 0
        self._cache: EvaluationCache | None = None
        self._cache_size = 0
        self._busy = threading.Lock()

    @property
    def evaluate(self) -> Evaluator:
        """The evaluator (the first of several)."""
        return self._evaluators[0]

    def run(
        self,
        game: Game,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        unlimited: bool = False,
        stop: threading.Event | None = None,
        report: Report | None = None,
        interval: float = 0.1,
        restrictions: Iterable[_core.Restriction] = (),
        pass_share: PassShare | float = 0.0,
    ) -> SearchResult:
        """Searches the game's position and returns what was found.

        `visits` and `seconds` override the options'; `unlimited` lifts both, to search until `stop` is set. While it
        runs, `report` is given the state of the search every `interval` seconds, in this thread. `pass_share` is how
        much of the budget passing is given at least, or is asked for it once the root has been judged. Raises
        `ValueError` when the game is over or the evaluator cannot play the size, and whatever an evaluator raises.
        """
        if not self._busy.acquire(blocking=False):
            raise ValueError("this search is running already; stop it first")
        try:
            tree = self._prepare(game, list(restrictions))
            budget = Budget.of(self.options, visits, seconds, unlimited)
            tree.set_target(budget.visits)
            work = _Work(tree, budget, stop or threading.Event(), self.options.batch, pass_share)
            started = time.perf_counter()

            def snapshot() -> SearchResult:
                return self._result(game, tree, time.perf_counter() - started)

            work.run(self._evaluators, self._leaves, report and _Reporter(report, snapshot, interval))
            return snapshot()
        finally:
            self._busy.release()

    def start(self, game: Game, **arguments: Any) -> "Running":
        """The same in a thread of its own; stop it, or wait for it."""
        return Running(self, game.copy(), arguments)

    def ponder(self, game: Game) -> "Running":
        """Searches without limit on the opponent's time; the next `run` finds the tree."""
        return self.start(game, unlimited=True)

    def clear(self) -> None:
        """Forgets the tree, and the evaluations remembered beyond it."""
        self._tree = self._cache = None

    def _prepare(self, game: Game, restrictions: list[_core.Restriction]) -> Tree:
        size = game.size
        if not all(evaluator.plays(size) for evaluator in self._evaluators):
            raise InputError(f"the network {self.evaluate.name} does not play {size}x{size}")
        tree = self._tree
        if tree is None or tree.size != size or not self.options.reuse:
            core = tree_options(self.options, self.evaluate.planes, self.evaluate.has_pass)
            if self.options.cache and (self._cache is None or self._cache_size != size):
                self._cache, self._cache_size = EvaluationCache(self.options.cache, size), size
            tree = Tree(core, self.evaluate.planes, size, self._cache)
            rows = batch_rows(self.options, self.options.batch)
            self._leaves = [Leaves(self.evaluate.planes, size, rows) for _ in range(self.options.threads)]
        self._tree = None  # stays so if set_root refuses the game
        tree.set_root(game)
        tree.restrict(restrictions)
        self._tree = tree
        self._epoch += 1
        return tree

    def _result(self, game: Game, tree: Tree, seconds: float) -> SearchResult:
        epoch = self._epoch

        def subtree(depth: int, width: int) -> list[MoveStatistics]:
            if self._epoch != epoch:
                raise ValueError("the search has gone on to another position; ask for the tree before that")
            return tree.subtree(depth, width)

        return make_result(game, tree, self.options, self._choose, self._chance, seconds, subtree)


def owned_in(tree: Tree) -> Floats | None:
    """Who owns the points, `[N, N]` from -1 (White's) to 1 (Black's), as this tree's evaluations have it on average."""
    ownership = np.array(tree.black_ownership(), np.float32)
    return ownership.reshape(tree.size, tree.size) if ownership.size else None


def give_passing_its_share(tree: Tree, share: PassShare | float) -> None:
    """Once the root has been judged: who owns its points may decide how much of the search looks at passing."""
    tree.set_pass_share(share(owned_in(tree)) if callable(share) else share)


def make_result(
    game: Game,
    tree: Tree,
    options: SearchOptions,
    choose: Any,
    chance: random.Random,
    seconds: float,
    subtree: Callable[[int, int], list[MoveStatistics]] | None,
    pv_length: int = 24,
) -> SearchResult:
    """What this tree says of its root, variations included when the tree may be asked for more."""
    statistics = tree.statistics
    moves = root_moves(tree, game.komi, pv_moves=64 if subtree else 1, pv_length=pv_length)
    if not moves:
        raise InputError("no move is allowed here")
    halving = options.gumbel_moves > 0 and options.choice == "visits" and statistics.visits > 1
    raced = tree.gumbel_move() if halving else None
    if raced is None:  # noqa: SIM108
        chosen = choose(_foreseen(moves, tree, options), options, len(game.moves), chance).move
    else:
        chosen = raced
    return SearchResult(
        position=game.copy(),
        move=chosen,
        moves=moves,
        value=moves[0].value,
        root_visits=statistics.visits,
        descents=statistics.descents,
        evaluations=statistics.evaluations,
        seconds=seconds,
        depth=statistics.depth,
        nodes=statistics.nodes,
        memory=statistics.bytes,
        memory_full=statistics.memory_full,
        black_score=statistics.black_score - game.komi if statistics.has_score else None,
        black_ownership=owned_in(tree),
        network_value=statistics.network_value,
        waited=statistics.waited,
        improved_policy=dict(tree.improved_policy()) if options.gumbel_moves else None,
        _subtree=subtree,
    )


def _foreseen(moves: tuple[RootMove, ...], tree: Tree, options: SearchOptions) -> tuple[RootMove, ...]:
    """The moves with the visits that a last iteration without network adds, where the options want one."""
    if not options.last_iteration:
        return moves
    visits = dict(tree.last_iteration(options.last_iteration))
    return tuple(replace(move, visits=visits.get(move.move, move.visits)) for move in moves)


class Running:
    """A search under way in its own thread."""

    def __init__(self, search: Search, game: Game, arguments: dict[str, Any]) -> None:
        self._stop = arguments.setdefault("stop", threading.Event())
        self._result: SearchResult | None = None
        self._error: BaseException | None = None

        def work() -> None:
            try:
                self._result = search.run(game, **arguments)
            except BaseException as error:  # handed to whoever waits
                self._error = error

        self._thread = threading.Thread(target=work, name="search", daemon=True)
        self._thread.start()

    def stop(self) -> SearchResult:
        """Ends the search after the batch under way."""
        self._stop.set()
        return self.wait()

    def wait(self) -> SearchResult:
        """The result, once the budget is spent."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    @property
    def running(self) -> bool:
        return self._thread.is_alive()


class Budget:
    """When a search ends: visits, a deadline, or neither."""

    def __init__(self, visits: int, seconds: float | None) -> None:
        self.visits = visits
        self.deadline = None if seconds is None else time.perf_counter() + seconds

    @classmethod
    def of(cls, options: SearchOptions, visits: int | None, seconds: float | None, unlimited: bool) -> "Budget":
        """The options' budget with what one call asks instead."""
        if unlimited:
            return cls(UNLIMITED, seconds)
        if visits is not None and visits < 1:
            raise InputError(f"cannot search {visits} visits; at least 1 evaluates the position")
        checked = replace(
            options,
            visits=options.visits if visits is None else visits,
            seconds=options.seconds if seconds is None else seconds,
        )
        if checked.visits is None and checked.seconds is None:
            raise InputError("a search needs visits, seconds, or a way to be stopped (unlimited=True)")
        return cls(checked.visits or UNLIMITED, checked.seconds)

    def spent(self, last_batch: float) -> bool:
        """Whether another batch would end after the deadline."""
        return self.deadline is not None and time.perf_counter() + 0.5 * last_batch > self.deadline


class _Reporter:
    """Tells the state of a search at an interval."""

    def __init__(self, report: Report, snapshot: Callable[[], SearchResult], interval: float) -> None:
        self._report, self._snapshot, self._interval = report, snapshot, interval
        self._next = time.perf_counter() + interval

    def tick(self) -> None:
        now = time.perf_counter()
        if now >= self._next:
            self._next = now + self._interval
            self._report(self._snapshot())


class _Work:
    """The loop of all threads of one search."""

    def __init__(
        self, tree: Tree, budget: Budget, stop: threading.Event, batch: int, pass_share: PassShare | float
    ) -> None:
        self.tree, self.budget, self.stop, self.batch = tree, budget, stop, batch
        self.pass_share = pass_share
        self.errors: list[BaseException] = []

    def run(self, evaluators: Sequence[Evaluator], leaves: Sequence[Leaves], reporter: _Reporter | None) -> None:
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

    def guarded(self, evaluate: Evaluator, leaves: Leaves, reporter: _Reporter | None) -> None:
        try:
            self.loop(evaluate, leaves, reporter)
        except BaseException as error:
            self.errors.append(error)

    def loop(self, evaluate: Evaluator, leaves: Leaves, reporter: _Reporter | None) -> None:
        last_batch = 0.0
        while not (self.tree.finished or self.stop.is_set() or self.errors or self.budget.spent(last_batch)):
            started = time.perf_counter()
            self.step(evaluate, leaves)
            last_batch = time.perf_counter() - started
            if reporter is not None:
                reporter.tick()

    def step(self, evaluate: Evaluator, leaves: Leaves) -> None:
        self.tree.gather(leaves, self.batch)
        if len(leaves):
            scatter(leaves, evaluate)


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
