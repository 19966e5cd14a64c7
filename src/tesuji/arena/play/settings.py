"""A whole tournament in one description: who plays whom, how often and under which conditions."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.openings import Opening
from tesuji.arena.play.schedule import Meetings, Schedule, Swiss, gauntlet, round_robin
from tesuji.arena.players.description import NETWORK_OPTIONS, Player, PlayerDescription, describe
from tesuji.arena.players.network_player import search_defaults
from tesuji.base.errors import InputError
from tesuji.base.settings import changed, check_names, typed
from tesuji.go.rules import usual_komi

SCHEDULES = ("round-robin", "gauntlet", "swiss")
COLORS = ("both", "a-black", "b-black")
_BUDGET: dict[str, Any] = {"visits": int | None, "seconds": float | None}


@dataclass(frozen=True)
class Settings:
    """Who plays whom, how often and under which conditions."""

    players: Sequence[PlayerDescription]
    conditions: Conditions = field(default_factory=Conditions)
    schedule: str = "round-robin"
    """`round-robin`, `gauntlet` (the first against all others) or `swiss`."""
    games: int = 100
    """Per meeting of two players."""
    rounds: int = 5
    """Of a Swiss tournament."""
    colors: str = "both"
    """`both`: each opening twice, colours swapped. `a-black`, `b-black`: the first or second named is Black."""
    openings: str = "auto"
    """`none`, `random[:MOVES]`, a packed game file, an SGF file or a folder of them `[:MOVES]`; see docs."""

    def __post_init__(self) -> None:
        for name, known in (("schedule", SCHEDULES), ("colors", COLORS)):
            if getattr(self, name) not in known:
                raise InputError(f"{name}={getattr(self, name)}: one of {', '.join(known)}")

    def fingerprint(self) -> str:
        """Short text that differs when players or conditions do; the number of games does not count."""
        parts = [self._record(), {player.name: player.record() for player in self.players}]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:8]

    def _record(self) -> dict[str, Any]:
        return {
            **self.conditions.record(),
            "schedule": self.schedule,
            "colors": self.colors,
            "openings": self.openings,
        }

    def record(self) -> Mapping[str, Any]:
        """What the results file states."""
        return self._record()

    def make_schedule(self, openings: Sequence[Opening]) -> Schedule:
        """The games to play."""
        names = [player.name for player in self.players]
        swap = self.colors == "both"
        if self.schedule == "swiss":
            return Swiss(names, self.rounds, self.games, openings, swap)
        make = gauntlet if self.schedule == "gauntlet" else round_robin
        meetings = make(names, self.games, openings, swap)
        if self.colors == "b-black":
            turned = [(second, first) for first, second in meetings.meetings]
            return Meetings(turned, self.games, openings, swap)
        return meetings


def settings_from(players: Iterable[Player], table: Mapping[str, Any]) -> Settings:
    """A tournament from one flat table, as a TOML file, a command line or keywords give it.

    Its keys are the fields of `Conditions` and of `Settings`, and every option of a network (`visits`, `c`, `value`,
    ...), which then holds for all networks that do not say otherwise.
    """
    own = [entry.name for entry in fields(Conditions)]
    common = [entry.name for entry in fields(Settings) if entry.name not in {"players", "conditions"}]
    check_names(table, [*own, *common, *NETWORK_OPTIONS], "tournament setting")
    size = typed("size", table.get("size", Conditions.size), int, "tournament")
    assert isinstance(size, int)
    conditions = changed(Conditions(size=size, komi=usual_komi(size)), _of(table, own), "tournament")
    settings = changed(Settings((), conditions), _of(table, common), "tournament")
    defaults = {key: value for key, value in table.items() if key in NETWORK_OPTIONS and key not in own}
    budget: dict[str, Any] = {
        key: typed(key, defaults.pop(key, None), kind, "tournament") for key, kind in _BUDGET.items()
    }
    defaults = {**search_defaults(**budget), **defaults}
    return replace(settings, players=[describe(player, defaults) for player in players])


def _of(table: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: table[key] for key in keys if key in table}
