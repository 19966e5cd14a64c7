"""Levels a person understands: fewer descents and a softer choice below, time to think above."""

from dataclasses import dataclass
from typing import Any

from tesuji.base.errors import InputError


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
    """Results on 9x9, as `benchmarks/levels.py` prints them (docs/results.md); empty where none were played."""

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
    Level("first", "First game", "Forgiving: any of a dozen moves that come to its mind.", visits=0, temperature=3.0),
    Level(
        "beginner",
        "Beginner",
        "Plays by instinct, with many slips.",
        visits=0,
        temperature=1.8,
        measured="Wins 86 of 100 games against First game (2 drawn), 2 of 40 against GNU Go 3.8.",
    ),
    Level(
        "improver",
        "Improver",
        "Plays by instinct, with some slips.",
        visits=0,
        temperature=0.9,
        measured="Wins 89 of 100 games against Beginner (3 drawn), 9 of 21 against GNU Go 3.8 (1 drawn).",
    ),
    Level(
        "casual",
        "Casual",
        "Plays by instinct: the network's first thought.",
        visits=0,
        measured="Wins 84 of 100 games against Improver (1 drawn), 75 of 100 against GNU Go 3.8 (3 drawn).",
    ),
    Level(
        "club",
        "Club",
        "Reads a dozen positions before each move.",
        visits=12,
        measured="Wins 83 of 100 games against Casual (5 drawn).",
    ),
    Level(
        "strong",
        "Strong",
        "Reads fifty positions a move.",
        visits=50,
        measured="Wins 79 of 100 games against Club (5 drawn).",
    ),
    Level(
        "expert",
        "Expert",
        "Reads two hundred positions a move.",
        visits=200,
        measured="Wins 77 of 100 games against Strong (7 drawn).",
    ),
    Level(
        "full",
        "Full strength",
        "Uses all the time you give it.",
        visits=0,
        timed=True,
        measured="With one second a move it wins 97 of 100 games against GNU Go 3.8 (3 drawn).",
    ),
)
DEFAULT_LEVEL = "strong"


def level(key: str) -> Level:
    """The level of this key. Raises `ValueError` naming the known ones."""
    for candidate in LEVELS:
        if candidate.key == key:
            return candidate
    raise InputError(f"no level '{key[:40]}'; known: {', '.join(known.key for known in LEVELS)}")
