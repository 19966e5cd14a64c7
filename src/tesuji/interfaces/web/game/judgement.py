"""What is known about one position: win rate, score, candidate moves. Small enough to keep for every move of a game."""

from dataclasses import asdict, dataclass, field
from typing import Any

from tesuji import BLACK, Color


@dataclass(frozen=True)
class Candidate:
    """One move that was looked at, seen by the player to move."""

    move: int
    visits: int
    winrate: float
    prior: float
    pv: list[int] = field(default_factory=list)
    """The moves expected after it, itself first."""
    black_score: float | None = None
    """Black's lead in points below it, where the network tells a score."""


@dataclass(frozen=True)
class Judgement:
    """The outcome of a search at one position."""

    white_winrate: float
    visits: int
    candidates: list[Candidate] = field(default_factory=list)
    """Most visited first."""
    black_score: float | None = None
    """Black's lead in points, komi taken off."""
    black_ownership: list[float] | None = None
    """By point, from -1 (White's) to 1 (Black's)."""
    policy: list[float] | None = None
    """What the network alone would play: a share for each point, then pass."""
    komi_curve: list[tuple[float, float]] | None = None
    """Pairs of komi and Black's win probability there."""
    picture: str = ""
    """The search tree as SVG."""
    speed: float = 0.0
    """Descents a second."""
    depth: int = 0

    def winrate(self, color: Color) -> float:
        """The win rate of this colour."""
        return 1 - self.white_winrate if color == BLACK else self.white_winrate

    def as_dict(self) -> dict[str, Any]:
        """What the file on disk keeps: a few candidates, none of what one search can find again."""
        return {
            "white_winrate": self.white_winrate,
            "visits": self.visits,
            "black_score": self.black_score,
            "candidates": [asdict(candidate) for candidate in self.candidates[:5]],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Judgement":
        """From what `as_dict` gave."""
        return cls(**{**data, "candidates": [Candidate(**one) for one in data["candidates"]]})
