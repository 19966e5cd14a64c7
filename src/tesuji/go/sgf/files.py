"""SGF files in and out: a game, what is written about it, or the whole tree of its variations."""

import contextlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sgfmill.sgf_grammar import Coarse_game_tree

from tesuji._core import BLACK, WHITE, Board, Color, Game, Rules
from tesuji.base.files import read_bounded, write_atomically
from tesuji.go.results import parse_result, winner_of
from tesuji.go.rules import komi_from_text, usual_komi
from tesuji.go.sgf import text as sgf_text
from tesuji.go.sgf.replay import play_nodes
from tesuji.go.sgf.text import SgfError
from tesuji.go.sgf.variations import Node

__all__ = [
    "GameRecord",
    "SgfError",
    "game_at",
    "read_collection",
    "read_record",
    "read_sgf",
    "read_tree",
    "tree_of",
    "write_sgf",
    "write_tree",
]

Source = str | os.PathLike[str] | bytes
"""A file's path, or the file's content: bytes, or text that begins with `(;`."""
MOST_BYTES = 64 << 20  # of a file; the largest collections in one have a few megabytes


@dataclass(frozen=True)
class GameRecord:
    """A game with what its file says about it."""

    game: Game
    """The main line, played to its end. Its komi is a usual one where the file states none; see `komi`."""
    komi: float | None
    """As stated; None where the file states none that can be read, which is not the same as 0."""
    result: str | None
    """As stated: `B+3.5`, `B+R`, `B+T`, `B+F`, `B+` (margin unknown), `0` for a draw, None where unknown."""
    rules: Rules | None
    """As stated; None where the file names none that we know."""
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""
    tree: Node = field(default_factory=lambda: Node(19), repr=False)
    """All nodes, variations and comments."""

    @property
    def winner(self) -> Color | None:
        """Who won, as stated; None for a draw or where unknown."""
        return winner_of(self.result)


def read_sgf(source: Source, komi: float | None = None, rules: Rules | str | None = None) -> Game:
    """The game on the main line of an SGF file: of its path, its bytes, or text that begins with `(;`.

    `komi` and `rules` replace what the file says. Where neither says it, rules are `Rules.unstated()` and komi is the
    usual one; `read_record` tells whether it was stated.
    Raises `SgfError` naming the file and the fault, `FileNotFoundError` where there is no file.
    """
    return read_record(source, komi, rules).game


def read_record(source: Source, komi: float | None = None, rules: Rules | str | None = None) -> GameRecord:
    """The game on the main line of an SGF file, with players, result and all variations; arguments as `read_sgf`."""
    root = read_tree(source)
    line = root.main_line()

    def stated(name: str) -> str:
        return next((node.text(name) for node in line if name in node.properties), "").strip()

    try:
        stated_komi, stated_rules = komi_from_text(stated("KM")), Rules.from_text(stated("RU"))
        result = parse_result(stated("RE"))
        handicap = _stones(stated("HA"))
        game = _played(line, stated_komi if komi is None else komi, rules or stated_rules, handicap)
        if result in {"B+R", "W+R"}:
            game.resign(WHITE if result == "B+R" else BLACK)
    except ValueError as fault:
        raise SgfError(_name(source), fault) from fault
    return GameRecord(
        game=game,
        komi=stated_komi,
        result=result,
        rules=stated_rules,
        black=stated("PB"),
        white=stated("PW"),
        black_rank=stated("BR"),
        white_rank=stated("WR"),
        date=stated("DT"),
        tree=root,
    )


def is_content(source: Source) -> bool:
    """Whether this is the content of a file rather than its path."""
    return isinstance(source, bytes) or (isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("(;"))


def content_of(source: Source) -> bytes:
    """The bytes of an SGF file; text is UTF-8, whatever charset it names."""
    if isinstance(source, bytes):
        return source
    if is_content(source):
        text = re.sub(r"\bCA\[[^\]]{0,80}\]", "", str(source), count=1)
        return text.encode("utf-8", "replace")
    return read_bounded(source, MOST_BYTES)


def read_tree(source: Source) -> Node:
    """The root of the first game tree in an SGF file. Moves are not checked against the rules: `game_at` does."""
    return _tree(sgf_text.parse(content_of(source), _name(source)), _name(source))


def read_collection(source: Source) -> list[Node]:
    """The roots of all game trees in an SGF file, in order; those with an impossible board left out.

    Raises `SgfError` where not even the first can be read.
    """
    first, *others = sgf_text.parse_all(content_of(source), _name(source))
    roots = [_tree(first, _name(source))]
    for coarse in others:
        with contextlib.suppress(SgfError):
            roots.append(_tree(coarse, _name(source)))
    return roots


