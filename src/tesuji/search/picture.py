"""The search tree as a picture: boards on the nodes, statistics on the edges, in SVG or PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tesuji._core import BLACK, PASS, WHITE, Game
from tesuji.search.result import TreeMove

BOARD, GAP, LEVEL = 108.0, 26.0, 190.0  # side of a board, space beside it, height of a level


@dataclass
class _Drawn:
    """A node with its place."""

    game: Game
    move: TreeMove | None
    children: "list[_Drawn]"
    x: float = 0.0
    depth: int = 0


def draw_tree(root: Game, moves: Sequence[TreeMove], visits: int) -> str:
    """The tree below a position, as text of an SVG file."""
    top = _Drawn(root, None, [_node(root, move, 1) for move in moves])
    width = _place(top, 0.0)
    height = (_deepest(top) + 1) * LEVEL
    parts = [*_edges(top), *_boards(top, visits)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + GAP:g} {height:g}" '
        f'font-family="sans-serif" font-size="10">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def as_png(svg: str, zoom: float = 2.0) -> bytes:
    """The same picture in pixels, `zoom` of them for each unit of the drawing."""
    try:
        import resvg_py
    except ImportError:
        raise ImportError("a picture as PNG needs resvg-py: pip install 'tesuji-go[plot]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))


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


def _edges(node: _Drawn) -> list[str]:
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
        for line, text in enumerate(
            (f"{node.game.vertex(move.move)}  N {move.visits}", f"Q {move.value:.3f}  P {move.prior:.3f}")
        ):
            parts.append(
                f'<text x="{child.x:g}" y="{bottom - 16 + 11 * line:g}" text-anchor="middle" stroke="#fff" '
                f'stroke-width="3" paint-order="stroke" fill="#222">{escape(text)}</text>'
            )
        parts.extend(_edges(child))
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
    size = game.size
    cell = BOARD / size
    first, end = cell / 2, BOARD - cell / 2
    lines = "".join(
        f"M{first:.1f} {first + i * cell:.1f}H{end:.1f}M{first + i * cell:.1f} {first:.1f}V{end:.1f}"
        for i in range(size)
    )
    parts = [
        f'<g transform="translate({x:g} {y:g})"><rect width="{BOARD:g}" height="{BOARD:g}" rx="3" fill="#e8c37a"/>'
        f'<path d="{lines}" stroke="#5a4420" stroke-width="0.5" fill="none"/>'
    ]
    for color, fill in ((BLACK, "#111"), (WHITE, "#fff")):
        for point in game.board.stones(color):
            row, column = divmod(point, size)
            parts.append(
                f'<circle cx="{first + column * cell:.1f}" cy="{first + row * cell:.1f}" r="{0.47 * cell:.2f}" '
                f'fill="{fill}" stroke="#111" stroke-width="0.5"/>'
            )
    if last is not None and last != PASS:
        row, column = divmod(last, size)
        parts.append(
            f'<circle cx="{first + column * cell:.1f}" cy="{first + row * cell:.1f}" r="{0.2 * cell:.2f}" fill="#d33"/>'
        )
    return "".join(parts) + "</g>"
