"""A move that is to be explained: the boards before and after it, and the form an explanation has."""

from dataclasses import dataclass
from functools import cached_property

from tesuji._core import PASS, Board, Color, Game
from tesuji.go.coordinates import vertex_text

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True)
class Reason:
    """One fact about a mistake."""

    kind: str
    """`eye`, `ladder`, `atari`, `self-atari`, `capture`, `missed-ladder`, `dies`, `lives`, `area` or `pass`."""
    text: str
    points: tuple[int, ...] = ()
    """The stones or points it speaks of."""
    line: tuple[int, ...] = ()
    """The moves that show it, where it is more than the next one."""


@dataclass(frozen=True)
class Moment:
    """A move that was played, what answers it, and what would have been better."""

    before: Game
    color: Color
    move: int
    better: int
    refutation: tuple[int, ...] = ()
    """The expected moves after `move`, the opponent's first."""
    owned_better: tuple[float, ...] | None = None
    """Black's ownership by point after `better`; None where the network tells none."""
    owned_after: tuple[float, ...] | None = None
    """The same after `move`."""
    points: float | None = None
    """What the move lost; None where the network tells no score."""

    @cached_property
    def board(self) -> Board:
        """Before the move."""
        return self.before.board

    @cached_property
    def after(self) -> Board:
        """After the move."""
        return self._played(self.move)

    @cached_property
    def after_better(self) -> Board:
        """After the better move."""
        return self._played(self.better)

    def _played(self, move: int) -> Board:
        game = self.before.copy()
        game.play(move, self.color)
        return game.board

    @property
    def reply(self) -> int:
        """The opponent's next move; a pass where none is expected."""
        return self.refutation[0] if self.refutation else PASS

    def name(self, point: int) -> str:
        """A point as players write it."""
        return vertex_text(point, self.before.size)

    def worth(self, points: list[int], owned: tuple[float, ...]) -> float:
        """How much of these points the player owns: from -1 to 1."""
        sign = 1 if self.color == Color.BLACK else -1
        return sign * sum(owned[point] for point in points) / max(1, len(points))


def count_of(number: int, noun: str) -> str:
    """`one stone`, `three stones`, `14 stones`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"
