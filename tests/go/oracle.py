"""Go as slowly and plainly as the rules are written: flood fills, whole positions compared, nothing remembered.

The tests hold the fast core against it. It shares no code and no idea with it.
"""

from dataclasses import dataclass, field
from functools import cache

BLACK, WHITE, EMPTY = "X", "O", "."
PASS = -1
Position = tuple[str, ...]


def other(color: str) -> str:
    return WHITE if color == BLACK else BLACK


@cache
def neighbors(point: int, size: int) -> list[int]:
    row, column = divmod(point, size)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def region(stones: Position, point: int, size: int) -> tuple[set[int], set[int]]:
    """The connected points that look like `point`, and the other points that touch them."""
    inside, border, waiting = {point}, set(), [point]
    while waiting:
        for near in neighbors(waiting.pop(), size):
            if stones[near] != stones[point]:
                border.add(near)
            elif near not in inside:
                inside.add(near)
                waiting.append(near)
    return inside, border


def liberties(stones: Position, point: int, size: int) -> set[int]:
    return {near for near in region(stones, point, size)[1] if stones[near] == EMPTY}


def without(stones: Position, points: set[int]) -> Position:
    return tuple(EMPTY if point in points else stone for point, stone in enumerate(stones))


def after(stones: Position, point: int, color: str, size: int) -> Position:
    """The position after this stone: the opponent's chains without liberties go first, then the player's own."""
    stones = (*stones[:point], color, *stones[point + 1 :])
    for owner in (other(color), color):
        for near in (point, *neighbors(point, size)):
            if stones[near] == owner and not liberties(stones, near, size):
                stones = without(stones, region(stones, near, size)[0])
    return stones


@dataclass
class NaiveGame:
    size: int
    ko: str = "positional"
    suicide: bool = False
    to_play: str = BLACK
    positions: list[tuple[Position, str]] = field(default_factory=list)
    """Every position so far with the player who was to move in it, the start included."""
    captured: dict[str, int] = field(default_factory=lambda: {BLACK: 0, WHITE: 0})
    """Stones taken by each colour, suicides counting for the opponent."""

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions.append(((EMPTY,) * self.size**2, self.to_play))

    @property
    def stones(self) -> Position:
        return self.positions[-1][0]

    def why_illegal(self, point: int, color: str) -> str | None:
        """The rule against this move, or None."""
        if self.stones[point] != EMPTY:
            return "occupied"
        result = after(self.stones, point, color, self.size)
        lost = self.stones.count(color) + 1 - result.count(color)
        if lost and (lost == 1 or not self.suicide):
            return "suicide"
        opponent_moved_last = self.positions[-1][1] == color
        retakes = opponent_moved_last and len(self.positions) >= 2 and result == self.positions[-2][0]
        forbidden = {
            "simple": retakes,
            "positional": result in [stones for stones, _ in self.positions],
            "situational": (result, other(color)) in self.positions,
        }
        return None if not forbidden[self.ko] else "ko" if retakes else "superko"

    def refusals(self, color: str) -> list[str | None]:
        """For every point, the rule against playing there."""
        return [self.why_illegal(point, color) for point in range(self.size**2)]

    def play(self, move: int, color: str) -> None:
        result = self.stones
        if move != PASS:
            result = after(self.stones, move, color, self.size)
            self.captured[color] += self.stones.count(other(color)) - result.count(other(color))
            self.captured[other(color)] += self.stones.count(color) + 1 - result.count(color)
        self.to_play = other(color)
        self.positions.append((result, self.to_play))

    def owners(self) -> Position:
        """Each point's owner: its stone, or the only colour an empty region touches."""
        owners = list(self.stones)
        for point, stone in enumerate(self.stones):
            if stone == EMPTY:
                touching = {self.stones[near] for near in region(self.stones, point, self.size)[1]}
                owners[point] = touching.pop() if len(touching) == 1 else EMPTY
        return tuple(owners)

    def area_score(self) -> int:
        """Black's area minus White's."""
        owners = self.owners()
        return owners.count(BLACK) - owners.count(WHITE)

    def territory_score(self) -> int:
        """Black's surrounded points and prisoners minus White's."""
        empty = [owner for owner, stone in zip(self.owners(), self.stones, strict=True) if stone == EMPTY]
        surrounded = empty.count(BLACK) - empty.count(WHITE)
        return surrounded + self.captured[BLACK] - self.captured[WHITE]


def pass_alive(stones: Position, color: str, size: int) -> tuple[set[int], set[int]]:
    """Benson's definition, repeated until nothing changes: living stones, and the regions vital to one of them."""
    everyone = chains = chains_of(stones, color, size)
    outside = tuple(color if stone == color else "#" for stone in stones)
    regions = chains_of(outside, "#", size)

    def touches(area: frozenset[int], chain: frozenset[int]) -> bool:
        return any(near in chain for point in area for near in neighbors(point, size))

    def vital(area: frozenset[int], chain: frozenset[int]) -> bool:
        empty = [point for point in area if stones[point] == EMPTY]
        return touches(area, chain) and all(set(neighbors(point, size)) & chain for point in empty)

    while True:
        living = {chain for chain in chains if sum(vital(area, chain) for area in regions) >= 2}
        closed = {area for area in regions if not any(touches(area, chain) for chain in everyone - living)}
        if (living, closed) == (chains, regions):
            break
        chains, regions = living, closed
    enclosed = {area for area in regions if any(vital(area, chain) for chain in chains)}
    return {point for chain in chains for point in chain}, {point for area in enclosed for point in area}


def chains_of(stones: Position, color: str, size: int) -> set[frozenset[int]]:
    return {frozenset(region(stones, p, size)[0]) for p, stone in enumerate(stones) if stone == color}
