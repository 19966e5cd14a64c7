"""What can be wrong with a move or a point."""

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


class RecordedMoveError(InputError):
    """A move of a record that the rules forbid; the message names its number, the move and the rule."""

    def __init__(self, number: int, color: Color, move: str, reason: str) -> None:
        super().__init__(f"move {number}, {color.name.capitalize()} {move}: {reason}")
        self.number = number
        self.color = color
        self.move = move
        self.reason = reason

    def __reduce__(self) -> tuple[type, tuple[int, Color, str, str]]:
        """Travels between processes with all it says."""
        return RecordedMoveError, (self.number, self.color, self.move, self.reason)


class PointError(InputError):
    """Letters of a record that name no point of its board."""

    def __init__(self, letters: str, size: int, fault: str = "") -> None:
        super().__init__(f"'{letters}' is not {fault or f'a point of a {size}x{size} board'}")
        self.letters = letters
        self.size = size
        self.fault = fault

    def __reduce__(self) -> tuple[type, tuple[str, int, str]]:
        """Travels between processes with all it says."""
        return PointError, (self.letters, self.size, self.fault)
