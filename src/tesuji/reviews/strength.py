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
from tesuji.reviews.verdicts import verdict

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
        verdicts = [verdict(number, move, *pair) for number, (move, pair) in enumerate(steps, 1)]
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
    error: float
    """One standard error of a game of `moves` moves a player, in ranks."""
    moves: float
    lowest: float
    highest: float
    """Ranks between which there were players."""
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


def strength(network: str, size: int, visits: int, played: Played) -> Strength | None:
    """The estimate for one player; None where nothing was calibrated or the game is too short."""
    line = calibrations().get(f"{network} {size} {visits}")
    if line is None or played.moves < FEWEST_MOVES or math.isnan(played.points_a_move):
        return None
    rank = sum(weight * feature for weight, feature in zip(line.weights, played.features, strict=True))
    error = line.error * max(1.0, math.sqrt(line.moves / played.moves))
    return Strength(min(max(rank, line.lowest), line.highest), error)


def together(estimates: Sequence[Strength]) -> Strength | None:
    """One player over several games; what the line itself is off by remains."""
    if not estimates:
        return None
    weights = [one.error**-2 for one in estimates]
    rank = sum(weight * one.rank for weight, one in zip(weights, estimates, strict=True)) / sum(weights)
    return Strength(rank, max(1.0, sum(weights) ** -0.5))


def fit_strength(samples: Sequence[tuple[int, Played]]) -> Calibration:
    """Least squares over players of known rank, each weighted by the moves it made."""
    used = [(rank, played) for rank, played in samples if played.moves >= FEWEST_MOVES]
    features = np.array([played.features for _, played in used])
    ranks = np.array([float(rank) for rank, _ in used])
    roots = np.sqrt([float(played.moves) for _, played in used])
    weights, *_ = np.linalg.lstsq(features * roots[:, None], ranks * roots, rcond=None)
    off = ranks - features @ weights
    return Calibration(
        weights=(float(weights[0]), float(weights[1]), float(weights[2])),
        error=float(np.sqrt(np.sum(off**2) / (len(used) - 3))),
        moves=float(np.mean([played.moves for _, played in used])),
        lowest=float(ranks.min()),
        highest=float(ranks.max()),
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
