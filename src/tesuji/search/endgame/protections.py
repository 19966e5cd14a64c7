"""Moves in one's own territory that open dame will ask for: points that territory rules do not count.

Players often stop before the last neutral points are filled. Once they are, a chain that has no other way out is in
atari, and its owner fills a point of his own to save it. Servers that count by Japanese rules leave such points out.
"""

from collections.abc import Collection

from tesuji._core import BLACK, WHITE, Board, Color


def protections(board: Board, seki: Collection[int]) -> dict[int, Color]:
    """The points to be filled and who fills them, on a board without dead stones; stones in `seki` need none."""
    neutral = {point for point, owner in enumerate(board.area_owners()) if owner is None}
    board, found = board.copy(), dict[int, Color]()
    while (due := _due(board, neutral, set(seki))) is not None:
        point, color = due
        board.play(point, color)
        found[point] = color
    return found


def _due(board: Board, neutral: set[int], seki: set[int]) -> tuple[int, Color] | None:
    """The next such point, if there is one."""
    for color in (BLACK, WHITE):
        for chain in board.chains(color):
            liberties = set(board.liberty_points(chain[0]))
            shared, own = liberties & neutral, liberties - neutral
            if len(own) != 1 or not shared or seki.intersection(chain) or _joins(board, chain, shared, neutral):
                continue
            (point,) = own
            if _saves(board, point, color, neutral):
                return point, color
    return None


def _joins(board: Board, chain: list[int], shared: set[int], neutral: set[int]) -> bool:
    """Whether one of the shared liberties joins the chain to another of its colour that needs no help."""
    color = board.at(chain[0])
    others = {near for point in shared for near in board.neighbours(point) if board.at(near) == color}
    return any(len(set(board.liberty_points(other)) - neutral) > 1 for other in others.difference(chain))


def _saves(board: Board, point: int, color: Color, neutral: set[int]) -> bool:
    """Whether a stone there leaves its chain more than one liberty of its own: else nothing is saved by it."""
    after = board.copy()
    after.play(point, color)
    return len(set(after.liberty_points(point)) - neutral) > 1
