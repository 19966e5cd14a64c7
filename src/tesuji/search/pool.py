"""Many games at once: the trees of hundreds of games advance in step and share large batches."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tesuji._core import EvaluationCache, Game, Leaves, Tree, gather_all
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.search.choice import choice_named
from tesuji.search.findings import make_result
from tesuji.search.options import SearchOptions, changed, tree_options
from tesuji.search.result import SearchResult
from tesuji.search.work import PassShare, batch_rows, give_passing_its_share, scatter


class Slot:
    """One game's place in the pool: its tree, kept from move to move, and its options."""

    def __init__(self, tree: Tree, options: SearchOptions) -> None:
        self.tree = tree
        self.options = options
        self.game: Game | None = None
        """The position being searched; None while the slot rests."""
        self.pass_share: PassShare | float | None = None
        """To be given once the root has been judged; None when that is done."""
        self.started = 0.0
        self.choose = choice_named(options.choice)
        self.chance = random.Random(options.seed)


@dataclass(frozen=True)
class Finished:
    """A search that has used its budget."""

    slot: Slot
    game: Game
    result: SearchResult


class SearchPool:
    """Searches many games with one evaluator.

    Open a slot for every game, `submit` its position whenever a move is wanted, and call `step` until it is done:

        slot = pool.open(seed=7)
        pool.submit(slot, game)
        while pool.busy:
            for done in pool.step():
                ...  # play done.result.move, submit the next position

    A step is one call into the core for all trees, one evaluation, one call back: nothing in Python depends on the
    number of leaves. Not for several threads at once.
    """

    def __init__(
        self,
        evaluate: Evaluator,
        options: SearchOptions | None = None,
        *,
        size: int,
        batch: int = 256,
        as_if_alone: bool = False,
        **changes: Any,
    ) -> None:
        """`batch` leaves are evaluated together, of few games several each, of many one.

        `as_if_alone` gives every tree the batches of its own options, so that it is searched as it would be alone.
        """
        if not evaluate.plays(size):
            raise InputError(f"the network {evaluate.name} does not play {size}x{size}")
        self.evaluate = evaluate
        self.options = changed(options, changes)
        self.size = size
        self._batch, self._as_if_alone = batch, as_if_alone
        self._leaves = Leaves(evaluate.planes, size, batch_rows(self.options, batch))
        self._cache = EvaluationCache(self.options.cache, size) if self.options.cache else None
        self._active: list[Slot] = []
        self._turn = 0
        self.evaluations = 0
        """Positions evaluated so far."""
        self.batches = 0
        """Calls of the evaluator so far."""

    def open(self, options: SearchOptions | None = None, **changes: Any) -> Slot:
        """A place for one game; its options are the pool's but for these changes."""
        own = changed(options or self.options, changes)
        if own.symmetry == "all" and self.options.symmetry != "all":
            raise ValueError("a pool made for single views cannot give one game all eight symmetries")
        core = tree_options(own, self.evaluate.planes, self.evaluate.has_pass)
        return Slot(Tree(core, self.evaluate.planes, self.size, self._cache), own)

    def submit(self, slot: Slot, game: Game, visits: int | None = None, *, pass_share: PassShare | float = 0.0) -> None:
        """Wants the position searched, to the options' visits or so many; `pass_share` as in `Search.run`."""
        if slot.game is not None:
            raise ValueError("this game is being searched already")
        if visits is not None and visits < 1:
            raise InputError(f"cannot search {visits} visits; at least 1 evaluates the position")
        target = visits or slot.options.visits
        if target is None:
            raise ValueError("games in step share no clock: a pool needs visits")
        if not slot.options.reuse:
            slot.tree.clear()
        slot.tree.set_root(game)
        slot.tree.set_target(target)
        slot.pass_share = pass_share
        slot.game = game.copy()
        slot.started = time.perf_counter()
        self._active.append(slot)

    @property
    def busy(self) -> int:
        """Games being searched."""
        return len(self._active)

    def step(self) -> list[Finished]:
        """One batch for all games; returns the searches that are done."""
        if not self._active:
            return []
        most = self._batch if self._as_if_alone else max(1, self._batch // len(self._active))
        counts = [min(most, slot.options.batch) for slot in self._active]
        trees = [slot.tree for slot in self._active]
        self._turn = gather_all(trees, self._leaves, counts, self._turn % len(trees))
        if len(self._leaves):
            self.evaluations += len(self._leaves)
            self.batches += 1
            scatter(self._leaves, self.evaluate)
        for slot in self._active:
            if slot.pass_share is not None and slot.tree.statistics.visits:
                give_passing_its_share(slot.tree, slot.pass_share)
                slot.pass_share = None
        return list(self._collect())

    def _collect(self) -> Iterator[Finished]:
        done = [slot for slot in self._active if slot.tree.finished]
        self._active = [slot for slot in self._active if not slot.tree.finished]
        for slot in done:
            game, slot.game = slot.game, None
            assert game is not None
            seconds = time.perf_counter() - slot.started
            result = make_result(game, slot.tree, slot.options, slot.choose, slot.chance, seconds, None)
            yield Finished(slot, game, result)

    def withdraw(self, slot: Slot) -> None:
        """Gives up a search under way, as when its game was stopped."""
        self._active = [other for other in self._active if other is not slot]
        slot.game = None
