"""The crew that plays: workers come and go, every game is ordered until it is delivered, and delivered once."""

import hashlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from tesuji.base.errors import InputError
from tesuji.base.settings import table
from tesuji.learning.selfplay.options import SelfplayOptions
from tesuji.learning.selfplay.played_game import PlayedGame
from tesuji.learning.selfplay.playroom import Playroom, Speed
from tesuji.learning.selfplay.shards import ShardFolder
from tesuji.learning.selfplay.starts import Starts, read_positions
from tesuji.networks.evaluators.factory import Running, evaluator, read_model

TURN = 0.5
"""Seconds after which a worker reports even if none of its games is over."""
_LOST_IN_A_ROW = 8  # workers lost without a single game finished: the fault is not theirs


_SPEED = {"concurrent", "seed", "search.cache", "search.memory_mb", "search.seed"}


class WorkerLostError(Exception):
    """A worker died, or its machine did."""


@dataclass(frozen=True)
class Job:
    """All a worker needs to know, as plain data."""

    network: bytes
    """The model file itself: replaced on disk, the run still plays with the one it began with."""
    name: str
    options: SelfplayOptions
    positions: Sequence[tuple[tuple[int, int], ...]] = ()
    device: str = "cpu"
    """Where the network runs; the workforce says so, which knows the machines."""

    def kind(self) -> dict[str, object]:
        """What decides the kind of games it plays: the network and every setting but the seed and those of speed."""
        options = table(self.options) | {"komi": self.options.stated_komi}
        search = {f"search.{key}": value for key, value in options.pop("search").items()}
        told = {key: value for key, value in (options | search).items() if key not in _SPEED}
        return {"network": self.name, "network_sha256": hashlib.sha256(self.network).hexdigest(), **told}

    def playroom(self) -> Playroom:
        """The room where a worker plays; made in the worker."""
        evaluate = evaluator(self.network, self.name, Running.on(self.device))
        return Playroom(evaluate, self.options, Starts(self.options, self.positions))


@dataclass(frozen=True)
class Reply:
    """What a worker says after a turn."""

    games: list[PlayedGame]
    speed: Speed
    """Of its whole life."""


class Worker(Protocol):
    """Somebody who plays. At most one question is open at a time."""

    name: str

    def ask(self, numbers: Sequence[int]) -> None:
        """Orders further games and wants a reply."""
        ...

    def answer(self) -> Reply:
        """The reply; `WorkerLostError` when there will be none."""
        ...

    def dismiss(self) -> None:
        """Ends it, whatever it is doing."""
        ...


class Workforce(Protocol):
    """Where workers come from."""

    @property
    def devices(self) -> Sequence[str]:
        """Where their networks run."""
        ...

    def hire(self, job: Job, employed: int) -> list[Worker]:
        """New workers, when there is room for more than are employed."""
        ...

    def wait(self, workers: Sequence[Worker], seconds: float) -> list[Worker]:
        """Those whose reply, or whose end, is there."""
        ...


@dataclass
class Progress:
    """Where a production is, for whoever watches."""

    wanted: int
    stored: int = 0
    moves: int = 0
    targets: int = 0
    played_out: int = 0
    wishes: int = 0
    """Games played out in which a side would have resigned."""
    wrong: int = 0
    """Of those, games in which it did not lose."""
    workers: int = 0
    lost: int = 0
    """Workers that died and were replaced."""
    seconds: float = 0.0
    speed: Speed = field(default_factory=Speed)

    def count(self, game: PlayedGame) -> None:
        """Takes a finished game into account."""
        self.stored += 1
        self.moves += game.game.move_count - game.start_moves
        self.targets += len(game.targets)
        self.played_out += game.played_out
        self.wishes += game.played_out and game.resigner != 0
        self.wrong += game.wrongly_resigned


Watch = Callable[[Progress], None]


def make_job(network: str | Path, options: SelfplayOptions, devices: Sequence[str] = ("cpu",)) -> Job:
    """A job for a network by name or file, for workers on these devices.

    Raises `ValueError` or `FileNotFoundError` for whatever would stop every worker, before any is started.
    """
    data = read_model(network)
    for precision in sorted({Running.on(device).precision for device in devices}):
        # On the CPU: whatever is wrong with the file shows there, and a cluster's devices are not here.
        evaluate = evaluator(data, str(network), Running(precision=precision))
        if not evaluate.plays(options.size):
            raise InputError(f"the network {network} does not play {options.size}x{options.size}")
    return Job(data, str(network), options, read_positions(options))


