"""Changes to a record by hand: marks, letters, stones set up, lines removed and brought back."""

from dataclasses import dataclass

from tesuji import BLACK, WHITE, Color
from tesuji.go.coordinates import from_sgf, sgf_letters
from tesuji.go.sgf.files import game_at
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.record import SHAPES, Record
from tesuji.interfaces.web.words.words import WordedError

MARKS = {shape: name for name, shape in SHAPES.items()}
STONES = {"black": BLACK, "white": WHITE}
TOOLS = ("play", *STONES, *MARKS, "letter", "number")
"""What a click on the board does in a review."""


@dataclass(frozen=True)
class Removed:
    """A line that was taken out of the tree, and where it stood."""

    node: Node
    parent: Node
    place: int


def remove_line(record: Record) -> Removed:
    """Takes the current move and all that follows it out of the tree, and stands before it."""
    node, parent = record.node, record.node.parent
    if parent is None:
        raise WordedError("edit.nothing_to_delete")
    taken = Removed(node, parent, parent.children.index(node))
    record.go_to(parent)
    node.remove()
    record.changes += 1
    return taken


def put_back(record: Record, removed: Removed) -> None:
    """Brings a removed line back to where it stood."""
    removed.node.parent = removed.parent
    removed.parent.children.insert(removed.place, removed.node)
    record.changes += 1
    record.go_to(removed.node)


def mark(record: Record, tool: str, point: int) -> None:
    """Draws a mark, or the next letter or number, on a point; the same mark again takes it away."""
    node = record.node
    before = next((one for one in record.marks() if one["point"] == point), None)
    for name in MARKS.values():
        node.set_points(name, [other for other in node.setup_points(name) if other != point])
    labels = {at: text for at, text in _labels(node) if at != point}
    same = before is not None and (
        before["kind"] == tool or (before["kind"] == "text" and tool in {"letter", "number"})
    )
    if not same:
        if tool in MARKS:
            node.set_points(MARKS[tool], [*node.setup_points(MARKS[tool]), point])
        else:
            labels[point] = _next_label(tool, set(labels.values()))
    node.properties.pop("LB", None)
    if labels:
        node.properties["LB"] = [f"{sgf_letters(at, node.size)}:{text}" for at, text in sorted(labels.items())]


def _labels(node: Node) -> list[tuple[int, str]]:
    """The labels of a node as SGF writes them; those off the board are left out."""
    found = []
    for value in node.properties.get("LB", []):
        letters, _, text = value.partition(":")
        try:
            found.append((from_sgf(letters, node.size), text))
        except ValueError:
            continue
    return found


def _next_label(tool: str, used: set[str]) -> str:
    names = [str(number) for number in range(1, 1000)] if tool == "number" else [chr(65 + place) for place in range(26)]
    return next((name for name in names if name not in used), names[-1])


def place_stone(record: Record, color: Color, point: int) -> None:
    """Puts a stone on a point, or takes away one of that colour; in a node of its own where moves stand.

    Raises `ValueError` and changes nothing where such a position cannot be.
    """
    game, node = record.game, record.node
    # A move and stones set up do not share a node, and what follows a node was played on its board as it is.
    fresh = bool(node.moves or node.children)
    if fresh:
        record.check_room()
        node = Node(node.size, {}, node)
    kept = {name: list(values) for name, values in node.properties.items()}
    before = game_at(node.parent).board.at(point) if node.parent is not None else None
    wanted = None if game.board.at(point) == color else color
    sets = {name: node.setup_points(name) - {point} for name in ("AB", "AW", "AE")}
    if wanted != before:
        sets["AE" if wanted is None else "AB" if wanted == BLACK else "AW"].add(point)
    for name, points in sets.items():
        node.set_points(name, list(points))
    node.set_text("PL", "B" if game.to_play == BLACK else "W")
    record.changes += 1
    try:
        record.go_to(node)
    except ValueError:
        if fresh:
            node.remove()
        else:
            node.properties.clear()
            node.properties.update(kept)
        raise


def swap_turn(record: Record) -> None:
    """Lets the other player begin from stones set up here."""
    if not record.node.is_setup:
        raise WordedError("edit.turn_needs_setup")
    record.node.set_text("PL", "W" if record.game.to_play == BLACK else "B")
    record.go_to(record.node)
