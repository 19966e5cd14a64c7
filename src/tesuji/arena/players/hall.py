"""The playing hall: every network loaded once, every engine checked once, seats for all games."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tesuji._core import Game
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.seated_game import Seat
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.engine_seat import EngineSeat
from tesuji.arena.players.network_player import NetworkPlayer, NetworkSeat, devices_of, network_player
from tesuji.arena.players.referee import NetworkReferee
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import encode
from tesuji.networks import library
from tesuji.networks.evaluators.factory import load
from tesuji.networks.evaluators.wrappers import Joined

Load = Callable[..., Evaluator]
"""From a network's name, and its `device` where one is told, to the network."""
_NOT_PLAY = {"seed", "memory_mb"}  # options that decide nothing about the strength


def model_file(path: Path, cache: Path | None = None) -> Path:
    """The path itself, or for a Keras model the model file made from it, kept by its content."""
    if path.suffix.lower() not in library.KERAS:
        return path
    from tesuji.networks.keras.convert import converted  # needs the optional package keras

    return converted(path, cache)


class Hall:
    """Where a tournament's players sit. Whatever can never play is refused here, before the first game."""

    def __init__(self, players: Sequence[PlayerDescription], conditions: Conditions, load: Load = load) -> None:
        self.players = {player.name: player for player in players}
        self.conditions = conditions
        self._load = load
        self._evaluators: dict[str, Evaluator] = {}
        self.networks: dict[str, NetworkPlayer] = {
            player.name: network_player(player, self._evaluators_of(player), conditions.size)
            for player in players
            if not player.is_engine
        }
        self.referee = self._referee()

    def check_engines(self) -> None:
        """Starts every engine once; `ValueError` names the one that cannot play."""
        for description in self.players.values():
            if description.is_engine:
                seat = EngineSeat(description, self.conditions)
                try:
                    seat.check()
                finally:
                    seat.close()

    def evaluator(self, network: str, device: str = "", number: int = 0) -> Evaluator:
        """Each network once on each device, however many players use it, so that they share batches.

        `number` tells evaluators apart on a device that is named several times.
        """
        key = f"{network} on {device} {number}"
        if key not in self._evaluators:
            self._evaluators[key] = self._load(network, device=device) if device else self._load(network)
            self._probe(self._evaluators[key], network)
        return self._evaluators[key]

    def _evaluators_of(self, player: PlayerDescription) -> list[Evaluator]:
        """The player's network on each of its devices, joined with that of its value where it has two."""
        devices = devices_of(player.options)
        return [self._evaluator_of(player, device, devices[:i].count(device)) for i, device in enumerate(devices)]

    def _evaluator_of(self, player: PlayerDescription, device: str, number: int) -> Evaluator:
        policy = self.evaluator(player.network, device, number)
        if not player.value:
            return policy
        pair = f"{player.network} & {player.value} on {device} {number}"
        if pair not in self._evaluators:
            self._evaluators[pair] = Joined(policy, self.evaluator(player.value, device, number))
        return self._evaluators[pair]

    def _probe(self, evaluate: Evaluator, network: str) -> None:
        """A network that answers no numbers is found here, not in the middle of other players' games."""
        size, komi = self.conditions.size, self.conditions.komi
        if evaluate.plays(size):
            empty = Game(size=size, komi=komi, rules=self.conditions.rules)
            answer = evaluate(encode([empty], evaluate.planes), [komi])
            if not (np.isfinite(answer.policy).all() and np.isfinite(answer.value).all()):
                raise InputError(f"network {network}: its answers are not numbers; export it again")

    def record(self, name: str) -> dict[str, Any]:
        """What the results file says of a player: all options of its search, so that other defaults show."""
        record = self.players[name].record()
        if name in self.networks:
            search = asdict(self.networks[name].search)
            record = {**{key: str(value) for key, value in search.items() if key not in _NOT_PLAY}, **record}
        return record

    @property
    def devices(self) -> int:
        """The most devices that a player's network has."""
        return max((len(player.evaluators) for player in self.networks.values()), default=1)

    def seat(self, name: str) -> Seat:
        """A place at a table for this player."""
        if name in self.networks:
            return NetworkSeat(self.networks[name])
        return EngineSeat(self.players[name], self.conditions)

    def is_batched(self, name: str) -> bool:
        """Whether this player thinks in visits and may share batches with other games."""
        return name in self.networks and not self.networks[name].is_timed

    @property
    def is_timed(self) -> bool:
        """Whether anybody thinks by a clock that other games would run down, so that there may be one at a time."""
        engines = (player.options.get("seconds") for player in self.players.values() if player.is_engine)
        return any(engines) or any(player.is_disturbed for player in self.networks.values())

    def _referee(self) -> NetworkReferee | None:
        """The network named, else that of the first network player."""
        if self.conditions.referee:
            evaluate = self.evaluator(self.conditions.referee)
            if not evaluate.plays(self.conditions.size):
                size = self.conditions.size
                raise InputError(f"the referee {self.conditions.referee} does not play {size}x{size}")
            return NetworkReferee(evaluate)
        first = next(iter(self.networks.values()), None)
        return NetworkReferee(first.evaluate) if first else None
