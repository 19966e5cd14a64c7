"""The arguments of a command, read one after the other."""

import math
from collections.abc import Sequence

from tesuji import BLACK, PASS, WHITE, Color
from tesuji.go.coordinates import parse_vertex
from tesuji.interfaces.gtp.protocol import GtpError

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_SHOWN = 40  # of a word quoted in an error


class Arguments:
    """Arguments in the order they came; every reader takes one and says what was expected when it does not fit."""

    def __init__(self, words: Sequence[str], text: str = "") -> None:
        self._words = list(words)
        self.text = text
        """The arguments as one string, as they came."""

    def __bool__(self) -> bool:
        return bool(self._words)

    def word(self, what: str) -> str:
        """The next argument as it is."""
        if not self._words:
            raise GtpError("syntax error", f"expected {what}")
        return self._words.pop(0)

    def peek(self) -> str:
        """The next argument, left in place; empty when there is none."""
        return self._words[0] if self._words else ""

    def rest(self) -> list[str]:
        """All that is left."""
        words, self._words = self._words, []
        return words

    def end(self) -> None:
        """Nothing may follow."""
        if self._words:
            raise GtpError("syntax error", f"unexpected '{shown(self._words[0])}'")

    def color(self) -> Color:
        """A player."""
        word = self.word("a color")
        if word.lower() not in _COLORS:
            raise GtpError("invalid color or coordinate", f"'{shown(word)}' is not b, w, black or white")
        return _COLORS[word.lower()]

    def is_color(self) -> bool:
        """Whether a player comes next."""
        return self.peek().lower() in _COLORS

    def is_number(self) -> bool:
        """Whether an unsigned integer comes next."""
        return self.peek().isascii() and self.peek().isdigit()

    def move(self, size: int) -> int:
        """A vertex or a pass."""
        word = self.word("a vertex")
        try:
            return parse_vertex(word, size)
        except ValueError:
            reason = f"no point '{shown(word)}' on a {size}x{size} board"
            raise GtpError("invalid color or coordinate", reason) from None

    def point(self, size: int) -> int:
        """A vertex that is not a pass."""
        word = self.peek()
        move = self.move(size)
        if move == PASS:
            raise GtpError("invalid color or coordinate", f"'{shown(word)}' where a point is needed")
        return move

    def integer(self, what: str, low: int = -(2**31), high: int = 2**31, refusal: str = "syntax error") -> int:
        """A whole number within these bounds."""
        word = self.word(what)
        try:
            number = int(word) if len(word) <= 12 else None
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise GtpError(refusal, f"{what} not an integer from {low} to {high}: '{shown(word)}'")
        return number

    def number(self, what: str, low: float = -1e9, high: float = 1e9) -> float:
        """A finite number within these bounds."""
        word = self.word(what)
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        if not low <= number <= high:  # also false for nan
            raise GtpError("syntax error", f"{what} not a number from {low:g} to {high:g}: '{shown(word)}'")
        return number


def shown(word: str) -> str:
    """A word short enough to be quoted."""
    return word if len(word) <= _SHOWN else word[:_SHOWN] + "..."
