"""What is kept of the search of one position, as plain data: `tesuji.analyse` returns it, a review holds many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tesuji._core import BLACK, Color
from tesuji.base.field_help import with_field_help
from tesuji.base.frames import frame_of
from tesuji.go.coordinates import vertex_text
from tesuji.go.results import score_text
from tesuji.search.result import RootMove, SearchResult

if TYPE_CHECKING:
    import pandas

KEPT_MOVES, KEPT_LINE, FIRST_CHOICES = 8, 12, 5


@dataclass(frozen=True)
class Candidate:
    """One move that was looked at."""

    move: int
    """A point number or `tesuji.PASS`."""
    visits: int
    winrate: float
    """Of the player to move."""
    black_score: float | None
    """Black's lead after it, komi taken off; None where the network tells none."""
    prior: float
    line: tuple[int, ...]
    """The expected continuation, this move first."""


@with_field_help
@dataclass(frozen=True)
class Analysis:
    """A position judged. Who is ahead by win rate is not behind by score."""

    size: int
    to_play: Color
    visits: int
    black_winrate: float
    black_score: float | None
    """Black's lead in points, komi taken off; None where the network tells none."""
    candidates: tuple[Candidate, ...]
    """The best first, then by visits."""
    first_choices: tuple[int, ...]
    """What the network alone would play, the likeliest first."""
    black_ownership: tuple[float, ...] | None = None
    """By point, from -1 (White's) to 1 (Black's)."""

    @classmethod
    def of(cls, result: SearchResult) -> Analysis:
        """What a review keeps of a search."""
        seen = [move for move in result.moves if move.visits > 0] or list(result.moves[:1])
        chosen = sorted(seen, key=lambda move: move.move != result.move)[:KEPT_MOVES]
        to_play, best = result.position.to_play, chosen[0]
        winrate = best.value if best.visits else result.value
        black_winrate = winrate if to_play == BLACK else 1 - winrate
        score = best.black_score if best.black_score is not None else result.black_score
        owned = result.black_ownership
        by_prior = sorted(result.moves, key=lambda move: -move.prior)[:FIRST_CHOICES]
        return cls(
            size=result.position.size,
            to_play=to_play,
            visits=result.root_visits,
            black_winrate=float(black_winrate),
            black_score=agreeing(black_winrate, score),
            candidates=tuple(_candidate(move, to_play) for move in chosen),
            first_choices=tuple(move.move for move in by_prior),
            black_ownership=None if owned is None else tuple(round(float(value), 3) for value in owned.reshape(-1)),
        )

    @property
    def best(self) -> int:
        """The move to play."""
        return self.candidates[0].move

    @property
    def line(self) -> tuple[int, ...]:
        """The expected continuation, the best move first."""
        return self.candidates[0].line

    @property
    def winrate(self) -> float:
        """Of the player to move."""
        return self.winrate_of(self.to_play)

    def winrate_of(self, color: Color) -> float:
        """The win rate of this colour."""
        return self.black_winrate if color == BLACK else 1 - self.black_winrate

    def score_of(self, color: Color) -> float | None:
        """The points by which this colour leads."""
        if self.black_score is None:
            return None
        return self.black_score if color == BLACK else -self.black_score

    @property
    def standing(self) -> str:
        """`Black 54 %, B+2.1`."""
        score = "" if self.black_score is None else f", {score_text(self.black_score, decimals=1)}"
        return f"Black {100 * self.black_winrate:.0f} %{score}"

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each candidate."""
        return [
            {
                "move": vertex_text(one.move, self.size),
                "color": color_word(self.to_play),
                "visits": one.visits,
                "winrate": round(one.winrate, 4),
                "black_score": None if one.black_score is None else round(one.black_score, 2),
                "prior": round(one.prior, 4),
                "line": line_text(one.line, self.size),
            }
            for one in self.candidates
        ]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())


def _candidate(move: RootMove, to_play: Color) -> Candidate:
    black = move.value if to_play == BLACK else 1 - move.value
    line = move.pv[:KEPT_LINE]
    return Candidate(move.move, move.visits, move.value, agreeing(black, move.black_score), move.prior, line)


def agreeing(black_winrate: float, black_score: float | None) -> float | None:
    """The score, or an even one where it contradicts the win rate: the heads of a network may differ a little."""
    if black_score is None:
        return None
    return float(black_score) if (black_winrate - 0.5) * black_score > 0 else 0.0


def color_word(color: Color) -> str:
    """`black` or `white`."""
    return "black" if color == BLACK else "white"


def line_text(line: Sequence[int], size: int) -> str:
    """A line of moves as vertices: `D4 E5 pass`."""
    return " ".join(vertex_text(move, size) for move in line)
