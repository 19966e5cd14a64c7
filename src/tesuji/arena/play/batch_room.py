"""Many games of networks at once: whoever is to move, all trees of one network share its batches."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tesuji.arena.play.live_game import LiveGame
from tesuji.arena.play.schedule import PlannedGame
from tesuji.arena.players.hall import Hall
from tesuji.arena.players.network_player import NetworkPlayer, answer_of
from tesuji.search.endgame.resigning import Resigning
from tesuji.search.players import Turn
from tesuji.search.pool import Finished, SearchPool
from tesuji.search.pool import Slot as Tree


class _SharedPool:
    """The trees of one network. Its clock tells each tree's share of the time all of them took together."""

    def __init__(self, pool: SearchPool) -> None:
        self.pool = pool
        self.clock = 0.0

    def step(self) -> list[Finished]:
        started, busy = time.perf_counter(), self.pool.busy
        done = self.pool.step()
        self.clock += (time.perf_counter() - started) / max(1, busy)
        return done


class _Side:
    """One player in one game: its tree in the pool, and its patience."""

    def __init__(self, player: NetworkPlayer, shared: _SharedPool, tree: Tree, live: LiveGame) -> None:
        self.player, self.shared, self.tree, self.live = player, shared, tree, live
        self.resigning = Resigning(player.behaviour.resign)
        self.asked_at = 0.0
        self.turn: Turn | None = None

    def ask(self) -> None:
        self.asked_at = self.shared.clock
        self.turn = Turn(self.live.game, self.player.behaviour)
        self.shared.pool.submit(self.tree, self.turn.position, pass_share=self.turn.pass_share)

    def answer(self, done: Finished) -> None:
        assert self.turn is not None, "an answer to no question"
        decision = self.turn.decide(done.result, self.resigning)
        self.live.take(answer_of(decision, self.shared.clock - self.asked_at))


class BatchRoom:
    """Plays games of `plan` side by side, `concurrent` at a time, in one thread."""

    def __init__(
        self,
        hall: Hall,
        plan: Iterator[PlannedGame],
        concurrent: int,
        finish: Callable[[LiveGame], None],
        stop: threading.Event,
        number: int = 0,
    ) -> None:
        """`number` is the room's: rooms take the devices of a network in turn."""
        self.number = number
        self.hall, self.plan, self.concurrent = hall, plan, concurrent
        self.finish, self.stop = finish, stop
        self._pools: dict[tuple[int, bool], _SharedPool] = {}
        self._by_tree: dict[int, _Side] = {}
        self._by_game: dict[str, dict[str, _Side]] = {}

    @property
    def evaluations(self) -> int:
        """Positions judged so far, in `batches` calls."""
        return sum(shared.pool.evaluations for shared in self._pools.values())

    @property
    def batches(self) -> int:
        return sum(shared.pool.batches for shared in self._pools.values())

    def run(self) -> None:
        """Plays until no game is left or `stop` is set; games under way then count for nothing."""
        self._fill()
        while self._by_game and not self.stop.is_set():
            moved = [self._move(done) for pool in list(self._pools.values()) for done in pool.step()]
            self._adjudicate(moved)
            for live in moved:
                self._after(live)
            self._fill()

    def _fill(self) -> None:
        while len(self._by_game) < self.concurrent and not self.stop.is_set():
            planned = next(self.plan, None)
            if planned is None:
                return
            live = LiveGame(planned, self.hall.conditions)
            self._sit_down(live)
            self._after(live)

    def _sit_down(self, live: LiveGame) -> None:
        sides = {}
        for number, name in enumerate((live.planned.black, live.planned.white)):
            player = self.hall.networks[name]
            shared = self._pool(player)
            options = player.for_game(live.seed + number)
            if "batch" not in self.hall.players[name].options:
                # Other games fill the batch: the tree can be searched one leaf at a time, as the papers do.
                options = replace(options, batch=1)
            sides[name] = _Side(player, shared, shared.pool.open(options), live)
        self._by_game[live.planned.key] = sides
        self._by_tree |= {id(side.tree): side for side in sides.values()}

    def _pool(self, player: NetworkPlayer) -> _SharedPool:
        evaluate = player.evaluators[self.number % len(player.evaluators)]
        key = (id(evaluate), player.search.symmetry == "all")
        if key not in self._pools:
            symmetry = "all" if key[1] else "none"
            size = self.hall.conditions.size
            # A player that names a batch has it, as if it played alone: otherwise its search would be another one.
            batch = max(self.concurrent, *(one.search.batch for one in self.hall.networks.values()))
            pool = SearchPool(evaluate, size=size, batch=batch, as_if_alone=True, symmetry=symmetry)
            self._pools[key] = _SharedPool(pool)
        return self._pools[key]

    def _move(self, done: Finished) -> LiveGame:
        side = self._by_tree[id(done.slot)]
        side.answer(done)
        return side.live

    def _adjudicate(self, moved: list[LiveGame]) -> None:
        referee, running = self.hall.referee, [live for live in moved if not live.decided]
        if self.hall.conditions.adjudicate == "referee" and referee and running:
            rates = referee.black_winrates([live.game for live in running])
            for live, rate in zip(running, rates, strict=True):
                live.adjudicate(rate)

    def _after(self, live: LiveGame) -> None:
        """The next question to whoever is to move, or the end of the game."""
        if live.passed_out:
            live.count("counted")
        if not live.decided:
            self._by_game[live.planned.key][live.player_to_move].ask()
            return
        for side in self._by_game.pop(live.planned.key).values():
            del self._by_tree[id(side.tree)]
        self.finish(live)
