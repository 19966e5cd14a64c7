"""The gate: a match between two networks of a run, ended by a sequential test where there is one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Director, Effort
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.sprt import Sprt
from tesuji.arena.tournament import play


@dataclass(frozen=True)
class Verdict:
    """How a match ended, seen by the first player."""

    games: int
    points: float
    ratio: float
    """Log likelihood ratio of "better" to "no better"; 0 without a test."""
    decision: str
    """`H1`, `H0`, or empty where the games ended before a decision."""

    @property
    def rate(self) -> float:
        """Share of the points."""
        return self.points / self.games if self.games else 0.5

    @property
    def passed(self) -> bool:
        """Whether the first player is the better one, or more likely so than not."""
        return self.decision == "H1" or (not self.decision and self.ratio > -1e-6)


def describe(name: str, network: str, options: Mapping[str, Any]) -> PlayerDescription:
    """A player of the gate."""
    return PlayerDescription(name, network, options=dict(options))


def match(
    folder: Path, players: tuple[PlayerDescription, PlayerDescription], conditions: Conditions, games: int, *,
    openings: str = "auto", sprt: Sprt | None = None, effort: Effort | None = None,
    director: type[Director] = Director,
) -> Verdict:  # fmt: skip
    """Plays what is missing of a match; the folder holds its games, so that it can be interrupted at any time."""
    settings = Settings(players, conditions, games=games, openings=openings)
    result = play(settings, folder, sprt=sprt, effort=effort, director=director)
    points = sum(game.points(players[0].name) for game in result.games)
    test = result.test
    return Verdict(len(result.games), points, test.ratio if test else 0.0, test.verdict if test else "")


def games_of(folder: Path) -> list[GameResult]:
    """The games of a match played earlier."""
    path = folder / "results.jsonl"
    return list(ResultsFile(path)) if path.exists() else []
