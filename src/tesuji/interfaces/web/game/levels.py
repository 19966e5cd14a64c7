"""Levels a person understands: fewer descents and a softer choice below, time to think above."""

from dataclasses import dataclass
from typing import Any

from tesuji.base.errors import InputError
from tesuji.interfaces.web.words.words import Words, english
from tesuji.networks.library import HUMAN
from tesuji.search.instinct import by_instinct, people_temperature

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
    """A name, perhaps with a grade: `improver-2` is called as `improver` is, and plays a little better."""
    visits: int
    """Descents a move; 0 plays from the network's policy alone."""
    temperature: float = 0.0
    """Softness of the choice: 0 plays the best move, 1 as often as the network would."""
    anywhere: bool = False
    """Plays any move softly, not only the network's favourites."""
    human: str = ""
    """Rank of the people it plays like, on 9x9; empty for the engine's own play."""
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
        if self.human:
            return words("level.human_dan" if self.human.endswith("d") else "level.human_kyu", rank=self.human[:-1])
        plain, _, grade = self.key.partition("-")
        return words(f"level.{plain}") + (f" {grade}" if grade else "")

    def about(self, words: Words) -> str:
        """How it plays, in a sentence."""
        if self.human:
            return words("level.human_about")
        if self.visits:
            return words("level.reads", count=self.visits)
        return words(f"level.{self.key.partition('-')[0]}_about")

    def strength(self, words: Words) -> str:
        """How it did in matches; empty where none were played."""
        told = words.listed(score.in_words(words) for score in self.measured)
        return words("level.measured", results=told) if told else ""

    @property
    def reads(self) -> bool:
        """Whether it searches: a player by instinct knows too little of the game to resign it."""
        return self.timed or self.visits > 0

    @property
    def network(self) -> str:
        """The network it needs; empty where any will do."""
        return f"{HUMAN}@{self.human}" if self.human else ""

    def plays(self, size: int) -> bool:
        """Whether it plays a board of so many lines."""
        return not self.human or size == HUMAN_SIZE

    def check_board(self, size: int) -> None:
        """Raises `ValueError` where it does not play this board."""
        if not self.plays(size):
            raise InputError(f"'{self.name}' plays {HUMAN_SIZE}x{HUMAN_SIZE} alone; choose another level or that board")

    @property
    def search(self) -> dict[str, Any]:
        """Its search options, the same on the page and in the matches that measure it."""
        if self.timed:
            return {"early_stop": True}
        if self.visits:
            # One leaf after the other: for so few descents a batch costs strength and gains no time.
            return {"visits": self.visits, "batch": 1, "early_stop": True}
        return by_instinct(self.temperature, anywhere=self.anywhere)


LEVELS = (
    Level("newcomer", visits=0, temperature=7.0, anywhere=True),
    Level("newcomer-2", visits=0, temperature=6.0, anywhere=True, measured=(Score("newcomer", 41, 60),)),
    Level("newcomer-3", visits=0, temperature=5.2, anywhere=True, measured=(Score("newcomer-2", 39, 60),)),
    Level("newcomer-4", visits=0, temperature=4.5, anywhere=True, measured=(Score("newcomer-3", 37, 60),)),
    Level("newcomer-5", visits=0, temperature=3.9, anywhere=True, measured=(Score("newcomer-4", 45, 60),)),
    Level("newcomer-6", visits=0, temperature=3.4, anywhere=True, measured=(Score("newcomer-5", 43, 60, 1),)),
    Level("newcomer-7", visits=0, temperature=2.95, anywhere=True, measured=(Score("newcomer-6", 44, 60, 1),)),
    Level("newcomer-8", visits=0, temperature=2.55, anywhere=True, measured=(Score("newcomer-7", 45, 60, 1),)),
    Level("newcomer-9", visits=0, temperature=2.2, anywhere=True, measured=(Score("newcomer-8", 44, 60),)),
    Level("first", visits=0, temperature=3.0, measured=(Score("newcomer-9", 46, 60),)),
    Level("first-2", visits=0, temperature=2.45, measured=(Score("first", 44, 60, 1),)),
    Level("beginner", visits=0, temperature=1.8, measured=(Score("first-2", 40, 60, 1),)),
    Level("beginner-2", visits=0, temperature=1.55, measured=(Score("beginner", 46, 60),)),
    Level("beginner-3", visits=0, temperature=1.25, measured=(Score("beginner-2", 38, 60, 1),)),
    Level("improver", visits=0, temperature=1.05, measured=(Score("beginner-3", 42, 60, 1),)),
    Level("improver-2", visits=0, temperature=0.9, measured=(Score("improver", 41, 60),)),
    Level("improver-3", visits=0, temperature=0.62, measured=(Score("improver-2", 42, 60, 2),)),
    Level("casual", visits=0, measured=(Score("improver-3", 38, 60, 4),)),
    Level("casual-2", visits=5, measured=(Score("casual", 37, 60, 4),)),
    Level("club", visits=12, measured=(Score("casual-2", 40, 60, 3),)),
    Level("club-2", visits=30, measured=(Score("club", 44, 60, 3),)),
    Level("strong", visits=75, measured=(Score("club-2", 37, 60, 7),)),
    Level("strong-2", visits=190, measured=(Score("strong", 36, 60, 7),)),
    Level("expert", visits=475, measured=(Score("strong-2", 41, 60, 7),)),
    Level("full", visits=0, timed=True, measured=(Score(GNUGO, 97, 100, 3, seconds=1),)),
)
HUMAN_SIZE = 9
HUMAN_RANKS = ("18k", "12k", "6k", "1k", "1d")
HUMAN_SCORES = {
    "12k": Score("human-18k", 69, 100, 3),
    "6k": Score("human-12k", 81, 100, 1),
    "1k": Score("human-6k", 67, 100, 5),
    "1d": Score("human-1k", 295, 600, 38),
}
HUMAN_LEVELS = tuple(
    Level(
        f"human-{rank}",
        visits=0,
        temperature=people_temperature(rank),
        human=rank,
        measured=(HUMAN_SCORES[rank],) if rank in HUMAN_SCORES else (),
    )
    for rank in HUMAN_RANKS
)
EVERY_LEVEL = LEVELS + HUMAN_LEVELS
DEFAULT_LEVEL = "strong"


def levels_for(size: int) -> list[Level]:
    """The levels to choose from on a board of so many lines."""
    return [one for one in EVERY_LEVEL if one.plays(size)]


def level(key: str) -> Level:
    """The level of this key. Raises `ValueError` naming the known ones."""
    for candidate in EVERY_LEVEL:
        if candidate.key == key:
            return candidate
    raise InputError(f"no level '{key[:40]}'; known: {', '.join(known.key for known in EVERY_LEVEL)}")
