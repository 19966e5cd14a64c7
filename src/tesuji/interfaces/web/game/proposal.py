"""What to play next: a first game for how strong one is, and the next one after a game.

Ranks are a rough guide and nothing that was measured: GNU Go 3.8, against which the levels were, is commonly put at
about 8 to 10 kyu.
"""

from dataclasses import dataclass, replace

from tesuji import BLACK, Game
from tesuji.go.results import winner_of
from tesuji.go.rules import usual_komi
from tesuji.interfaces.web.game.levels import HUMAN_LEVELS, LEVELS, level
from tesuji.interfaces.web.game.setup import Seat, Setup

STEP_AFTER = 2  # wins or losses in a row after which another level is offered


@dataclass(frozen=True)
class Proposal:
    """A game that should be even."""

    key: str
    level: str
    size: int = 9
    handicap: int = 0


PROPOSALS = (
    Proposal("new", "newcomer"),
    Proposal("kyu30", "beginner", handicap=2),
    Proposal("kyu20", "beginner"),
    Proposal("kyu14", "improver"),
    Proposal("kyu9", "casual"),
    Proposal("kyu4", "club"),
    Proposal("dan1", "strong", size=19),
    Proposal("dan4", "full", size=19),
)
"""From who never played to who plays better than most; the words for each are in the table."""


def rematch(setup: Setup, step: int = 0) -> Setup:
    """The same again with colours changed, unless stones were given; the engine so many levels up or down."""
    black, white = _stepped(setup.black, step), _stepped(setup.white, step)
    if not setup.handicap:
        black, white = white, black
    komi = setup.komi if setup.handicap else usual_komi(setup.size, setup.rules)
    return replace(setup, black=black, white=white, komi=komi)


def begins_with(setup: Setup, game: Game, *, played: bool) -> tuple[int, float]:
    """Handicap and komi to propose for a new game: those of the game that was played here before.

    A record's are nothing to go by, nor is the komi of a game with stones that cannot be given again.
    """
    if played and (setup.handicap or not game.has_handicap):
        return setup.handicap, setup.komi
    return 0, usual_komi(setup.size, setup.rules)


def _stepped(seat: Seat, step: int) -> Seat:
    if seat.kind != "engine" or not step:
        return seat
    keys = [one.key for one in (HUMAN_LEVELS if level(seat.level).human else LEVELS)]
    return replace(seat, level=keys[max(0, min(len(keys) - 1, keys.index(seat.level) + step))])


def streak_after(streak: int, setup: Setup, result: str) -> int:
    """Wins in a row of a person against the engine, losses as negative numbers; other games leave it alone."""
    winner = winner_of(result)
    if winner is None or setup.black.kind == setup.white.kind:
        return streak
    person = setup.black.kind == "human"
    won = (winner == BLACK) == person
    return max(streak, 0) + 1 if won else min(streak, 0) - 1


def step_offered(streak: int, setup: Setup) -> int:
    """One level up for who keeps winning, one down for who keeps losing; 0 where it fits or there is no other."""
    engines = [seat for seat in (setup.black, setup.white) if seat.kind == "engine"]
    if len(engines) != 1 or abs(streak) < STEP_AFTER:
        return 0
    step = 1 if streak > 0 else -1
    return step if _stepped(engines[0], step) != engines[0] else 0
