"""The game on the page: a tree of variations, a place in it, and the position there."""

from collections.abc import Sequence
from itertools import pairwise

from tesuji import BLACK, PASS, WHITE, Game
from tesuji.go.coordinates import from_sgf
from tesuji.go.sgf.files import SgfError, game_at, read_collection, read_tree, tree_of, write_tree
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.words.words import WordedError

MAX_NODES = 50_000
MAX_LINE = 2_000
"""Nodes from the root to the end of any line: a step plays all of them anew, in the loop that answers everybody."""
LETTERS = 26  # of the alphabet, so many variations have one
LONGEST_LABEL = 12  # letters of a label on the board

SHAPES = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}


class Record:
    """A tree of moves with one current node. Walking never changes the tree; playing may add to it."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.node = root
        self.changes = 0
        """Grows whenever nodes come or go."""
        self.game = game_at(root)

    @classmethod
    def of_game(cls, game: Game, black: str = "", white: str = "", date: str = "") -> "Record":
        """The record of a game about to begin."""
        return cls(tree_of(game, black=black, white=white, date=date))

    @classmethod
    def from_sgf(cls, data: bytes, number: int = 0) -> "Record":
        """A game of an SGF file, the first unless told, standing at its first position. Raises `InputError`."""
        games = read_collection(data) if number else [read_tree(data)]
        if not 0 <= number < len(games):
            raise SgfError("SGF data", f"no game {number + 1} in it; it has {len(games)}")
        root = games[number]
        _check_bounds(root)
        record = cls(root)
        game_at(root.main_line()[-1])
        return record

    def to_sgf(self) -> bytes:
        """The whole tree as an SGF file."""
        return write_tree(self.root)

    @property
    def number(self) -> int:
        """How many nodes precede the current one."""
        return len(self.node.path()) - 1

    def line(self) -> list[Node]:
        """The nodes from the root through the current one to the end of its first continuation."""
        return self.node.path() + self.node.main_line()[1:]

    def go_to(self, node: Node) -> None:
        """Stands at this node. Raises `ValueError` and stays where a move on the way breaks the rules."""
        self.game = game_at(node)
        self.node = node

    def walk(self, steps: int) -> None:
        """Some nodes forward along the line, or backward."""
        self.jump(self.number + steps)

    def jump(self, number: int) -> None:
        """To a node of the current line by its number; beyond the ends, to the end."""
        line = self.line()
        self.go_to(line[max(0, min(number, len(line) - 1))])

    def switch(self, steps: int) -> None:
        """To a neighbouring variation of the last move."""
        siblings = self.node.parent.children if self.node.parent else [self.node]
        self.go_to(siblings[(siblings.index(self.node) + steps) % len(siblings)])

    def play(self, move: int) -> None:
        """Plays for the player to move. Raises `IllegalMoveError` and changes nothing if the rules forbid it."""
        self.check_room()
        game = self.game.copy()
        color = game.to_play
        game.play(move)
        known = len(self.node.children)
        parent, self.game = self.node, game
        self.node = parent.play(color, move)
        self.changes += len(parent.children) - known

    def check_room(self) -> None:
        """Raises `WordedError` where nothing may follow the current node: the line is as long as any may be."""
        if self.number >= MAX_LINE:
            raise WordedError("game.too_long", most=MAX_LINE)

    def undo(self) -> None:
        """Takes the last move back; it disappears from the tree unless variations follow it."""
        node = self.node
        if node.parent is None:
            raise WordedError("game.nothing_to_undo")
        self.go_to(node.parent)
        if not node.children:
            node.remove()
            self.changes += 1

    @property
    def last_point(self) -> int:
        """The point of the last move; -1 where there is none or it passed."""
        move = self.node.move
        return move[1] if move else PASS

    def marks(self) -> list[dict[str, object]]:
        """The letters and shapes that the file puts on this position."""
        found: list[dict[str, object]] = []
        for name, shape in SHAPES.items():
            try:
                points = self.node.setup_points(name)
            except ValueError:  # a mark off the board harms nobody
                continue
            found += [{"point": point, "kind": shape} for point in sorted(points)]
        for value in self.node.properties.get("LB", []):
            letters, _, text = value.partition(":")
            try:
                point = from_sgf(letters, self.root.size)
            except ValueError:
                continue
            found.append({"point": point, "kind": "text", "text": text[:LONGEST_LABEL]})
        return found

    def territory(self) -> tuple[list[float], set[int]]:
        """The count that the record keeps for this position (TB, TW): owners by point, and the dead stones."""
        owned = [0.0] * self.root.size**2
        for name, value in (("TB", 1.0), ("TW", -1.0)):
            try:
                points = self.node.setup_points(name)
            except ValueError:
                continue
            for point in points:
                owned[point] = value
        own = {1.0: WHITE, -1.0: BLACK}
        board = self.game.board
        return owned, {point for point, value in enumerate(owned) if value and board.at(point) == own[value]}

    def keep_territory(self, owned: Sequence[float], dead: set[int]) -> None:
        """Writes a count into the record: empty points and dead stones of each side."""
        board = self.game.board
        for name, value in (("TB", 1.0), ("TW", -1.0)):
            points = [
                point
                for point, owner in enumerate(owned)
                if owner == value and (board.at(point) is None or point in dead)
            ]
            self.node.set_points(name, points)

    def variations(self) -> list[dict[str, object]]:
        """Where several moves follow, their points with letters; a label of the file stays alone."""
        moves = [child.move for child in self.node.children[:LETTERS]]
        if len(moves) < 2:
            return []
        labelled = {mark["point"] for mark in self.marks()}
        return [
            {"point": move[1], "kind": "variation", "text": chr(ord("A") + index)}
            for index, move in enumerate(moves)
            if move and move[1] != PASS and self.game.board.at(move[1]) is None and move[1] not in labelled
        ]

    def numbers(self) -> list[dict[str, object]]:
        """The number of the move on every stone that a move put there."""
        board = self.game.board
        latest: dict[int, int] = {}
        for number, (_, move) in enumerate(self.game.moves, 1):
            if move != PASS and board.at(move) is not None:
                latest[move] = number
        return [{"point": point, "kind": "text", "text": str(number)} for point, number in latest.items()]

    def path(self) -> list[int]:
        """Which child to take at each step to the current node."""
        nodes = self.node.path()
        return [parent.children.index(child) for parent, child in pairwise(nodes)]

    def follow(self, path: Sequence[int]) -> None:
        """Stands where `path` leads, as far as it fits this tree."""
        node = self.root
        for index in path:
            if not 0 <= index < len(node.children):
                break
            node = node.children[index]
        self.go_to(node)

    def stones(self) -> str:
        """The board as a text of N*N letters: `X` black, `O` white, `.` empty."""
        board = self.game.board
        letters = ["."] * (board.size * board.size)
        for color, letter in ((BLACK, "X"), (WHITE, "O")):
            for point in board.stones(color):
                letters[point] = letter
        return "".join(letters)


def _check_bounds(root: Node) -> None:
    """Raises `WordedError` where a tree has more nodes, or a longer line, than a page can walk through."""
    waiting, nodes = [(root, 0)], 0
    while waiting:
        node, number = waiting.pop()
        nodes += 1
        if number > MAX_LINE:
            raise WordedError("open.long_line", most=MAX_LINE)
        if nodes > MAX_NODES:
            raise WordedError("open.many_moves", most=MAX_NODES)
        waiting.extend((child, number + 1) for child in node.children)
