"""
The compiled core: rules, ladders, planes, records and the search tree.
"""

from collections.abc import Iterable, Sequence
import enum
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


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

    def is_eye(self, point: int | str, color: Color) -> bool:
        """Is this an empty point that is an eye of that colour?"""

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

def count_legal_positions(size: int) -> int:
    """Positions of a board up to 4x4 in which every chain has a liberty."""

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

    def __getstate__(self) -> tuple[int, bool, int]: ...

    def __setstate__(self, arg: tuple[int, bool, int], /) -> None: ...

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

    def __getstate__(self) -> tuple[int, float, Rules, list[int], list[int], Color, int, list[tuple[Color, int]], Color, Color | None]: ...

    def __setstate__(self, arg: tuple[int, float, Rules, Sequence[int], Sequence[int], Color, int, Sequence[tuple[Color, int]], Color, Color | None], /) -> None: ...

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

    @overload
    def encode_into(self, games: Sequence[Game], symmetries: Sequence[int], out: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None: ...

    @overload
    def encode_into(self, games: Sequence[Game], symmetries: Sequence[int], out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None: ...

class Target:
    """What a search or a teacher said of one position of a game."""

    @property
    def position(self) -> int:
        """Moves played before it."""

    @property
    def policy(self) -> list[tuple[int, float]]: ...

    @property
    def white_winrate(self) -> float | None: ...

    @property
    def white_score(self) -> float | None:
        """White's lead, komi counted."""

    @property
    def white_ownership(self) -> list[int]: ...

class PackedRecord:
    """One game as a packed file holds it."""

    def __init__(self) -> None: ...

    @staticmethod
    def of(game: Game, result: str | None = None) -> PackedRecord:
        """The record of a game, with its own result or the one given."""

    def game(self) -> Game:
        """The game, played to its end."""

    @property
    def size(self) -> int: ...

    @size.setter
    def size(self, arg: int, /) -> None: ...

    @property
    def komi(self) -> float | None:
        """None where unknown."""

    @komi.setter
    def komi(self, komi: float | None) -> None: ...

    @property
    def rules(self) -> Rules | None: ...

    @rules.setter
    def rules(self, rules: Rules | None) -> None: ...

    @property
    def result(self) -> str: ...

    @result.setter
    def result(self, arg: str, /) -> None: ...

    @property
    def black_rating(self) -> str: ...

    @black_rating.setter
    def black_rating(self, arg: str, /) -> None: ...

    @property
    def white_rating(self) -> str: ...

    @white_rating.setter
    def white_rating(self, arg: str, /) -> None: ...

    @property
    def handicap(self) -> int: ...

    @handicap.setter
    def handicap(self, arg: int, /) -> None: ...

    @property
    def black(self) -> list[int]:
        """Stones before the first move."""

    @black.setter
    def black(self, arg: Sequence[int], /) -> None: ...

    @property
    def white(self) -> list[int]: ...

    @white.setter
    def white(self, arg: Sequence[int], /) -> None: ...

    @property
    def first(self) -> Color:
        """Who is to play before any move."""

    @first.setter
    def first(self, arg: Color, /) -> None: ...

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Pairs of colour and point number (or PASS)."""

    @moves.setter
    def moves(self, arg: Sequence[tuple[int, int]], /) -> None: ...

    @property
    def targets(self) -> list[Target]: ...

    def add_target(self, position: int, policy: Sequence[tuple[int, float]] = [], white_winrate: float | None = None, white_score: float | None = None, white_ownership: Sequence[int] = []) -> None:
        """
        Adds what was said of the position after `position` moves; positions must rise.
        """

class Filter:
    """Which games are wanted."""

    def __init__(self) -> None: ...

    @property
    def size(self) -> int | None: ...

    @size.setter
    def size(self, size: int | None) -> None: ...

    @property
    def min_komi(self) -> float: ...

    @min_komi.setter
    def min_komi(self, arg: float, /) -> None: ...

    @property
    def max_komi(self) -> float: ...

    @max_komi.setter
    def max_komi(self, arg: float, /) -> None: ...

    @property
    def rules(self) -> Rules | None: ...

    @rules.setter
    def rules(self, rules: Rules | None) -> None: ...

    @property
    def result_known(self) -> bool: ...

    @result_known.setter
    def result_known(self, arg: bool, /) -> None: ...

    @property
    def min_moves(self) -> int: ...

    @min_moves.setter
    def min_moves(self, arg: int, /) -> None: ...

    @property
    def min_rating(self) -> str: ...

    @min_rating.setter
    def min_rating(self, arg: str, /) -> None: ...

    @property
    def min_handicap(self) -> int: ...

    @min_handicap.setter
    def min_handicap(self, arg: int, /) -> None: ...

    @property
    def max_handicap(self) -> int: ...

    @max_handicap.setter
    def max_handicap(self, arg: int, /) -> None: ...

class Chunk:
    """Games read from one piece of text, and those refused."""

    @property
    def records(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def sizes(self) -> list[int]: ...

    @property
    def rejections(self) -> list[tuple[int, str, str]]:
        """Ordinal in the chunk, reason and detail of each record refused."""

def read_sgf_chunk(text: bytes, one_per_line: bool, filter: Filter) -> Chunk:
    """Reads SGF games, checks every move and packs them."""

def pack_records(records: Sequence[PackedRecord], filter: Filter) -> Chunk:
    """Checks and packs records."""

class PackedWriter:
    """Writes a packed file, whole or not at all."""

    def __init__(self, path: str) -> None: ...

    def append(self, chunk: Chunk, drop_duplicates: bool) -> list[int]:
        """Appends the games; returns the ordinals of the duplicates left out."""

    @property
    def games(self) -> int: ...

    def finish(self) -> None:
        """Puts the file in its place."""

def recycled_floats(shape: Sequence[int]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None))]:
    """
    An unfilled array of four dimensions whose memory is kept for the next one.
    """

def recycled_bytes(shape: Sequence[int]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None))]: ...

class PackedFile:
    """A packed file of games, mapped into memory."""

    def __init__(self, path: str) -> None: ...

    @property
    def path(self) -> str: ...

    @property
    def games(self) -> int: ...

    def check(self) -> None:
        """Checks every byte."""

class Drawing:
    """How positions are drawn."""

    def __init__(self, by_position: bool, targets_only: bool, passes: bool, symmetry: int) -> None: ...

class GamePool:
    """Games of several packed files, and random positions of them."""

    def __init__(self, files: Sequence[PackedFile], weights: Sequence[float]) -> None: ...

    def subset(self, games: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> GamePool: ...

    def games(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def games_of_size(self, size: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def sizes(self) -> list[int]: ...

    def table(self) -> dict[str, Any]: ...

    def record(self, game: int) -> PackedRecord: ...

    def prefix_keys(self, game: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def shared_with(self, other: GamePool, part_moves: int, common_moves: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def draw(self, count: int, seed: int, first: int, drawing: Drawing) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]]: ...

    def fill(self, games: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], positions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], size: int, planes: PlaneSet, channels_last: bool, use_targets: bool, arrays: dict[str, Any], threads: int) -> None: ...

class FirstPlay(enum.Enum):
    """The value of a move nobody has tried."""

    PARENT = 0

    NETWORK = 1

    SIBLINGS = 2

    FIXED = 3

class Symmetries(enum.Enum):
    """How many of the eight views of a leaf the network judges."""

    NONE = 0

    RANDOM = 1

    ALL = 2

class Proof(enum.Enum):
    """What is certain for the player a statistic belongs to."""

    NONE = 0

    LOSS = 1

    WIN = 2

class TreeOptions:
    """What a tree may vary; tesuji.SearchOptions explains each field."""

    def __init__(self) -> None: ...

    @property
    def c(self) -> float: ...

    @c.setter
    def c(self, arg: float, /) -> None: ...

    @property
    def tau(self) -> float: ...

    @tau.setter
    def tau(self, arg: float, /) -> None: ...

    @property
    def first_play(self) -> FirstPlay: ...

    @first_play.setter
    def first_play(self, arg: FirstPlay, /) -> None: ...

    @property
    def first_play_reduction(self) -> float: ...

    @first_play_reduction.setter
    def first_play_reduction(self, arg: float, /) -> None: ...

    @property
    def first_play_value(self) -> float: ...

    @first_play_value.setter
    def first_play_value(self, arg: float, /) -> None: ...

    @property
    def virtual_loss(self) -> float: ...

    @virtual_loss.setter
    def virtual_loss(self, arg: float, /) -> None: ...

    @property
    def history(self) -> int: ...

    @history.setter
    def history(self, arg: int, /) -> None: ...

    @property
    def visible_history(self) -> int: ...

    @visible_history.setter
    def visible_history(self, arg: int, /) -> None: ...

    @property
    def symmetries(self) -> Symmetries: ...

    @symmetries.setter
    def symmetries(self, arg: Symmetries, /) -> None: ...

    @property
    def prove(self) -> bool: ...

    @prove.setter
    def prove(self, arg: bool, /) -> None: ...

    @property
    def early_stop(self) -> bool: ...

    @early_stop.setter
    def early_stop(self, arg: bool, /) -> None: ...

    @property
    def has_pass(self) -> bool: ...

    @has_pass.setter
    def has_pass(self, arg: bool, /) -> None: ...

    @property
    def pass_prior(self) -> float: ...

    @pass_prior.setter
    def pass_prior(self, arg: float, /) -> None: ...

    @property
    def pass_back_prior(self) -> float: ...

    @pass_back_prior.setter
    def pass_back_prior(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float: ...

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def noise_alpha(self) -> float: ...

    @noise_alpha.setter
    def noise_alpha(self, arg: float, /) -> None: ...

    @property
    def gumbel_moves(self) -> int: ...

    @gumbel_moves.setter
    def gumbel_moves(self, arg: int, /) -> None: ...

    @property
    def gumbel_scale(self) -> float: ...

    @gumbel_scale.setter
    def gumbel_scale(self, arg: float, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class MoveStatistics:
    """What the search knows of one move."""

    @property
    def move(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def deviation(self) -> float: ...

    @property
    def prior(self) -> float: ...

    @property
    def black_score(self) -> float: ...

    @property
    def proof(self) -> Proof: ...

    @property
    def parent(self) -> int: ...

    @property
    def depth(self) -> int: ...

class TreeStatistics:
    """What a tree knows of itself."""

    @property
    def visits(self) -> int: ...

    @property
    def descents(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def collisions(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def network_value(self) -> float: ...

    @property
    def black_score(self) -> float: ...

    @property
    def has_score(self) -> bool: ...

    @property
    def memory_full(self) -> bool: ...

    @property
    def proof(self) -> Proof: ...

class Leaves:
    """
    Positions on their way to the network: gather fills them, scatter empties them.
    """

    def __init__(self, planes: str, size: int, rows: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def planes(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None))]:
        """
        A view `[B, C, N, N]` of the encoded positions, good until the next gather.
        """

    @property
    def komi(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """A view `[B]` of the games' komi."""

    def scatter(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], black_score: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, black_ownership: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Hands the answers to the trees the leaves came from; ValueError, and no trace, when they make no sense.
        """

    def abandon(self) -> None:
        """Takes all descents back."""

class EvaluationCache:
    """Evaluations remembered beyond one tree."""

    def __init__(self, entries: int, size: int) -> None: ...

    @property
    def hits(self) -> int: ...

    def clear(self) -> None: ...

class Tree:
    """The search tree of one game; tesuji.Search drives it."""

    def __init__(self, options: TreeOptions, planes: str, size: int, cache: EvaluationCache | None = None) -> None: ...

    @property
    def size(self) -> int: ...

    def set_root(self, game: Game) -> int:
        """
        Searches from this game on and returns the visits kept of earlier searches.
        """

    def set_target(self, visits: int) -> None:
        """How many visits of the root finish the search."""

    def restrict(self, restrictions: Sequence[Restriction]) -> None: ...

    def clear(self) -> None: ...

    def gather(self, leaves: Leaves, count: int) -> int:
        """Descends to at most `count` new leaves; returns how many it found."""

    @property
    def finished(self) -> bool: ...

    @property
    def statistics(self) -> TreeStatistics: ...

    def root_moves(self) -> list[MoveStatistics]:
        """Every legal move with its statistics, most visited first."""

    def variation(self, first: int, length: int) -> list[int]:
        """The most visited continuation that begins with this move."""

    def subtree(self, depth: int, width: int) -> list[MoveStatistics]: ...

    def black_ownership(self) -> list[float]: ...

    def gumbel_move(self) -> int: ...

    def improved_policy(self) -> list[tuple[int, float]]: ...

    def playable_moves(self, path: Sequence[int]) -> list[int]:
        """
        The moves a descent may make after these moves; empty where the tree ends.
        """

    def violations(self) -> list[str]:
        """Broken invariants of the whole tree, in words; none after a search."""

class Restriction:
    """Moves allowed or avoided near the root."""

    def __init__(self, color: Color, moves: Iterable[int | str], allow: bool, until_depth: int, size: int) -> None: ...

def gather_all(trees: Sequence[Tree], leaves: Leaves, each: int, first: int = 0) -> list[int]:
    """
    Up to `each` leaves of every tree; returns the indices of the finished trees.
    """
