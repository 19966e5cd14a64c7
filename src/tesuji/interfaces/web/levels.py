"""Levels a person understands: fewer descents and a softer choice below, time to think above."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Level:
    """How strongly the engine plays; the strength is stated only where it was measured."""

    key: str
    name: str
    summary: str
    visits: int
    """Descents a move; 0 plays from the network's policy alone."""
    temperature: float = 0.0
    """Softness of the choice: 0 plays the best move, 1 as often as the network would."""
    timed: bool = False
    """Thinks for the chosen seconds instead of a number of descents."""
    measured: str = ""
    """Result of matches on 9x9 by `benchmarks/levels.py`, which prints it; empty where none was played."""

    @property
    def reads(self) -> bool:
        """Whether it searches: a player by instinct knows too little of the game to resign it."""
        return self.timed or self.visits > 0

    @property
    def search(self) -> dict[str, Any]:
        """Its search options, the same on the page and in the matches that measure it."""
        if self.timed:
            return {"early_stop": True}
        if self.visits:
            # One leaf after the other: for so few descents a batch costs strength and gains no time.
            return {"visits": self.visits, "batch": 1, "early_stop": True}
        return {"visits": 1, "batch": 1, "reuse": False, "choice": "soft-prior", "temperature": self.temperature}


LEVELS = (
    Level("first", "First game", "Forgiving: any of a dozen moves that come to its mind.", visits=0, temperature=4.0),
    Level("beginner", "Beginner", "Plays by instinct, with many slips.", visits=0, temperature=1.8),
    Level("improver", "Improver", "Plays by instinct, with some slips.", visits=0, temperature=0.9),
    Level("casual", "Casual", "Plays by instinct: the network's first thought.", visits=0),
    Level("club", "Club", "Reads a dozen positions before each move.", visits=12),
    Level("strong", "Strong", "Reads fifty positions a move.", visits=50),
    Level("expert", "Expert", "Reads two hundred positions a move.", visits=200),
    Level("full", "Full strength", "Uses all the time you give it.", visits=0, timed=True),
)
DEFAULT_LEVEL = "strong"


def level(key: str) -> Level:
    """The level of this key. Raises `ValueError` naming the known ones."""
    for candidate in LEVELS:
        if candidate.key == key:
            return candidate
    raise ValueError(f"no level '{key[:40]}'; known: {', '.join(known.key for known in LEVELS)}")
