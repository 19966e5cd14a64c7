"""The record with notes: win rate and score at every move, mistakes with the better line and the refutation."""

from collections.abc import Sequence

from tesuji._core import BLACK, WHITE, Color
from tesuji.go.sgf.files import read_tree, tree_of, write_tree
from tesuji.go.sgf.variations import Node
from tesuji.reviews.game_review import GameReview
from tesuji.reviews.verdicts import MoveReview

_BAD = {"mistake": "1", "blunder": "2"}  # of SGF's property BM


def annotated_sgf(review: GameReview, colors: Sequence[Color] = (BLACK, WHITE)) -> bytes:
    """The record as SGF, its own comments and variations kept; mistakes of these colours alone.

    Black's win rate in percent also stands in SBKV, which Sabaki draws as a graph, and Black's lead in V.
    """
    root = _copy_of(review)
    line = _nodes_of_moves(root, len(review.game.moves))
    start = line[0].parent if line else None
    _add(root, _overview(review))
    if start is not None:
        _mark(start, review, 0)
    for move, node in zip(review.moves, line, strict=False):
        _mark(node, review, move.number)
        note = f"Tesuji: {review.positions[move.number].standing}"
        if move.color in colors and move.counted and move.grade != "good":
            note += f". {move.text}."
        _add(node, note)
        if move.color in colors and review.is_mistake(move):
            _add_lines(node, move)
    return write_tree(root)


def _copy_of(review: GameReview) -> Node:
    facts = review.facts
    if facts.tree is not None:
        return read_tree(write_tree(facts.tree))
    return tree_of(review.game, black=facts.black, white=facts.white, result=facts.result, date=facts.date)


def _nodes_of_moves(root: Node, count: int) -> list[Node]:
    """The nodes of the last `count` moves: what came before stones were set up anew is not part of the game."""
    nodes = [node for node in root.main_line() for _ in node.moves]
    return nodes[len(nodes) - count :]


def _mark(node: Node, review: GameReview, number: int) -> None:
    analysis = review.positions[number]
    node.set_text("SBKV", f"{100 * analysis.black_winrate:.1f}")
    if analysis.black_score is not None:
        node.set_text("V", f"{analysis.black_score:.1f}")


def _add(node: Node, note: str) -> None:
    node.comment = f"{node.comment}\n{note}".strip()


def _add_lines(node: Node, move: MoveReview) -> None:
    """The better line beside the move, the refutation after it."""
    if move.grade in _BAD:
        node.set_text("BM", _BAD[move.grade])
    assert node.parent is not None
    _add(_played(node.parent, move.color, move.line), "Tesuji: this was better.")
    if move.refutation and node.children:  # after the last move it would pass for the game itself
        _played(node, move.color.opponent, move.refutation)


def _played(node: Node, color: Color, line: Sequence[int]) -> Node:
    """Plays a line from a node on; returns the node of its first move."""
    first = node.play(color, line[0])
    current = first
    for move in line[1:]:
        color = color.opponent
        current = current.play(color, move)
    return first


def _overview(review: GameReview) -> str:
    lines = [
        f"Tesuji: reviewed by network {review.network}, {review.visits} visits a move, "
        f"{review.second_visits} where it mattered."
    ]
    for color, name in ((BLACK, "Black"), (WHITE, "White")):
        summary = review.summary(color)
        lines.append(
            f"{name} lost {summary.lost}; {100 * summary.first_choice:.0f} % of the moves were the "
            f"network's first choice."
        )
    lines += [f"{move.number}. {move.text}." for move in review.mistakes()[:5]]
    return "\n".join(lines)