class Crew:
    """Has games played by a workforce and stores them as they come."""

    def __init__(self, force: Workforce, watch: Watch = lambda progress: None) -> None:
        self.force, self.watch = force, watch
        self._workers: list[Worker] = []
        self._ordered: dict[str, set[int]] = {}
        self._speeds: dict[str, Speed] = {}
        self._idle: list[Worker] = []
        self._lost_in_a_row = 0

    def produce(self, job: Job, games: int, folder: ShardFolder) -> Progress:
        """Plays until the folder holds `games` games; returns the account of what this call has played.

        Interrupted, it loses the games under way and nothing else; called again, it plays what is missing.
        """
        stored = folder.games
        progress = Progress(games, stored)
        # Games of another sitting have other seeds: none is played twice.
        job = replace(job, options=replace(job.options, seed=job.options.seed * 1_000_003 + stored))
        waiting = deque(range(stored, games))
        started = time.monotonic()
        try:
            while progress.stored < games:
                self._hire(job, waiting)
                fresh: list[PlayedGame] = []
                for worker in self.force.wait([w for w in self._workers if w not in self._idle], 1.0):
                    if self._take(worker, waiting, fresh, progress):
                        self._ask(worker, job, waiting)
                folder.add(fresh)  # one file for all replies at hand: with many workers the disk would be the brake
                for game in fresh:
                    progress.count(game)
                progress.seconds = time.monotonic() - started
                progress.workers = len(self._workers)
                progress.speed = self._speed()
                self.watch(progress)
            folder.join()
        finally:
            for worker in self._workers:
                worker.dismiss()
            self._workers, self._idle, self._ordered = [], [], {}
        return progress

    def _take(self, worker: Worker, waiting: deque[int], fresh: list[PlayedGame], progress: Progress) -> bool:
        """Adds what a worker has played to `fresh`; False when the worker is no more."""
        try:
            reply = worker.answer()
        except WorkerLostError as fault:
            self._lost_in_a_row += 1
            progress.lost += 1
            self._bury(worker, waiting)
            if self._lost_in_a_row >= _LOST_IN_A_ROW:
                raise InputError(f"{self._lost_in_a_row} workers in a row were lost: {fault}") from fault
            return False
        if reply.games:
            self._lost_in_a_row = 0
        ordered = self._ordered[worker.name]
        # A number nobody waits for any more was delivered by another worker: once is enough.
        wanted = [game for game in reply.games if game.number in ordered]
        ordered.difference_update(game.number for game in wanted)
        fresh += wanted
        self._speeds[worker.name] = reply.speed
        return True

    def _hire(self, job: Job, waiting: deque[int]) -> None:
        if not waiting:
            return
        hired = self.force.hire(job, len(self._workers))
        self._workers += hired
        for worker in hired:
            self._ordered[worker.name] = set()
            # No game before it has spoken: on a node that died or never had room it would hold its games for ever.
            worker.ask([])
        for worker in list(self._idle):
            self._ask(worker, job, waiting)

    def _ask(self, worker: Worker, job: Job, waiting: deque[int]) -> None:
        """Orders as many games as keep the worker busy, near the end no more than its share."""
        ordered = self._ordered[worker.name]
        share = -(-(len(waiting) + sum(map(len, self._ordered.values()))) // len(self._workers))
        room = min(job.options.concurrent, share) - len(ordered)
        numbers = [waiting.popleft() for _ in range(min(room, len(waiting)))]
        ordered.update(numbers)
        self._idle = [other for other in self._idle if other is not worker]
        if ordered:
            worker.ask(numbers)
        else:
            self._idle.append(worker)

    def _bury(self, worker: Worker, waiting: deque[int]) -> None:
        """Its games are ordered anew."""
        waiting.extendleft(sorted(self._ordered.pop(worker.name), reverse=True))
        self._workers = [other for other in self._workers if other is not worker]
        worker.dismiss()

    def _speed(self) -> Speed:
        total = Speed()
        for speed in self._speeds.values():
            total.add(speed)
        return total
