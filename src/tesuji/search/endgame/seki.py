"""Stones that a network takes for dead and that live in seki, proved by reading the points shared with the enemy."""

from tesuji.search.endgame.fights import Fight, fights
from tesuji.search.endgame.reading import can_capture
from tesuji.search.endgame.settlement import SIGN, Settlement


def with_seki(settlement: Settlement) -> Settlement:
    """The same where stones called dead that neither side can take stay their owners', what lies between nobody's."""
    board, dead = settlement.board, set(settlement.dead)
    living, between = set[int](), set[int]()
    for fight in fights(board, dead):
        if saved := _saved(fight, dead):
            living |= saved
            between |= fight.empty
    if not living:
        return settlement
    owners = board.without(sorted(dead - living)).area_owners()
    owned = settlement.owned.reshape(-1).copy()
    for point in living | between:
        owner = owners[point]
        owned[point] = 0.0 if owner is None else SIGN[owner]
    return Settlement(board, owned.reshape(settlement.owned.shape))


def _saved(fight: Fight, dead: set[int]) -> set[int]:
    """The dead stones, if none of them can be taken, nor the enemies that share their liberties."""
    ours, rivals = fight.of(fight.color), fight.rivals(fight.color)
    stones = {stone for chain in ours for stone in chain}
    if not rivals or not stones <= dead or fight.has_friends(fight.color):
        return set()
    if _lost(fight, ours) or any(_lost(fight, [other]) for other in rivals):
        return set()
    return stones


def _lost(fight: Fight, chains: list[list[int]]) -> bool:
    """Whether one of these chains can be taken by who moves first."""
    return can_capture(fight.board, [chain[0] for chain in chains], fight.points)
