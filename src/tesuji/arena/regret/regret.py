"""Strength without games: what the moves of several players lose in the same positions, by one judge's word."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import Hall
from tesuji.arena.regret.chosen_moves import RESIGNED, chosen_moves
from tesuji.arena.regret.move_judge import MoveJudge, Worth
from tesuji.arena.regret.positions import Choosing, Undecided, undecided
from tesuji.base.errors import InputError

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done and how much there is."""
BLUNDER = 0.1
"""Win rate lost from which a move is a blunder."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Estimate":
        spread = float(values.std(ddof=1)) if len(values) > 1 else math.nan
        return cls(float(values.mean()), spread / math.sqrt(len(values)))


@dataclass(frozen=True)
class PlayerRegret:
    """What one player's moves lose. Shares of 1, not per cent."""

    player: str
    positions: int
    winrate: Estimate
    """Win rate lost a move."""
    points: Estimate | None
    """Points lost a move; None where the judge tells no score."""
    blunders: Estimate
    """Share of moves that lose more than the blunder's threshold."""
    agreement: float
    """Share of positions in which it plays the move the judge likes best."""
    seconds: float
    """A move, several positions being searched side by side."""
    than_first: Estimate | None
    """Win rate lost more than by the first player, position by position; None for the first."""
    points_than_first: Estimate | None

    def row(self) -> dict[str, str | int | float | None]:
        """As plain names and numbers."""
        flat: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if "Estimate" in str(entry.type):
                flat[entry.name] = value and round(value.mean, 5)
                flat[f"{entry.name}_error"] = value and round(value.error, 5)
            else:
                flat[entry.name] = round(value, 5) if isinstance(value, float) else value
        return flat


def regret(
    players: Sequence[PlayerDescription], judge: PlayerDescription, choosing: Choosing, *, positions: int = 300,
    conditions: Conditions | None = None, folder: Path = Path("regret"), blunder: float = BLUNDER, threads: int = 0,
    progress: Progress = lambda what, done, total: None,
) -> list[PlayerRegret]:  # fmt: skip
    """Has all players choose a move in the same undecided positions, and the judge say what each choice lost.

    A move loses what the best of the judge's own moves there is worth more, all worths being found in the same way:
    by a search of the position after the move. What judge and players said is kept in `folder` and never asked again.
    """
    conditions = conditions or Conditions()
    if positions < 2 or not 0 < blunder < 1:
        raise InputError(f"positions={positions}, blunder={blunder:g}: at least 2 positions, a blunder between 0 and 1")
    hall = Hall(players, conditions)
    hall.check_engines()
    if len(hall.players) < len(players):
        raise InputError("two players bear the same name; give one of them another name=")
    arbiter = MoveJudge(judge, conditions, folder)
    chosen = undecided(choosing, arbiter, positions, lambda done, total: progress("positions", done, total))
    table = _Comparison(arbiter, chosen, progress)
    return [table.add(hall, name, folder, blunder, threads) for name in hall.players]


class _Comparison:
    """What has been found so far, the first player to compare with."""

    def __init__(self, judge: MoveJudge, chosen: Sequence[Undecided], progress: Progress) -> None:
        self.judge, self.chosen, self.progress = judge, chosen, progress
        liked = [(one.position, move) for one in chosen for move in one.liked]
        worths = iter(judge.worths(liked, lambda done, total: progress("judge's own moves", done, total)))
        groups = [[next(worths) for _ in one.liked] for one in chosen]
        self._best = [max(group, key=lambda worth: worth.winrate) for group in groups]
        self._first: tuple[NDArray[np.float64], NDArray[np.float64] | None] | None = None

    def add(self, hall: Hall, name: str, folder: Path, blunder: float, threads: int) -> PlayerRegret:
        positions = [one.position for one in self.chosen]
        moves, seconds = chosen_moves(
            hall, name, positions, folder, threads, lambda done, total: self.progress(name, done, total)
        )
        lost, points = self._losses(name, moves)
        first, self._first = self._first, self._first or (lost, points)
        before = first[1] if first else None
        return PlayerRegret(
            player=name,
            positions=len(moves),
            winrate=Estimate.of(lost),
            points=None if points is None else Estimate.of(points),
            blunders=Estimate.of((lost > blunder).astype(np.float64)),
            agreement=float(np.mean([move == one.liked[0] for move, one in zip(moves, self.chosen, strict=True)])),
            seconds=seconds,
            than_first=Estimate.of(lost - first[0]) if first else None,
            points_than_first=None if points is None or before is None else Estimate.of(points - before),
        )

    def _losses(self, name: str, moves: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Win rate and points lost in each position."""
        asked = [(one.position, move) for one, move in zip(self.chosen, moves, strict=True) if move != RESIGNED]
        told = iter(self.judge.worths(asked, lambda done, total: self.progress(f"judge of {name}", done, total)))
        worths = [Worth(0.0, None) if move == RESIGNED else next(told) for move in moves]
        lost = np.array([best.winrate - worth.winrate for best, worth in zip(self._best, worths, strict=True)])
        pairs = [(best.lead, worth.lead) for best, worth in zip(self._best, worths, strict=True)]
        known = [(best, lead) for best, lead in pairs if best is not None and lead is not None]
        return lost, np.array([best - lead for best, lead in known]) if len(known) == len(pairs) else None