def _tree(coarse: Coarse_game_tree, name: str) -> Node:
    nodes: list[Node] = []
    size = 19
    for parent, properties in sgf_text.walk(coarse):
        if parent < 0:
            size = _size(properties, name)
        nodes.append(Node(size, properties, nodes[parent] if parent >= 0 else None))
    return nodes[0]


def game_at(node: Node, komi: float | None = None, rules: Rules | str | None = None) -> Game:
    """The game from the root to this node, for a board that walks through variations."""
    path = node.path()
    root = path[0]
    stated_komi, stated_rules = komi_from_text(root.text("KM")), Rules.from_text(root.text("RU"))
    komi = stated_komi if komi is None else komi
    return _played(path, komi, rules or stated_rules, _stones(root.text("HA")))


def tree_of(
    game: Game,
    *,
    black: str = "",
    white: str = "",
    result: str | None = None,
    date: str = "",
    comment: str = "",
) -> Node:
    """A tree whose main line is this game; `result` replaces the game's own, as after counting with dead stones."""
    root = Node(game.size)
    for name, text in {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": "Tesuji",
        "SZ": str(game.size),
        "KM": f"{game.komi:g}",
        "RU": game.rules.sgf,
        "HA": str(game.handicap) if game.handicap else "",
        "PB": black,
        "PW": white,
        "DT": date,
        "RE": result if result is not None else game.result() or "",
        "C": comment,
    }.items():
        root.set_text(name, text)
    start = game.start_board
    for name, color in (("AB", BLACK), ("AW", WHITE)):
        root.set_points(name, start.stones(color))
    if game.start_to_play != BLACK or start != Board(game.size):
        # Readers take it for White's turn where only black stones stand on the board.
        root.set_text("PL", "B" if game.start_to_play == BLACK else "W")
    node = root
    for color, move in game.moves:
        node = node.play(color, move)
    return root


def write_sgf(
    game: Game,
    path: str | os.PathLike[str],
    *,
    black: str = "",
    white: str = "",
    result: str | None = None,
    date: str = "",
    comment: str = "",
) -> None:
    """Writes a game as SGF in UTF-8; the file is complete or not there at all."""
    write_tree(tree_of(game, black=black, white=white, result=result, date=date, comment=comment), path)


def write_tree(
    root: Node,
    path: str | os.PathLike[str] | None = None,
    properties: Callable[[Node], sgf_text.Properties] = lambda node: node.properties,
) -> bytes:
    """A tree of variations as SGF in UTF-8, also written to `path` if given, completely or not at all.

    `properties` are what is written of each node.
    """
    root.properties["CA"] = ["UTF-8"]
    data = sgf_text.serialise(root, lambda node: node.children, properties)
    if path is not None:
        write_atomically(path, data)
    return data


def _name(source: Source) -> str:
    return "SGF data" if isinstance(source, bytes) or is_content(source) else os.fspath(source)


def _size(properties: sgf_text.Properties, source: str) -> int:
    """SZ: `19`, `19:19`, or 19 where absent."""
    game = properties.get("GM", ["1"])[0].strip() or "1"
    if game != "1":
        raise SgfError(source, f"GM[{game}] is not Go", "not_go")
    text = properties.get("SZ", ["19"])[0].strip()
    width, _, height = text.partition(":")
    if not (width.isascii() and width.isdigit() and (not height or height.strip() == width)):
        raise SgfError(source, f"board size '{text}'; boards are square, of 2 to 25 lines", "board")
    if not 2 <= int(width[:4]) <= 25:
        raise SgfError(source, f"board size {width}; boards have 2 to 25 lines", "board")
    return int(width)


def _stones(text: str) -> int:
    """HA: how many handicap stones a file states."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def _played(line: Sequence[Node], komi: float | None, rules: Rules | str | None, handicap: int) -> Game:
    """The game along these nodes. Where nobody states a komi, whether it has a handicap is seen once it is set up."""
    game = Game(size=line[0].size, komi=komi, rules=rules or Rules.unstated())
    play_nodes(game, line)
    if komi is None:
        begun = next((number for number, node in enumerate(line) if node.moves), len(line))
        given = game.has_handicap and not any(node.is_setup for node in line[begun:])  # not put there in between
        game.komi = usual_komi(game.size, game.rules, handicap=handicap >= 2 or given)
    return game
