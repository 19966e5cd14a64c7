"""How strong a player seems by what the moves of a game lost, with the error that one game leaves.

The table beside this file holds a line fitted to games of ranked players (`benchmarks/strength_calibration.py`):
rank by the logarithm of the points lost per move and by the share of moves the network would have played. Only the
first pass of a review counts, in which all positions have the same visits.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tesuji._core import Color
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.verdicts import MoveReview, verdict

TABLE = Path(__file__).with_name("strength.json")
FEWEST_MOVES = 12  # below which a game says nothing
_MOST_LOST = 20.0  # points of one move: one blunder more or less should not decide
_SOFT = 0.3  # points added before the logarithm, where the network's own error lies
_FIRST_DAN = 31  # 30k is 1, 1k is 30, 1d is 31


@dataclass(frozen=True)
class Played:
    """What a player's moves of one game come to."""

    moves: int
    points_a_move: float
    first_choice: float

    @classmethod
    def of(cls, positions: Sequence[Analysis], moves: Sequence[int], color: Color) -> Played:
        """By the first pass of a review, over moves that count; nan where the network tells no score."""
        steps = zip(moves, pairwise(positions), strict=False)
        return cls.of_verdicts([verdict(number, move, *pair) for number, (move, pair) in enumerate(steps, 1)], color)

    @classmethod
    def of_verdicts(cls, verdicts: Sequence[MoveReview], color: Color) -> Played:
        """By what the first pass says of each move."""
        own = [one for one in verdicts if one.color == color and one.counted]
        lost = [math.nan if one.points is None else min(one.points, _MOST_LOST) for one in own]
        count = max(1, len(own))
        return cls(len(own), sum(lost) / count, sum(one.choice == 1 for one in own) / count)

    def plain(self) -> dict[str, Any]:
        """For a line of JSON."""
        return asdict(self)

    @property
    def features(self) -> tuple[float, float, float]:
        """What the line is fitted in."""
        return 1.0, math.log(self.points_a_move + _SOFT), self.first_choice


@dataclass(frozen=True)
class Calibration:
    """Rank by features, for one network, board and number of visits."""

    weights: tuple[float, float, float]
    """Give a rank that is right on average for players of every rank."""
    error: float
    """One standard error of it after a game of `moves` moves a player, in ranks."""
    moves: float
    usual: float
    spread: float
    """Mean and standard deviation of the players' ranks: what is known before any game."""
    players: int

    def plain(self) -> dict[str, Any]:
        """As the table holds it."""
        return asdict(self)


@dataclass(frozen=True)
class Strength:
    """An estimate."""

    rank: float
    """30k is 1, 1k is 30, 1d is 31."""
    error: float
    """One standard error."""

    @property
    def text(self) -> str:
        """`about 7k ± 4`, as ranks of the players it was fitted to."""
        return f"about {rank_text(self.rank)} ± {self.error:.0f}"


def strength(network: str, size: int, visits: int, games: Sequence[Played]) -> Strength | None:
    """The estimate for a player of these games; None where nothing was calibrated or all are too short.

    One short game says little, so it moves the estimate only part of the way from the usual player's rank.
    """
    line = calibrations().get(f"{network} {size} {visits}")
    told = [one for one in games if one.moves >= FEWEST_MOVES and not math.isnan(one.points_a_move)]
    if line is None or not told:
        return None
    sure, total = line.spread**-2, line.usual * line.spread**-2
    for one in told:
        rank = sum(weight * feature for weight, feature in zip(line.weights, one.features, strict=True))
        weight = (line.error * max(1.0, math.sqrt(line.moves / one.moves))) ** -2
        sure, total = sure + weight, total + weight * rank
    return Strength(total / sure, max(1.0, sure**-0.5))


def fit_strength(samples: Sequence[tuple[int, Played]]) -> Calibration:
    """Least squares over players of known rank, each weighted by the moves it made.

    Least squares pull everybody towards the middle; the line is stretched so that its mean at every rank is that rank.
    """
    used = [(rank, played) for rank, played in samples if played.moves >= FEWEST_MOVES]
    features = np.array([played.features for _, played in used])
    ranks = np.array([float(rank) for rank, _ in used])
    roots = np.sqrt([float(played.moves) for _, played in used])
    weights, *_ = np.linalg.lstsq(features * roots[:, None], ranks * roots, rcond=None)
    slope, offset = np.polyfit(ranks, features @ weights, 1)
    stretched = weights / slope
    stretched[0] -= offset / slope
    return Calibration(
        weights=(float(stretched[0]), float(stretched[1]), float(stretched[2])),
        error=float(np.std(features @ stretched - ranks, ddof=3)),
        moves=float(np.mean([played.moves for _, played in used])),
        usual=float(ranks.mean()),
        spread=float(ranks.std(ddof=1)),
        players=len(used),
    )


@cache
def calibrations() -> dict[str, Calibration]:
    """The table, by network, lines of the board and visits."""
    told = json.loads(TABLE.read_text(encoding="utf-8"))
    return {name: Calibration(**{**line, "weights": tuple(line["weights"])}) for name, line in told.items()}


def rank_number(rank: str) -> int | None:
    """`7k`, `3d` as a number; None for anything else."""
    found = re.fullmatch(r"(\d+)\s*([kd]).*", rank.strip().lower())
    if found is None:
        return None
    return _FIRST_DAN - int(found[1]) if found[2] == "k" else _FIRST_DAN - 1 + int(found[1])


def rank_text(rank: float) -> str:
    """A number as a rank."""
    whole = round(rank)
    return f"{whole - _FIRST_DAN + 1}d" if whole >= _FIRST_DAN else f"{_FIRST_DAN - whole}k"
