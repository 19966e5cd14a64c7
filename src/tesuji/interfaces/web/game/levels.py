"""Levels a person understands: fewer descents and a softer choice below, time to think above."""

from dataclasses import dataclass
from typing import Any

from tesuji.base.errors import InputError
from tesuji.interfaces.web.words.words import Words, english

GNUGO = "GNU Go 3.8"


@dataclass(frozen=True)
class Score:
    """How a level did in a match on 9x9."""

    opponent: str
    """Key of a level, or the name of another program."""
    wins: int
    games: int
    drawn: int = 0
    seconds: float = 0.0
    """A move, where the level was given time."""

    def in_words(self, words: Words) -> str:
        """`86 of 100 games against First game (2 drawn)`."""
        other = self.opponent if self.opponent == GNUGO else level(self.opponent).title(words)
        key = "level.result_drawn" if self.drawn else "level.result"
        told = words(key, wins=self.wins, games=self.games, opponent=other, drawn=self.drawn)
        return words("level.timed_result", count=self.seconds, result=told) if self.seconds else told


@dataclass(frozen=True)
class Level:
    """How strongly the engine plays; the strength is stated only where it was measured. Its words are in the table."""

    key: str
    visits: int
    """Descents a move; 0 plays from the network's policy alone."""
    temperature: float = 0.0
    """Softness of the choice: 0 plays the best move, 1 as often as the network would."""
    timed: bool = False
    """Thinks for the chosen seconds instead of a number of descents."""
    measured: tuple[Score, ...] = ()
    """As `benchmarks/levels.py` prints them (docs/results.md); empty where none were played."""

    @property
    def name(self) -> str:
        """Its English name, as records and matches have it."""
        return self.title(english())

    def title(self, words: Words) -> str:
        """What a visitor calls it."""
        return words(f"level.{self.key}")

    def about(self, words: Words) -> str:
        """How it plays, in a sentence."""
        return words(f"level.{self.key}_about")

    def strength(self, words: Words) -> str:
        """How it did in matches; empty where none were played."""
        told = ", ".join(score.in_words(words) for score in self.measured)
        return words("level.measured", results=told) if told else ""

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
    Level("first", visits=0, temperature=3.0),
    Level("beginner", visits=0, temperature=1.8, measured=(Score("first", 86, 100, 2), Score(GNUGO, 2, 40))),
    Level("improver", visits=0, temperature=0.9, measured=(Score("beginner", 89, 100, 3), Score(GNUGO, 9, 21, 1))),
    Level("casual", visits=0, measured=(Score("improver", 84, 100, 1), Score(GNUGO, 75, 100, 3))),
    Level("club", visits=12, measured=(Score("casual", 83, 100, 5),)),
    Level("strong", visits=50, measured=(Score("club", 79, 100, 5),)),
    Level("expert", visits=200, measured=(Score("strong", 77, 100, 7),)),
    Level("full", visits=0, timed=True, measured=(Score(GNUGO, 97, 100, 3, seconds=1),)),
)
DEFAULT_LEVEL = "strong"


def level(key: str) -> Level:
    """The level of this key. Raises `ValueError` naming the known ones."""
    for candidate in LEVELS:
        if candidate.key == key:
            return candidate
    raise InputError(f"no level '{key[:40]}'; known: {', '.join(known.key for known in LEVELS)}")
