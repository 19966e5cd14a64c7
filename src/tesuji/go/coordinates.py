"""Every way to write a move, and the conversions between them; nobody else converts coordinates.

Inside Tesuji a point is a number, row-major from the top left, and a move is a point or `PASS`. The other forms, for
the point D4 and for a pass on a 9x9 board:

| form                  | D4       | pass        | used by                                                    |
|-----------------------|----------|-------------|------------------------------------------------------------|
| point number          | `48`     | `-1`        | `Game`, `Board`, search, this package everywhere           |
| GTP vertex            | `"D4"`   | `"pass"`    | people, GTP, the analysis protocol; row 1 below, no column I |
| row, column           | `(5, 3)` | none        | arrays `[..., N, N]`: row 0 on top, column 0 on the left   |
| SGF letters           | `"df"`   | `""`, `"tt"` | SGF files: column, then row from the top; `tt` up to 19x19 |
| policy index          | `48`     | `81`        | network policies `[N*N + 1]`; `games.data` at 19x19        |
"""

from collections.abc import Iterable

from tesuji._core import PASS, parse_vertex, vertex_text
from tesuji.base.errors import InputError
from tesuji.go.errors import PointError

__all__ = [
    "from_policy_index",
    "from_sgf",
    "parse_vertex",
    "point_at",
    "points_from_sgf",
    "policy_index",
    "row_column",
    "sgf_letters",
    "vertex_text",
]

_LETTERS = "abcdefghijklmnopqrstuvwxy"


def point_at(row: int, column: int, size: int) -> int:
    """The point in this row (0 on top) and column (0 on the left)."""
    if not (0 <= row < size and 0 <= column < size):
        raise InputError(f"row {row}, column {column} is outside a {size}x{size} board")
    return row * size + column


def row_column(point: int, size: int) -> tuple[int, int]:
    """Row (0 on top) and column (0 on the left) of a point."""
    if not 0 <= point < size * size:
        raise InputError(f"{point} is not a point of a {size}x{size} board")
    return divmod(point, size)


def policy_index(move: int, size: int) -> int:
    """Where a network's policy speaks of this move: its point number, or N*N for a pass."""
    if move == PASS:
        return size * size
    row_column(move, size)
    return move


def from_policy_index(index: int, size: int) -> int:
    """The move at this index of a policy."""
    if not 0 <= index <= size * size:
        raise InputError(f"{index} is not a policy index of a {size}x{size} board")
    return PASS if index == size * size else index


def from_sgf(letters: str, size: int) -> int:
    """The move that SGF writes so; `""` passes, and so does `tt` where it is not a point of the board."""
    if letters == "" or (letters == "tt" and size <= 19):
        return PASS
    column, row = (_LETTERS.find(letter) for letter in letters) if len(letters) == 2 else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        raise PointError(letters, size)
    return row * size + column


def sgf_letters(move: int, size: int) -> str:
    """SGF letters of a move; a pass is `""`."""
    if move == PASS:
        return ""
    row, column = row_column(move, size)
    return _LETTERS[column] + _LETTERS[row]


def points_from_sgf(values: Iterable[str], size: int) -> set[int]:
    """The points of an SGF list, `aa` or compressed to a rectangle of corners `aa:cc`."""
    points: set[int] = set()
    for value in values:
        first, colon, last = value.partition(":")
        corners = [from_sgf(first, size), from_sgf(last if colon else first, size)]
        if PASS in corners:
            raise PointError(value, size)
        (top, left), (bottom, right) = (row_column(corner, size) for corner in corners)
        if top > bottom or left > right:
            raise PointError(value, size, "a rectangle: the top left corner comes first")
        points |= {row * size + column for row in range(top, bottom + 1) for column in range(left, right + 1)}
    return points
