"""A position as plainly as one can write it down, for the slow planes and ladders.

Boards are dicts from (row, column) to "X" (Black) or "O" (White), newest first.
"""

from dataclasses import dataclass

Place = tuple[int, int]
Stones = dict[Place, str]


def other(color: str) -> str:
    return "O" if color == "X" else "X"


@dataclass
class SlowPosition:
    size: int
    to_play: str
    komi: float
    boards: list[Stones]
    """Newest first."""
    moves: list[Place | None]
    """All moves so far, newest first; None is a pass."""
    ko: Place | None = None

    def around(self, place: Place) -> list[Place]:
        row, column = place
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def chain(self, stones: Stones, place: Place) -> set[Place]:
        chain, waiting = {place}, [place]
        while waiting:
            for near in self.around(waiting.pop()):
                if stones.get(near) == stones[place] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain

    def liberties(self, stones: Stones, place: Place) -> set[Place]:
        return {n for stone in self.chain(stones, place) for n in self.around(stone) if n not in stones}

    def chains(self, stones: Stones) -> list[set[Place]]:
        found: list[set[Place]] = []
        for place in stones:
            if not any(place in chain for chain in found):
                found.append(self.chain(stones, place))
        return found

    def after(self, stones: Stones, place: Place, color: str) -> Stones | None:
        """The board after a stone, or None where it is occupied or suicide."""
        if place in stones:
            return None
        result = {**stones, place: color}
        for near in self.around(place):
            if result.get(near) == other(color) and not self.liberties(result, near):
                for dead in self.chain(result, near):
                    del result[dead]
        return result if self.liberties(result, place) else None

    def ko_after(self, stones: Stones, result: Stones, place: Place) -> Place | None:
        taken = [p for p in stones if p not in result]
        single = len(self.chain(result, place)) == 1 and len(self.liberties(result, place)) == 1
        return taken[0] if len(taken) == 1 and single else None

    def legal(self, place: Place) -> Stones | None:
        return None if place == self.ko else self.after(self.boards[0], place, self.to_play)
