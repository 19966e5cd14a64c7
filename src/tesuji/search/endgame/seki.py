"""Stones that a network takes for dead and that live in seki, proved by reading the points shared with the enemy."""

from collections.abc import Iterable
from dataclasses import dataclass

from tesuji._core import BLACK, WHITE, Board, Color
from tesuji.search.endgame.reading import can_capture
from tesuji.search.endgame.settlement import SIGN, Settlement

_MOST_EMPTY = 8  # points of one fight: more are nobody's seki, and too many to read


def with_seki(settlement: Settlement) -> Settlement:
    """The same where stones called dead that neither side can take stay their owners', what lies between nobody's."""
    board, dead = settlement.board, set(settlement.dead)
    living, between = set[int](), set[int]()
    for fight in _fights(board, dead):
        if saved := fight.saved(dead):
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


@dataclass(frozen=True)
class _Fight:
    """A few empty points, and the chains that have no liberty elsewhere."""

    board: Board
    color: Color
    """Whose stones are said to be dead."""
    empty: set[int]
    chains: list[list[int]]

    def saved(self, dead: set[int]) -> set[int]:
        """The dead stones, if none of them can be taken, nor the enemies that share their liberties."""
        ours = [chain for chain in self.chains if self.board.at(chain[0]) == self.color]
        stones = {stone for chain in ours for stone in chain}
        theirs = [chain for chain in self.chains if self.board.at(chain[0]) != self.color]
        rivals = [other for other in theirs if any(self._share(chain, other) for chain in ours)]
        if not rivals or not stones <= dead or self._has_friends(stones):
            return set()
        if self._lost(ours) or any(self._lost([other]) for other in rivals):
            return set()
        return stones

    def _has_friends(self, stones: set[int]) -> bool:
        """Whether other stones of the colour reach into the fight: more than these points would have to be read."""
        beside = {near for point in self.empty for near in self.board.neighbours(point)}
        return any(self.board.at(point) == self.color and point not in stones for point in beside)

    def _share(self, chain: list[int], other: list[int]) -> bool:
        """Whether two chains have a liberty in common."""
        return bool(set(self.board.liberty_points(chain[0])).intersection(self.board.liberty_points(other[0])))

    def _lost(self, chains: list[list[int]]) -> bool:
        """Whether one of these chains can be taken by who moves first."""
        points = self.empty.union(*self.chains)
        return can_capture(self.board, [chain[0] for chain in chains], points)


def _fights(board: Board, dead: set[int]) -> Iterable[_Fight]:
    """Where dead stones stand in few empty points."""
    safe = {point for color in SIGN for point in board.pass_alive(color)[0]}
    left = set(dead)
    while left:
        first = left.pop()
        color = board.at(first)
        assert color is not None
        empty = _grown(board, first, dead, safe)
        all_chains = [chain for each in (BLACK, WHITE) for chain in board.chains(each)]
        chains = [chain for chain in all_chains if empty.issuperset(board.liberty_points(chain[0]))]
        left -= {stone for chain in chains if board.at(chain[0]) == color for stone in chain}
        left.difference_update(board.chain(first))
        if any(first in chain for chain in chains):
            yield _Fight(board, color, empty, chains)


def _grown(board: Board, first: int, dead: set[int], safe: set[int]) -> set[int]:
    """The empty points around a chain, and around those it fights with as long as there are few of them."""
    empty = set[int]()
    around = [board.chain(first)]
    seen = set[int]()
    while around:
        # The nearest to being taken first: those with room elsewhere are no part of the fight.
        additions = [(_room(board, chain) - empty, chain) for chain in around]
        more, chain = min(additions, key=lambda each: (len(each[0]), each[1]))
        if len(empty) + len(more) > _MOST_EMPTY:
            break
        empty |= more
        seen.update(chain)
        beside = {near for point in [*chain, *empty] for near in board.neighbours(point)}
        stones = [point for point in beside if board.at(point) is not None and point not in seen | safe]
        wanted = [point for point in stones if point in dead or board.at(point) != board.at(first)]
        around = [board.chain(point) for point in wanted]
    return empty


def _room(board: Board, chain: list[int]) -> set[int]:
    """The empty regions that a chain touches."""
    room, front = set[int](), board.liberty_points(chain[0])
    while front and len(room) <= _MOST_EMPTY:
        point = front.pop()
        if point not in room:
            room.add(point)
            front += [near for near in board.neighbours(point) if board.at(near) is None]
    return room
