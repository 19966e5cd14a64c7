"""What a move cost: what the best move is worth against what this one is worth, both seen with equal visits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tesuji._core import BLACK, PASS, Color
from tesuji.base.field_help import with_field_help
from tesuji.go.coordinates import vertex_text
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.moment import Reason

GRADES = ("good", "inexact", "mistake", "blunder")
POINTS = (1.0, 2.0, 5.0)
"""Points lost from which a move is no longer good, is a mistake, is a blunder."""
WINRATES = (0.03, 0.06, 0.15)
"""The same of the win rate, where the network tells no score."""


@with_field_help
@dataclass(frozen=True)
class MoveReview:
    """One move of the game, judged."""

    number: int
    """From 1 on."""
    color: Color
    move: int
    size: int
    better: int
    """What the search would have played; the move itself where they agree."""
    points: float | None
    """Points lost, from 0 on; None where the network tells no score."""
    winrate: float
    """Win rate lost, from 0 to 1."""
    visits: int
    """Of each side of the comparison."""
    looked_twice: bool = False
    """Whether these numbers come from the second, deeper look."""
    counted: bool = True
    """False where the game was settled, or the record breaks the order of turns: then nothing is lost."""
    choice: int = 0
    """The network's first choice is 1; 0 where the move is not among its first five."""
    line: tuple[int, ...] = ()
    """The better move and what would follow."""
    refutation: tuple[int, ...] = ()
    """What was to follow the move played, the opponent's answer first."""
    reason: Reason | None = None

    @property
    def grade(self) -> str:
        """One of `GRADES`."""
        limits, lost = (WINRATES, self.winrate) if self.points is None else (POINTS, self.points)
        return GRADES[sum(lost >= limit for limit in limits)]

    @property
    def loss(self) -> float:
        """What mistakes are sorted by: points, or hundredths of the win rate where there are none."""
        return 100 * self.winrate if self.points is None else self.points

    @property
    def vertex(self) -> str:
        """The move as players write it."""
        return vertex_text(self.move, self.size)

    @property
    def text(self) -> str:
        """`Black D4 loses 3.2 points: leaves two stones at E5 in atari; F6 was better`."""
        name = "Black" if self.color == BLACK else "White"
        who = f"{name}'s pass" if self.move == PASS else f"{name} {self.vertex}"
        if self.grade == "good":
            return f"{who} is fine" if self.move != self.better else f"{who} is the best move"
        lost = f"{100 * self.winrate:.0f} %" if self.points is None else f"{self.points:.1f} points"
        why = f": {self.reason.text}" if self.reason else ""
        return f"{who} loses {lost}{why}; {vertex_text(self.better, self.size)} was better"


def verdict(number: int, move: int, before: Analysis, after: Analysis) -> MoveReview:
    """The move between two positions, by what the searches of both say."""
    color = before.to_play
    in_order = after.to_play != color
    points, winrate = lost(before, after, color) if in_order and move != before.best else (None, 0.0)
    if before.black_score is not None and points is None:
        points = 0.0
    choices = before.first_choices
    return MoveReview(
        number=number,
        color=color,
        move=move,
        size=before.size,
        better=before.best,
        points=points,
        winrate=winrate,
        visits=min(before.visits, after.visits),
        counted=in_order,
        choice=choices.index(move) + 1 if move in choices else 0,
        line=before.line,
        refutation=after.line,
    )


def second_verdict(
    first: MoveReview, before: Analysis, after_best: Analysis | None, after: Analysis | None
) -> MoveReview:
    """The same after the second look: the best move and the one played, each judged by a search of its own.

    Without those searches nothing is lost: the move played is the best one, or the best one ends the game.
    """
    looked = replace(
        first,
        looked_twice=True,
        visits=before.visits,
        better=before.best,
        line=before.line,
        points=None if first.points is None else 0.0,
        winrate=0.0,
    )
    if after_best is None or after is None:
        return looked
    points, winrate = lost(after_best, after, first.color)
    line = (before.best, *after_best.line)
    return replace(looked, points=points, winrate=winrate, visits=after.visits, line=line, refutation=after.line)


def lost(best: Analysis, played: Analysis, color: Color) -> tuple[float | None, float]:
    """Points and win rate that a colour lost from one judgement to the other; nobody gains by a mistake."""
    most, now = best.score_of(color), played.score_of(color)
    points = None if most is None or now is None else max(0.0, most - now)
    return points, max(0.0, best.winrate_of(color) - played.winrate_of(color))


def uncounted(move: MoveReview) -> MoveReview:
    """A move that is not judged."""
    points = None if move.points is None else 0.0
    return replace(move, counted=False, points=points, winrate=0.0, better=move.move, line=(), refutation=())


def is_mistake(move: MoveReview, least_points: float, least_winrate: float) -> bool:
    """Whether a move lost as much as a mistake does."""
    if not move.counted or move.move == move.better:
        return False
    return move.winrate >= least_winrate if move.points is None else move.points >= least_points
