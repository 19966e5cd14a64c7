"""What can be wrong with a move."""

from tesuji._core import Color
from tesuji.base.errors import InputError


class IllegalMoveError(InputError):
    """A move the rules forbid; the message names the move, the rule and the position."""

    __module__ = "tesuji"  # the name by which users catch it

    def __init__(self, move: str, color: Color, reason: str, diagram: str) -> None:
        super().__init__(f"{color.name.lower()} {move} is illegal: {reason}\n{diagram}")
        self.move = move
        self.color = color
        self.reason = reason
        self.diagram = diagram

    def __reduce__(self) -> tuple[type, tuple[str, Color, str, str]]:
        """Travels between processes with all it says."""
        return IllegalMoveError, (self.move, self.color, self.reason, self.diagram)
