"""Stones that die whenever the opponent likes: bent four in the corner, and what is like it.

The opponent cannot be touched, and may begin the last fight, a ko at the worst for him, once he has taken every threat
away; who waits for it can do nothing himself. Players call such stones dead without a move being played, though a
network may see a seki there: nobody moves.
"""

from collections.abc import Collection

import numpy as np

from tesuji._core import Board, Color
from tesuji.search.endgame.fights import Fight, fights
from tesuji.search.endgame.reading import can_capture, moves_on, surely_captures
from tesuji.search.endgame.settlement import FIRM, SIGN, Settlement

_MOST_WAITING = 2  # moves in a row that the owner may make to no end: more are too many to read


def with_lost_at_leisure(settlement: Settlement, stones: Collection[int]) -> Settlement:
    """The same where what the opponent takes at his leisure is his; `stones` are those whose life is to be asked."""
    owned = settlement.owned.reshape(-1).copy()
    found = False
    for fight in fights(settlement.board, stones):
        for color in SIGN:
            if _is_walled_in(fight, color, settlement) and _is_lost(fight, color):
                owned[sorted(fight.points)] = SIGN[color.opponent]
                found = True
    return Settlement(settlement.board, owned.reshape(settlement.owned.shape)) if found else settlement


def _is_walled_in(fight: Fight, color: Color, settlement: Settlement) -> bool:
    """Whether the fight is between these stones and some inside, and all enemies around are their owner's for sure."""
    if not fight.of(color) or not fight.rivals(color) or fight.has_friends(color):
        return False
    board, flat = fight.board, SIGN[color.opponent] * settlement.owned.reshape(-1)
    around = {near for point in fight.points for near in board.neighbours(point)} - fight.points
    return all(float(np.mean(flat[board.chain(point)])) >= FIRM for point in around if board.at(point) is not None)


def _is_lost(fight: Fight, color: Color) -> bool:
    """Whether the opponent takes every chain of a colour when he likes, and has nothing to fear until then."""
    rivals, points = [chain[0] for chain in fight.rivals(color)], fight.points
    if can_capture(fight.board, rivals, points):
        return False
    return all(_falls_at_leisure(fight.board, color, chain[0], points) for chain in fight.of(color))


def _falls_at_leisure(board: Board, color: Color, stone: int, points: set[int], waiting: int = _MOST_WAITING) -> bool:
    """Whether a stone is taken once its owner has no threats, and cannot be saved by him with all threats he likes."""
    if board.at(stone) != color:
        return True
    if not surely_captures(board, [stone], points, threats=color.opponent):
        return False
    for _, after in moves_on(board, color, points):
        answered = surely_captures(after, [stone], points, threats=color)
        if not answered and not (waiting and _falls_at_leisure(after, color, stone, points, waiting - 1)):
            return False
    return True
