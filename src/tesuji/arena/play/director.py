"""Runs a tournament: takes what is due from the schedule, has it played, and writes every game down at once."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tesuji.arena.play.batch_room import BatchRoom
from tesuji.arena.play.live_game import LiveGame
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.play.schedule import PlannedGame, Schedule, scores_of_pairs
from tesuji.arena.play.seated_game import Seat, SeatedGame, StoppedError
from tesuji.arena.players.hall import Hall
from tesuji.arena.report.standings import Standings, standings
from tesuji.arena.sprt import SequentialTest, Sprt
from tesuji.base.errors import InputError
from tesuji.base.machine import cores

CONCURRENT = 64
"""Games of networks side by side in one thread: enough for large batches, few enough that a kill loses little."""


@dataclass(frozen=True)
class Effort:
    """How much of the machine to use. Changes nothing about the games."""

    parallel: int = 0
    """Tables at which engines or timed players sit side by side; 0: all cores, or one where time counts."""
    threads: int = 0
    """Threads that play batched games, one for each device at least; 0 for all cores."""
    concurrent: int = CONCURRENT
    """Batched games per thread."""

    def __post_init__(self) -> None:
        for name in ("parallel", "threads"):
            if getattr(self, name) < 0:
                raise InputError(f"{name}={getattr(self, name)}: 0, which chooses, or more")
        if self.concurrent < 1:
            raise InputError(f"concurrent={self.concurrent}: at least one game")

    def tables(self, timed: bool) -> int:
        return self.parallel or (1 if timed else cores())

    def rooms(self) -> int:
        return self.threads or cores()


class Director:
    """A schedule being played, from wherever an earlier run left it."""

    def __init__(
        self,
        hall: Hall,
        schedule: Schedule,
        results: ResultsFile,
        *,
        sprt: Sprt | None = None,
        effort: Effort | None = None,
        on_game: Callable[[GameResult], None] = lambda game: None,
    ) -> None:
        self.hall, self.schedule, self.results = hall, schedule, results
        self.effort = effort or Effort()
        self.on_game = on_game
        self.stop = threading.Event()
        self.test = SequentialTest(sprt) if sprt else None
        self._lock = threading.Lock()
        self._faults: list[BaseException] = []
        self._seats: list[Seat] = []
        names = list(hall.players)
        if sprt and len(names) != 2:
            raise InputError("a sequential test compares exactly two players")
        self._tell_test()

    @property
    def players(self) -> list[str]:
        return list(self.hall.players)

    def run(self) -> None:
        """Plays all that is missing; set `stop` to end early, losing only the games under way."""
        while not self.stop.is_set():
            due = self.schedule.due(self.results.games)
            if not due or (self.test and self.test.verdict):
                return
            batched = [planned for planned in due if self._is_batched(planned)]
            tables = [planned for planned in due if not self._is_batched(planned)]
            # One after the other: batches would steal the time of players who think by the clock.
            self._in_threads(batched, max(self.effort.rooms(), self.hall.devices), self._batch_room)
            self._in_threads(tables, self.effort.tables(self.hall.is_timed), self._tables)
            if self._faults:
                raise self._faults[0]

    def standings(self) -> Standings:
        """Where the tournament stands."""
        with self._lock:
            games = list(self.results)
        return standings(games, self.players)

    def _is_batched(self, planned: PlannedGame) -> bool:
        return self.hall.is_batched(planned.black) and self.hall.is_batched(planned.white)

    def _in_threads(
        self, plan: Sequence[PlannedGame], count: int, work: Callable[[Iterator[PlannedGame], int, int], None]
    ) -> None:
        """Several workers take games from one list, each told its share and its number; a fault stops them all."""
        if not plan or self.stop.is_set():
            return
        queue = _Shared(plan)
        share = -(-len(plan) // count)

        def guarded(number: int) -> None:
            try:
                work(queue, share, number)
            except BaseException as fault:
                self._faults.append(fault)
                self.stop.set()

        workers = [threading.Thread(target=guarded, args=(i,), daemon=True) for i in range(min(count, len(plan)))]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.2)  # short, so that Ctrl-C reaches the main thread
        except BaseException:
            self.stop.set()
            for seat in list(self._seats):
                seat.interrupt()  # nobody waits for an engine whose game no longer counts
            for worker in workers:
                worker.join()
            raise

    def _batch_room(self, plan: Iterator[PlannedGame], share: int, number: int) -> None:
        concurrent = max(1, min(self.effort.concurrent, share))
        BatchRoom(self.hall, plan, concurrent, self._finish, self.stop, number).run()

    def _tables(self, plan: Iterator[PlannedGame], share: int, number: int) -> None:
        """One table: its seats stay taken from game to game, so that engines start once."""
        seats: dict[str, Seat] = {}
        try:
            for planned in plan:
                if self.stop.is_set():
                    return
                for name in (planned.black, planned.white):
                    if name not in seats:
                        seats[name] = self.hall.seat(name)
                        self._seats.append(seats[name])
                live = LiveGame(planned, self.hall.conditions)
                SeatedGame(live, seats[planned.black], seats[planned.white], self.hall.referee, self.stop).play()
                self._finish(live)
        except StoppedError:
            return
        finally:
            for seat in seats.values():
                seat.close()

    def _finish(self, live: LiveGame) -> None:
        game = live.finished()
        with self._lock:
            self.results.add(game)
            self._tell_test()
        self.on_game(game)

    def _tell_test(self) -> None:
        if self.test is None:
            return
        scores = scores_of_pairs(self.results, self.players[0], 2 if self.schedule.swap else 1)
        for score in scores[self.test.count :]:
            if self.test.add(score):
                self.stop.set()
                return


class _Shared(Iterator[PlannedGame]):
    """A list several threads take from."""

    def __init__(self, plan: Sequence[PlannedGame]) -> None:
        self._left = iter(plan)
        self._lock = threading.Lock()

    def __next__(self) -> PlannedGame:
        with self._lock:
            return next(self._left)
