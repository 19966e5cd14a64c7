"""The tree of variations as the browser draws it: every node in a column by its number and a row of its line."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tesuji import BLACK
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.session import Session

MOST = 3000  # nodes that are drawn; of a larger tree those around the present line
_GRADES = {"good": 0, "inexact": 1, "mistake": 2, "blunder": 3}
_COLORS = {BLACK: 1}


@dataclass
class Layout:
    """Where each node stands."""

    nodes: list[Node] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    """For each node: column, row, index of its parent (-1 at the root), 0 setup 1 black 2 white."""
    rows: int = 1


def layout(session: Session) -> Layout:
    """Places the nodes: a line stays in its row, a variation takes the first row that is free as far as it goes."""
    made, places, ends = Layout(), dict[Node, int](), list[int]()
    waiting = [(session.record.root, 0, 0)]  # the first node of a line, its column, the row it may not lie above
    allowed = _drawn(session)
    full: dict[tuple[int, int], int] = {}  # column, row it may not lie above -> row from which on one may be free
    while waiting:
        first, column, above = waiting.pop(0)
        line = [node for node in first.main_line() if allowed is None or node in allowed]
        first_free = full.get((column, above), above)
        row = next((one for one in range(first_free, len(ends)) if ends[one] < column - 1), len(ends))
        full[column, above] = row + 1
        if row == len(ends):
            ends.append(-1)
        ends[row] = column + len(line)
        branches = []
        for place, node in enumerate(line):
            move = node.move
            kind = 0 if move is None else _COLORS.get(move[0], 2)
            parent = places[node.parent] if node.parent is not None else -1
            places[node] = len(made.nodes)
            made.nodes.append(node)
            made.flat += [column + place, row, parent, kind]
            others = [child for child in node.children[1:] if allowed is None or child in allowed]
            branches += [(child, column + place + 1, row + 1) for child in others]
        waiting[:0] = branches[::-1]  # the latest first, so that rows open from right to left and lines do not cross
    made.rows = len(ends)
    return made


def _drawn(session: Session) -> set[Node] | None:
    """The nodes to draw; None where all of them are few enough."""
    record = session.record
    if sum(1 for _ in islice(record.root.walk(), MOST + 1)) <= MOST:
        return None
    line, here = record.line(), record.number
    drawn = set(line)
    for number in sorted(range(len(line)), key=lambda number: abs(number - here)):
        drawn.update(line[number].children[: max(0, MOST - len(drawn))])
    return drawn


class TreeDrawing:
    """What the browser needs of a tree, found anew only where the tree has changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._shape: tuple[Any, ...] = ()
        self.layout = Layout()

    def props(self) -> dict[str, Any]:
        """Nodes, the present one, and which moves of it were bad."""
        session = self.session
        shape = (session.record, session.record.changes, len(session.record.root.properties))
        if shape != self._shape or session.record.node not in self.layout.nodes:  # of a huge tree only a part is drawn
            self._shape, self.layout = shape, layout(session)
        nodes, verdicts = self.layout.nodes, session.reviewed.verdicts
        here = {node: index for index, node in enumerate(nodes)}
        return {
            "nodes": self.layout.flat,
            "rows": self.layout.rows,
            "current": here.get(session.record.node, 0),
            "line": [here[node] for node in session.record.line() if node in here],
            "grades": [_GRADES[verdicts[node].grade] if node in verdicts else -1 for node in nodes],
            "notes": [index for index, node in enumerate(nodes) if node.comment],
        }

    def node(self, index: int) -> Node | None:
        """The node drawn with this index."""
        return self.layout.nodes[index] if 0 <= index < len(self.layout.nodes) else None
