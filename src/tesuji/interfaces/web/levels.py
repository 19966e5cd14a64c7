"""Levels a person understands: fewer descents and a softer choice below, time to think above."""

from dataclasses import dataclass


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
    """Result of a match with its command in docs/results.md; empty where none was played."""


LEVELS = (
    Level("first", "First game", "Forgiving: often plays a second-best move.", visits=0, temperature=1.6),
    Level("beginner", "Beginner", "Plays by instinct, with slips.", visits=0, temperature=1.0),
    Level("casual", "Casual", "Plays by instinct: the network's first thought.", visits=0),
    Level("club", "Club", "Reads a little before each move.", visits=24),
    Level("strong", "Strong", "Reads a hundred lines a move.", visits=100),
    Level("expert", "Expert", "Reads four hundred lines a move.", visits=400),
    Level("full", "Full strength", "Uses all the time you give it.", visits=0, timed=True),
)
DEFAULT_LEVEL = "strong"


def level(key: str) -> Level:
    """The level of this key. Raises `ValueError` naming the known ones."""
    for candidate in LEVELS:
        if candidate.key == key:
            return candidate
    raise ValueError(f"no level '{key[:40]}'; known: {', '.join(known.key for known in LEVELS)}")
