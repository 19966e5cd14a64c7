"""A tree of variations: what an SGF file holds and what a board that one can click through walks on."""

from collections.abc import Iterator

from tesuji._core import PASS, Color
from tesuji.base.errors import InputError
from tesuji.go.coordinates import from_sgf, points_from_sgf, sgf_letters
from tesuji.go.sgf import text as sgf_text

_MOVES = {"B": Color.BLACK, "W": Color.WHITE}
_PLAYERS = {**_MOVES, "1": Color.BLACK, "2": Color.WHITE}  # numbers in files of old
_SETUP = ("AB", "AW", "AE")


class Node:
    """One node of a game tree: usually a move, with its comment and the variations that follow it.

    `properties` holds everything SGF says here, known to us or not, so that reading and writing loses nothing. The
    first child continues the main line. Raises `ValueError` where a property makes no sense on a board of `size`.
    """

    __slots__ = ("children", "parent", "properties", "size")

    def __init__(self, size: int, properties: sgf_text.Properties | None = None, parent: "Node | None" = None) -> None:
        self.size = size
        self.properties: sgf_text.Properties = properties if properties is not None else {}
        self.parent = parent
        self.children: list[Node] = []
        if parent is not None:
            parent.children.append(self)

    def __repr__(self) -> str:
        return f"<Node {self.properties} with {len(self.children)} children>"

    @property
    def moves(self) -> list[tuple[Color, int]]:
        """The moves of this node: none or one, in sound files; Black's first where a damaged one has both."""
        return [
            (color, from_sgf(value.strip(), self.size))
            for name, color in _MOVES.items()
            for value in self.properties.get(name, [])
        ]

    @property
    def move(self) -> tuple[Color, int] | None:
        """The colour and move of this node, if it has one."""
        return next(iter(self.moves), None)

    @property
    def mover(self) -> Color | None:
        """Who moves in this node, if anybody; where to is not read."""
        return next((color for name, color in _MOVES.items() if self.properties.get(name)), None)

    @property
    def is_setup(self) -> bool:
        """Whether stones are placed or removed here; `AB[]` does neither."""
        return any(value.strip() for name in _SETUP for value in self.properties.get(name, []))

    def setup_points(self, name: str) -> set[int]:
        """The points of `AB` (black stones), `AW` (white stones) or `AE` (emptied)."""
        values = (value.strip() for value in self.properties.get(name, []))
        return points_from_sgf((value for value in values if value), self.size)

    @property
    def to_play(self) -> Color | None:
        """The player named to move next by a setup, if any."""
        named = self.text("PL").strip()[:1].upper()
        return _PLAYERS.get(named)

    def text(self, name: str) -> str:
        """The text of a property, `""` where it is absent."""
        return sgf_text.text_of(self.properties[name][0]) if name in self.properties else ""

    def set_text(self, name: str, text: str) -> None:
        """Gives a property this text; the empty text removes it."""
        if text:
            self.properties[name] = [sgf_text.value_of(text)]
        else:
            self.properties.pop(name, None)

    def set_points(self, name: str, points: list[int]) -> None:
        """Gives a property this list of points; the empty list removes it."""
        if points:
            self.properties[name] = [sgf_letters(point, self.size) for point in sorted(points)]
        else:
            self.properties.pop(name, None)

    @property
    def comment(self) -> str:
        """What somebody wrote about this position."""
        return self.text("C")

    @comment.setter
    def comment(self, text: str) -> None:
        self.set_text("C", text)

    def play(self, color: Color, move: int) -> "Node":
        """The child with this move, added as the last variation if nobody tried the move yet."""
        for child in self.children:
            if child.moves == [(color, move)]:
                return child
        letters = sgf_letters(move, self.size) if move != PASS else ""
        return Node(self.size, {"B" if color == Color.BLACK else "W": [letters]}, self)

    def remove(self) -> None:
        """Takes this node and all that follows it out of the tree."""
        if self.parent is None:
            raise InputError("the root of a game tree cannot be removed")
        self.parent.children.remove(self)
        self.parent = None

    def make_main(self) -> None:
        """Makes the line through this node the main line."""
        for node in self.path():
            if node.parent is not None:
                siblings = node.parent.children
                siblings.insert(0, siblings.pop(siblings.index(node)))

    def path(self) -> list["Node"]:
        """The nodes from the root to this one."""
        nodes: list[Node] = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def main_line(self) -> list["Node"]:
        """This node and the first child of each node after it."""
        nodes = [self]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def walk(self) -> Iterator["Node"]:
        """This node and all that follow, every line to its end before the next one begins."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))
