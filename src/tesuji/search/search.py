"""The search of one game: gather leaves, evaluate them, scatter the answers, until the budget is spent."""

import random
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tesuji import _core
from tesuji._core import EvaluationCache, Game, Leaves, MoveStatistics, Tree
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.search.choice import choice_named
from tesuji.search.findings import make_result
from tesuji.search.options import SearchOptions, changed, tree_options
from tesuji.search.result import SearchResult
from tesuji.search.work import Budget, PassShare, Report, Reporter, Work, batch_rows


class Search:
    """PUCT over one tree, kept between calls.

    `evaluate` judges positions; give several where there are several devices: each has a thread of its own at least.
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
        if self.options.threads < len(self._evaluators):  # some would never be asked
            self.options = replace(self.options, threads=len(self._evaluators))
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
            work = Work(tree, budget, stop or threading.Event(), self.options.batch, pass_share)
            started = time.perf_counter()

            def snapshot() -> SearchResult:
                return self._result(game, tree, time.perf_counter() - started)

            work.run(self._evaluators, self._leaves, report and Reporter(report, snapshot, interval))
            return snapshot()
        finally:
            self._busy.release()

    def start(self, game: Game, **arguments: Any) -> "RunningSearch":
        """The same in a thread of its own; stop it, or wait for it."""
        return RunningSearch(self, game.copy(), arguments)

    def ponder(self, game: Game) -> "RunningSearch":
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


class RunningSearch:
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
