"""A position as a picture: the one drawing of a board for pages, trees and files."""

from html import escape

from tesuji._core import BLACK, PASS, WHITE, Board, Game
from tesuji.go.coordinates import vertex_text

_STONES = ((BLACK, "#111", "#eee"), (WHITE, "#fafafa", "#222"))
CELL = 24.0
"""Units between two lines."""
MOST_WIDTH = "26em"


def board_lines(position: Game | Board, side: float, *, numbers: bool = False, last: int | None = None) -> str:
    """Board and stones in a square of this side, as the inside of an SVG.

    `numbers` writes on each stone the number of the move that put it there; `last` is marked by a dot.
    """
    size = position.size
    board, moves = (position.board, position.moves) if isinstance(position, Game) else (position, [])
    cell = side / size
    first, end = cell / 2, side - cell / 2

    def place(point: int) -> tuple[float, float]:
        row, column = divmod(point, size)
        return first + column * cell, first + row * cell

    lines = "".join(
        f"M{first:.1f} {first + i * cell:.1f}H{end:.1f}M{first + i * cell:.1f} {first:.1f}V{end:.1f}"
        for i in range(size)
    )
    parts = [
        f'<rect width="{side:g}" height="{side:g}" rx="3" fill="#e8c37a"/>'
        f'<path d="{lines}" stroke="#5a4420" stroke-width="0.5" fill="none"/>'
    ]
    order = {move: number for number, (_, move) in enumerate(moves, 1) if move != PASS} if numbers else {}
    for color, fill, ink in _STONES:
        for point in board.stones(color):
            x, y = place(point)
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.47 * cell:.2f}" fill="{fill}" stroke="#111" '
                'stroke-width="0.5"/>'
            )
            if point in order:
                parts.append(
                    f'<text x="{x:.1f}" y="{y + 0.14 * cell:.1f}" text-anchor="middle" font-size="{0.4 * cell:.1f}" '
                    f'fill="{ink}">{order[point]}</text>'
                )
    if last is not None and last != PASS and not numbers:
        x, y = place(last)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.2 * cell:.2f}" fill="#d33"/>')
    return "".join(parts)


def draw_board(
    position: Game | Board, *, numbers: bool = False, coordinates: bool = True, title: str = "", above: str = ""
) -> str:
    """The position as the text of an SVG file, the last move marked; `tesuji.draw_board(game, numbers=True)`.

    `above` is SVG drawn over the stones, where a point is `CELL` wide and the board begins at 0.
    """
    side, edge = CELL * position.size, CELL if coordinates else 0.0
    top = CELL if title else 0.0
    width, height = side + 2 * edge, side + 2 * edge + top
    last = position.moves[-1][1] if isinstance(position, Game) and position.moves else None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>'
    ]
    if title:
        parts.append(f'<text x="{width / 2:g}" y="16" text-anchor="middle" font-size="12">{escape(title)}</text>')
    parts.append(f'<g transform="translate({edge:g} {edge + top:g})">')
    parts.append(board_lines(position, side, numbers=numbers, last=last))
    if coordinates:
        parts.extend(_labels(position.size, side))
    return "".join([*parts, above, "</g></svg>"])


def shown_board(position: Game | Board, above: str = "") -> str:
    """The same as notebooks show it: no wider than it needs to be."""
    return draw_board(position, above=above).replace("<svg ", f'<svg style="max-width:{MOST_WIDTH}" ', 1)


def _labels(size: int, side: float) -> list[str]:
    found = []
    for i in range(size):
        letter, at = vertex_text(i, size)[0], CELL * (i + 0.5)
        above = [(letter, at, y) for y in (-7.0, side + 16)]
        beside = [(str(size - i), x, at + 4) for x in (-12.0, side + 12)]
        for text, x, y in above + beside:
            found.append(f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="11" fill="#555">{text}</text>')
    return found
