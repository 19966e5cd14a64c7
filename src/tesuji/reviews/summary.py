"""A player's moves in numbers: points lost, by phase of the game, and agreement with the network."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tesuji._core import Color
from tesuji.reviews.analysis import FIRST_CHOICES, color_word
from tesuji.reviews.verdicts import GRADES, MoveReview

PHASES = ("opening", "middle game", "endgame")
_OPENING, _MIDDLE = 0.14, 0.42  # of the board's points: moves 50 and 151 on 19x19, 11 and 34 on 9x9


@dataclass(frozen=True)
class PhaseSummary:
    """One player's moves in one phase."""

    phase: str
    moves: int
    points: float | None
    """Lost in all; None where the network tells no score."""
    winrate: float
    """Lost in all, each move counted from 0 to 1."""


@dataclass(frozen=True)
class PlayerSummary:
    """One player's moves in one game. Only moves that count are counted."""

    color: str
    name: str
    moves: int
    points: float | None
    """Lost in all."""
    points_a_move: float | None
    winrate_a_move: float
    first_choice: float
    """Share of the moves that the network alone would have played."""
    first_five: float
    """Share of the moves among its first five choices."""
    grades: dict[str, int]
    """How many moves were good, inexact, mistakes, blunders."""
    phases: tuple[PhaseSummary, ...]
    strength: str | None = None
    """How strong the player seems, with its error; None where that was never calibrated."""

    @property
    def lost(self) -> str:
        """`12.3 points (0.21 a move)`, or the win rate where there are no points."""
        if self.points is None or self.points_a_move is None:
            return f"{100 * self.winrate_a_move:.1f} % a move"
        return f"{self.points:.1f} points ({self.points_a_move:.2f} a move)"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, numbers rounded."""
        return {key: _plain(value) for key, value in asdict(self).items()}


def summary_of(moves: Sequence[MoveReview], color: Color, name: str, size: int) -> PlayerSummary:
    """One player's moves in numbers."""
    own = [move for move in moves if move.color == color and move.counted]
    count = max(1, len(own))
    points = _points(own)
    return PlayerSummary(
        color=color_word(color),
        name=name,
        moves=len(own),
        points=points,
        points_a_move=None if points is None else points / count,
        winrate_a_move=sum(move.winrate for move in own) / count,
        first_choice=sum(move.choice == 1 for move in own) / count,
        first_five=sum(1 <= move.choice <= FIRST_CHOICES for move in own) / count,
        grades={grade: sum(move.grade == grade for move in own) for grade in GRADES},
        phases=tuple(_phase(phase, [move for move in own if phase_of(move.number, size) == phase]) for phase in PHASES),
    )


def phase_of(number: int, size: int) -> str:
    """The phase of the game in which the move of this number falls."""
    share = number / size**2
    return PHASES[0] if share < _OPENING else PHASES[1] if share < _MIDDLE else PHASES[2]


def _phase(phase: str, moves: Sequence[MoveReview]) -> PhaseSummary:
    return PhaseSummary(phase, len(moves), _points(moves), sum(move.winrate for move in moves))


def _points(moves: Sequence[MoveReview]) -> float | None:
    if any(move.points is None for move in moves):
        return None
    return sum(move.points or 0.0 for move in moves)


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
