"""What is kept of a search at one position. Small enough to keep for every move of a game."""

from dataclasses import asdict, dataclass
from typing import Any

from tesuji import BLACK, WHITE, Color
from tesuji.go.results import black_lead, winner_of
from tesuji.interfaces.engine.mind import KomiCurve, Opinion
from tesuji.reviews.analysis import Analysis, Candidate, agreeing
from tesuji.search.result import RootMove, SearchResult

KEPT_MOVES, SAVED_MOVES = 12, 5
KEPT_LINE = 12  # moves of a variation


@dataclass(frozen=True)
class Finding:
    """The outcome of a search at one position."""

    white_winrate: float
    visits: int
    moves: tuple[RootMove, ...] = ()
    """The moves that were looked at, most visited first."""
    black_score: float | None = None
    """Black's lead in points, komi taken off."""
    black_ownership: list[float] | None = None
    """By point, from -1 (White's) to 1 (Black's)."""
    policy: list[float] | None = None
    """What the network alone would play: a share for each point, then pass."""
    komi_curve: KomiCurve | None = None
    speed: float = 0.0
    """Descents a second."""
    depth: int = 0

    @classmethod
    def of(cls, result: SearchResult, opinion: Opinion | None = None) -> "Finding":
        """What the page keeps of a search, and of the network's first thought."""
        seen = [move for move in result.moves if move.visits > 0][:KEPT_MOVES] or list(result.moves[:1])
        owned = result.black_ownership
        return cls(
            white_winrate=float(result.white_winrate),
            visits=result.root_visits,
            moves=tuple(move.shortened(KEPT_LINE) for move in seen),
            black_score=result.black_score,
            black_ownership=None if owned is None else [round(float(value), 2) for value in owned.reshape(-1)],
            policy=opinion.policy if opinion else None,
            komi_curve=opinion.komi_curve if opinion else None,
            speed=result.descents_per_second,
            depth=result.depth,
        )

    @classmethod
    def of_finished(cls, result: str) -> "Finding":
        """The position at the end of a game, known without search."""
        share = {BLACK: 0.0, WHITE: 1.0, None: 0.5}[winner_of(result)]
        return cls(white_winrate=share, visits=1, black_score=black_lead(result))

    def winrate(self, color: Color) -> float:
        """The win rate of this colour."""
        return 1 - self.white_winrate if color == BLACK else self.white_winrate

    def as_analysis(self, size: int, to_play: Color) -> Analysis | None:
        """The same as a review sees it; None where no move was looked at."""
        if not self.moves:
            return None
        candidates = tuple(
            Candidate(one.move, one.visits, one.value, one.black_score, one.prior, one.pv) for one in self.moves
        )
        owned = None if self.black_ownership is None else tuple(self.black_ownership)
        share = 1 - self.white_winrate
        return Analysis(size, to_play, self.visits, share, agreeing(share, self.black_score), candidates, (), owned)

    def as_dict(self) -> dict[str, Any]:
        """What the file on disk keeps: a few moves, none of what one search can find again."""
        return {
            "white_winrate": self.white_winrate,
            "visits": self.visits,
            "black_score": self.black_score,
            "moves": [asdict(move) for move in self.moves[:SAVED_MOVES]],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Finding":
        """From what `as_dict` gave."""
        moves = tuple(RootMove(**{**one, "pv": tuple(one["pv"])}) for one in data["moves"])
        return cls(**{**data, "moves": moves})
