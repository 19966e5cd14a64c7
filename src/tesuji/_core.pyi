"""
The compiled core: rules, ladders, planes, records and the search tree.
"""

from collections.abc import Iterable
import enum


class Color(enum.IntEnum):
    """The colour of a stone or a player."""

    BLACK = 1

    WHITE = 2

BLACK: Color = Color.BLACK

WHITE: Color = Color.WHITE

PASS: int = -1

def parse_vertex(text: str, size: int) -> int:
    """Point number of a GTP vertex such as 'D4'; PASS for 'pass'."""

def vertex_text(move: int, size: int) -> str:
    """GTP vertex of a point number; 'pass' for PASS."""

class Board:
    """Stones on a board: chains, liberties, captures and simple ko."""

    def __init__(self, size: int = 19) -> None: ...

    @staticmethod
    def from_diagram(diagram: str) -> Board:
        """A board drawn with . X (black) and O (white), one row a line."""

    @property
    def size(self) -> int: ...

    @property
    def hash(self) -> int:
        """Zobrist hash of the stones."""

    @property
    def ko(self) -> int | None:
        """The point a simple ko forbids to the next player, or None."""

    def play(self, move: int | str, color: Color) -> int:
        """
        Plays a stone; returns the stones captured, negative for own stones lost by suicide.
        """

    def undo(self) -> None:
        """Takes the last move back."""

    def copy(self) -> Board: ...

    def at(self, point: int | str) -> Color | None:
        """Colour of the stone there, or None."""

    def stones(self, color: Color) -> list[int]:
        """Points with stones of that colour, in order."""

    def liberties(self, point: int | str) -> int:
        """Number of liberties of the chain there."""

    def liberty_points(self, point: int | str) -> list[int]:
        """Liberties of the chain there, in order."""

    def chain(self, point: int | str) -> list[int]:
        """Stones of the chain there, in order."""

    def is_captured(self, point: int | str, to_play: Color) -> bool:
        """Is the chain there lost in a ladder when `to_play` moves first?"""

    def area_owners(self) -> list[Color | None]:
        """Colour owning each point by area, None where neutral."""

    def area_score(self) -> int:
        """Black's area minus White's."""

    def pass_alive(self, color: Color) -> tuple[list[int], list[int]]:
        """Benson's unconditionally alive stones, and the points they enclose."""

    def diagram(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def count_ladders(board: Board) -> tuple[int, int]:
    """
    Chains of one or two liberties, and how many of them are caught when the opponent moves first.
    """

class Rules:
    """
    A ko rule, whether suicide of two or more stones is allowed, and how to count.
    """

    def __init__(self, *, ko: str = 'positional', suicide: bool = False, scoring: str = 'area') -> None: ...

    @staticmethod
    def named(name: str) -> Rules:
        """tromp-taylor, chinese, aga, new-zealand, japanese or korean."""

    @property
    def name(self) -> str:
        """Name of the rule set; empty when it has none."""

    @property
    def ko(self) -> str: ...

    @property
    def suicide(self) -> bool: ...

    @property
    def scoring(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Game:
    """
    A board with its history: turns, superko, passes, handicap, komi and result.
    """

    def __init__(self, size: int = 19, komi: float = 7.5, rules: str | Rules = 'tromp-taylor') -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def komi(self) -> float: ...

    @komi.setter
    def komi(self, arg: float, /) -> None: ...

    @property
    def rules(self) -> Rules: ...

    @rules.setter
    def rules(self, arg: str | Rules, /) -> None: ...

    @property
    def to_play(self) -> Color: ...

    @to_play.setter
    def to_play(self, arg: Color, /) -> None: ...

    @property
    def moves(self) -> list[tuple[Color, int]]:
        """The moves so far as (colour, move) pairs."""

    @property
    def move_count(self) -> int: ...

    @property
    def passes(self) -> int:
        """Consecutive passes at the end."""

    @property
    def handicap(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def hash(self) -> int:
        """Identifies stones, player to move, ko, passes and recent positions."""

    @property
    def board(self) -> Board:
        """A copy of the current board."""

    @property
    def start_board(self) -> Board:
        """The board before the first move."""

    @property
    def start_to_play(self) -> Color: ...

    def captured(self, color: Color) -> int:
        """Stones captured by that colour."""

    def play(self, move: int | str, color: Color | None = None) -> None:
        """
        Plays a vertex or point number; raises IllegalMoveError and changes nothing if the rules forbid it.
        """

    def is_legal(self, move: int | str, color: Color | None = None) -> bool: ...

    def legal_moves(self, color: Color | None = None) -> list[int]:
        """Legal point numbers in order, then PASS."""

    def undo(self) -> None:
        """Takes the last move, or a resignation, back."""

    def resign(self, color: Color) -> None: ...

    def copy(self) -> Game: ...

    def __copy__(self) -> Game: ...

    def __deepcopy__(self, arg: object, /) -> Game: ...

    def place_handicap(self, stones: int) -> list[int]:
        """Places a fixed handicap and returns its points."""

    def set_handicap(self, points: Iterable[int | str]) -> None:
        """Black stones placed before White's first move."""

    def setup(self, black: Iterable[int | str] = [], white: Iterable[int | str] = [], to_play: Color = Color.BLACK) -> None:
        """Starts anew from these stones."""

    def black_score(self, dead: Iterable[int | str] | None = None) -> float:
        """
        Black's lead by the rules, komi taken off; `dead` stones are removed first.
        """

    def result(self) -> str | None:
        """'B+3.5', 'W+R', '0' for a draw, None while running."""

    def vertex(self, move: int | str) -> str:
        """Text of a move."""

    def diagram(self) -> str: ...

    def __repr__(self) -> str: ...

def play_out(game: Game, seed: int, max_moves: int = 10000) -> int:
    """
    Plays uniformly random moves (own one-point eyes left alone) to the end; returns their number.
    """

class PlaneSet:
    """What a network sees of a position: named channels of zeros and ones."""

    @staticmethod
    def named(name: str) -> PlaneSet:
        """The plane set of this name."""

    @staticmethod
    def names() -> list[str]:
        """The names of all plane sets."""

    @property
    def name(self) -> str: ...

    @property
    def channels(self) -> int:
        """How many planes it has."""

    @property
    def channel_names(self) -> list[str]:
        """What each plane shows."""

    def __repr__(self) -> str: ...
