"""Tournaments on a Ray cluster: games of networks are played wherever there is room, and written down here."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from tesuji.arena.play.batch_room import BatchRoom
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Director
from tesuji.arena.play.live_game import LiveGame
from tesuji.arena.play.results import GameResult
from tesuji.arena.play.schedule import PlannedGame
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import Hall
from tesuji.arena.players.network_player import devices_of
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.networks.devices import cluster_request, one_device
from tesuji.networks.evaluators.factory import Running, evaluator, load, read_model

CHUNK = 16
"""Games of one task: enough to share batches, few enough that a lost machine costs little."""
_LOST = 20  # chunks lost before the fault is taken for ours


@dataclass(frozen=True)
class _Field:
    """Who plays and how, with the networks themselves: what every machine fetches once."""

    players: Sequence[PlayerDescription]
    conditions: Conditions
    networks: Mapping[str, bytes]

    def load(self, name: str, device: str = "cpu") -> Evaluator:
        data = self.networks.get(name)
        return evaluator(data, name, Running.on(device)) if data is not None else load(name, device=device)


def _play(field: _Field, plan: list[PlannedGame]) -> list[GameResult]:
    """The task: these games, in one process."""
    played: list[GameResult] = []

    def finish(live: LiveGame) -> None:
        played.append(live.finished())

    hall = Hall(field.players, field.conditions, field.load)
    BatchRoom(hall, iter(plan), len(plan), finish, threading.Event()).run()
    return played


class RayDirector(Director):
    """A tournament whose batched games are Ray tasks. Games with engines are played here, where the engines are."""

    def run(self) -> None:
        """Plays all that is missing; a chunk whose machine dies is played again elsewhere."""
        while not self.stop.is_set():
            due = self.schedule.due(self.results.games)
            batched = [planned for planned in due if self._is_batched(planned)]
            if not batched or (self.test and self.test.verdict):
                break
            self._play_on_cluster(batched)
        if not self.stop.is_set():
            super().run()

    def _play_on_cluster(self, plan: Sequence[PlannedGame]) -> None:
        field = ray.put(self._field)
        request = _request(self._field.players)
        task = ray.remote(_play).options(**request, max_retries=0)
        left = _chunks(plan)
        running: dict[Any, list[PlannedGame]] = {}
        lost = 0
        try:
            while not self.stop.is_set():
                # No more than the cluster plays at once, so that a test that ends early has little under way.
                while len(running) < _places(request) and (chunk := next(left, None)):
                    running[task.remote(field, chunk)] = chunk
                if not running:
                    return
                for ready in ray.wait(list(running), num_returns=1, timeout=1.0)[0]:
                    chunk = running.pop(ready)
                    try:
                        self._write_down(ray.get(ready))
                    except RayTaskError as fault:
                        raise InputError(f"a game on the cluster failed: {fault.cause}") from fault
                    except RayError as fault:
                        lost += 1
                        if lost > _LOST:
                            raise InputError(f"{lost} parts of the tournament were lost: {fault}") from fault
                        running[task.remote(field, chunk)] = chunk
        finally:
            for reference in running:
                ray.cancel(reference, force=True)

    def _write_down(self, games: Sequence[GameResult]) -> None:
        for game in games:
            if game.key in self.results.games:
                continue  # delivered before its machine was taken for dead
            with self._lock:
                self.results.add(game)
                self._tell_test()
            self.on_game(game)

    @cached_property
    def _field(self) -> _Field:
        """Read once: a model file replaced in the middle changes nothing."""
        players = [_on_cluster(player) for player in self.hall.players.values()]
        names = {network for player in players for network in player.networks} | {self.hall.conditions.referee} - {""}
        networks = {name: _bytes(name) for name in names}
        return _Field(players, self.hall.conditions, {name: data for name, data in networks.items() if data})


def _bytes(name: str) -> bytes:
    """The model file of a network; empty where it is none."""
    try:
        return read_model(name)
    except FileNotFoundError:
        return b""


def _on_cluster(player: PlayerDescription) -> PlayerDescription:
    """The player with its device as a task sees it, to which Ray gives one GPU at most."""
    if not (named := player.options.get("device")):
        return player
    return replace(player, options={**player.options, "device": one_device(str(named))})


def _request(players: Sequence[PlayerDescription]) -> dict[str, int]:
    """What the games of these players ask of the cluster; a player that names no device runs on the CPU."""
    return cluster_request(device or "cpu" for player in players for device in devices_of(player.options))


def _places(request: Mapping[str, int]) -> int:
    """How many tasks with this request the cluster has room for."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    has = {"num_cpus": resources.get("CPU", 1), "num_gpus": resources.get("GPU", 0)}
    return max(1, min(int(has[name]) for name, wanted in request.items() if wanted))


def _chunks(plan: Sequence[PlannedGame]) -> Iterator[list[PlannedGame]]:
    for first in range(0, len(plan), CHUNK):
        yield list(plan[first : first + CHUNK])
