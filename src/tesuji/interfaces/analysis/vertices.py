"""Players, points and moves as the protocol writes them."""

import re
from typing import Any

from tesuji import BLACK, PASS, WHITE, Color
from tesuji.interfaces.analysis.messages import QueryError

Move = tuple[Color, int]
LONGEST_LIST = 10_000  # entries of one field; the longest games have 500 moves

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_LETTERED = re.compile(r"([A-HJ-Z]{1,2})([0-9]{1,3})", re.IGNORECASE)
_BRACKETED = re.compile(r"\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)")
_PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'


def player(value: object, field: str) -> Color:
    """A player; raises `QueryError`."""
    color = _COLORS.get(value.lower()) if isinstance(value, str) else None
    if color is None:
        raise QueryError('Must be "b" or "w"', field)
    return color


def point_of(text: str, size: int) -> int | None:
    """The point of a GTP vertex (columns beyond Z as AA, AB, ...) or of `(x,y)` counted from the top left."""
    if text.strip().lower() == "pass":
        return PASS
    if match := _LETTERED.fullmatch(text.strip()):
        letters = match[1].upper()
        column = _COLUMNS.index(letters[-1])
        if len(letters) == 2:
            column += len(_COLUMNS) * (_COLUMNS.index(letters[0]) + 1)
        row = size - int(match[2])
    elif match := _BRACKETED.fullmatch(text.strip()):
        column, row = int(match[1]), int(match[2])
    else:
        return None
    return row * size + column if 0 <= column < size and 0 <= row < size else None


def check_length(value: list[Any], field: str) -> None:
    """Raises `QueryError` for a list longer than any game, which every position of the query would be played from."""
    if len(value) > LONGEST_LIST:
        raise QueryError(f"Must have at most {LONGEST_LIST} entries", field)


def vertices(value: object, field: str, size: int) -> list[int]:
    """A list of points, passes among them; raises `QueryError`."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise QueryError("Must be an array of GTP board vertices", field)
    check_length(value, field)
    points = []
    for text in value:
        point = point_of(text, size)
        if point is None:
            raise QueryError(f"Could not parse board location: {text[:100]}", field)
        points.append(point)
    return points


def stones_and_moves(value: object, field: str, size: int, *, passes: bool) -> list[Move]:
    """A list of pairs of player and vertex; raises `QueryError`."""
    if not isinstance(value, list):
        raise QueryError(_PAIRS, field)
    check_length(value, field)
    moves = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            raise QueryError(_PAIRS, field)
        color = _COLORS.get(pair[0].lower())
        if color is None:
            raise QueryError(f"Could not parse player: {pair[0][:100]}", field)
        point = point_of(pair[1], size)
        if point is None or (point == PASS and not passes):
            raise QueryError(f"Could not parse board location: {pair[1][:100]}", field)
        moves.append((color, point))
    return moves
