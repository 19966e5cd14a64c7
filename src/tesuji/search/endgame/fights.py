"""Where stones of both colours share a few empty points and have no liberty elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tesuji._core import BLACK, WHITE, Board, Color
from tesuji.search.endgame.settlement import SIGN

_MOST_EMPTY = 8  # points of one fight: more are nobody's seki, and too many to read


@dataclass(frozen=True)
class Fight:
    """A few empty points, and the chains that have no liberty elsewhere."""

    board: Board
    color: Color
    """Of the stones the fight was looked for."""
    empty: set[int]
    chains: list[list[int]]

    @cached_property
    def points(self) -> set[int]:
        """All points that are played on."""
        return self.empty.union(*self.chains)

    def of(self, color: Color) -> list[list[int]]:
        """The chains of a colour."""
        return [chain for chain in self.chains if self.board.at(chain[0]) == color]

    def rivals(self, color: Color) -> list[list[int]]:
        """The chains of the other colour that share a liberty with one of this."""
        return [
            other for other in self.of(color.opponent) if any(self._share(chain, other) for chain in self.of(color))
        ]

    def has_friends(self, color: Color) -> bool:
        """Whether other stones of the colour reach into the fight: more than these points would have to be read."""
        beside = {near for point in self.empty for near in self.board.neighbours(point)}
        return any(self.board.at(point) == color and point not in self.points for point in beside)

    def _share(self, chain: list[int], other: list[int]) -> bool:
        """Whether two chains have a liberty in common."""
        return bool(set(self.board.liberty_points(chain[0])).intersection(self.board.liberty_points(other[0])))


def fights(board: Board, stones: Iterable[int]) -> Iterable[Fight]:
    """Where these stones stand in few empty points."""
    safe = {point for color in SIGN for point in board.pass_alive(color)[0]}
    wanted = set(stones)
    left = set(wanted)
    while left:
        first = left.pop()
        color = board.at(first)
        assert color is not None
        empty = _grown(board, first, wanted, safe)
        all_chains = [chain for each in (BLACK, WHITE) for chain in board.chains(each)]
        chains = [chain for chain in all_chains if empty.issuperset(board.liberty_points(chain[0]))]
        left -= {stone for chain in chains if board.at(chain[0]) == color for stone in chain}
        left.difference_update(board.chain(first))
        if any(first in chain for chain in chains):
            yield Fight(board, color, empty, chains)


def _grown(board: Board, first: int, wanted: set[int], safe: set[int]) -> set[int]:
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
        reached = [point for point in stones if point in wanted or board.at(point) != board.at(first)]
        around = [board.chain(point) for point in reached]
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
