"""The search tree as a picture: boards on the nodes, statistics on the edges, in SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tesuji._core import PASS, Game
from tesuji.go.coordinates import vertex_text
from tesuji.go.drawing import CELL, board_lines, shown_board
from tesuji.search.result import SearchResult, TreeMove

BOARD, GAP, LEVEL = 108.0, 26.0, 190.0  # side of a board, space beside it, height of a level

MOST_CANDIDATES, LEAST_SHARE = 12, 0.01  # what is drawn of a search: further moves would hide the board


@dataclass
class _Drawn:
    """A node with its place."""

    game: Game
    move: TreeMove | None
    children: "list[_Drawn]"
    x: float = 0.0
    depth: int = 0


def draw_tree(root: Game, moves: Sequence[TreeMove], visits: int, decimal: str = ".") -> str:
    """The tree below a position, as text of an SVG file; numbers have this decimal mark."""
    top = _Drawn(root, None, [_node(root, move, 1) for move in moves])
    width = _place(top, 0.0)
    height = (_deepest(top) + 1) * LEVEL
    parts = [*_edges(top, decimal), *_boards(top, visits)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + GAP:g} {height:g}" '
        f'font-family="sans-serif" font-size="10">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def draw_candidates(result: SearchResult) -> str:
    """The position with the moves a search looked at: the chosen one first in colour, the share of visits in each."""
    parts = []
    size = result.position.size
    for one in result.moves[:MOST_CANDIDATES]:
        share = one.visits / max(1, result.root_visits)
        if one.move == PASS or share < LEAST_SHARE:
            continue
        row, column = divmod(one.move, size)
        x, y = CELL * (column + 0.5), CELL * (row + 0.5)
        fill = "#2a7de1" if one.move == result.move else "#3aa675"
        told = f"{vertex_text(one.move, size)}: {one.visits} visits, wins {one.value:.0%}"
        parts.append(
            f'<g><title>{escape(told)}</title><circle cx="{x:g}" cy="{y:g}" r="{0.45 * CELL:g}" fill="{fill}" '
            f'fill-opacity="{0.35 + 0.6 * share:.2f}"/><text x="{x:g}" y="{y + 3.2:g}" text-anchor="middle" '
            f'font-size="9" fill="#fff">{100 * share:.0f}</text></g>'
        )
    return shown_board(result.position, "".join(parts))


def _node(parent: Game, move: TreeMove, depth: int) -> _Drawn:
    game = parent.copy()
    game.play(move.move)
    return _Drawn(game, move, [_node(game, child, depth + 1) for child in move.children], depth=depth)


def _place(node: _Drawn, left: float) -> float:
    """Gives every node its column, parents above the middle of their children; returns the right end."""
    if not node.children:
        node.x = left + GAP + BOARD / 2
        return left + GAP + BOARD
    right = left
    for child in node.children:
        right = _place(child, right)
    node.x = (node.children[0].x + node.children[-1].x) / 2
    return right


def _deepest(node: _Drawn) -> int:
    return max([node.depth, *(_deepest(child) for child in node.children)])


def _edges(node: _Drawn, decimal: str) -> list[str]:
    parts = []
    top = node.depth * LEVEL + GAP + BOARD
    for child in node.children:
        move = child.move
        assert move is not None
        bottom = child.depth * LEVEL + GAP
        share = move.visits / max(sum(each.move.visits for each in node.children if each.move), 1)
        parts.append(
            f'<line x1="{node.x:g}" y1="{top:g}" x2="{child.x:g}" y2="{bottom:g}" stroke="#888" '
            f'stroke-width="{0.8 + 4 * share:.2f}"/>'
        )
        judged = f"Q {move.value:.3f}  P {move.prior:.3f}".replace(".", decimal)
        for line, text in enumerate((f"{node.game.vertex(move.move)}  N {move.visits}", judged)):
            parts.append(
                f'<text x="{child.x:g}" y="{bottom - 16 + 11 * line:g}" text-anchor="middle" stroke="#fff" '
                f'stroke-width="3" paint-order="stroke" fill="#222">{escape(text)}</text>'
            )
        parts.extend(_edges(child, decimal))
    return parts


def _boards(node: _Drawn, visits: int) -> list[str]:
    y = node.depth * LEVEL + GAP
    parts = [_board(node.game, node.x - BOARD / 2, y, node.move.move if node.move else None)]
    if node.move is None:
        parts.append(f'<text x="{node.x:g}" y="{y - 6:g}" text-anchor="middle">N {visits}</text>')
    for child in node.children:
        parts.extend(_boards(child, visits))
    return parts


def _board(game: Game, x: float, y: float, last: int | None) -> str:
    return f'<g transform="translate({x:g} {y:g})">{board_lines(game, BOARD, last=last)}</g>'
