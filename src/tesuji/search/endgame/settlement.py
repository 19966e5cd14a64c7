"""What is settled on a board and what is still to be played, read off who will own each point."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tesuji._core import BLACK, WHITE, Board, Color
from tesuji.features.evaluation import Floats

SIGN = {BLACK: 1.0, WHITE: -1.0}
FIRM = 0.8  # ownership, either way, from which a point counts as somebody's
LEANING = 0.5  # the same for ground that only one colour touches


def with_proofs(board: Board, owned: Floats) -> Floats:
    """The ownership `[N, N]` with what Benson's theorem proves put in its place."""
    proved = owned.astype(np.float32).reshape(-1).copy()
    for color, sign in SIGN.items():
        stones, regions = board.pass_alive(color)
        proved[[*stones, *regions]] = sign
    return proved.reshape(owned.shape)


@dataclass(frozen=True)
class Settlement:
    """A board and who will own each point of it, proofs included."""

    board: Board
    owned: Floats
    """`[N, N]` from -1 (White's) to 1 (Black's)."""

    @classmethod
    def of(cls, board: Board, owned: Floats) -> "Settlement":
        """From an ownership that knows no proofs yet."""
        return cls(board, with_proofs(board, owned))

    @cached_property
    def unsettled(self) -> list[list[int]]:
        """Chains whose life or death is open."""
        flat = self.owned.reshape(-1)
        chains = [chain for color in SIGN for chain in self.board.chains(color)]
        return [chain for chain in chains if abs(float(np.mean(flat[chain]))) < FIRM]

    @cached_property
    def dead(self) -> set[int]:
        """Stones that stand on the opponent's points."""
        flat = self.owned.reshape(-1)
        return {
            point
            for color, sign in SIGN.items()
            for chain in self.board.chains(color)
            if float(np.mean(flat[chain])) * sign < 0
            for point in chain
        }

    @cached_property
    def _open_regions(self) -> list[set[int]]:
        """Connected empty points that are nobody's for certain."""
        flat = self.owned.reshape(-1)
        left = {p for p in range(self.board.size**2) if self.board.at(p) is None and abs(float(flat[p])) < FIRM}
        regions = []
        while left:
            region, front = set[int](), [left.pop()]
            while front:
                point = front.pop()
                region.add(point)
                beside = [other for other in self.board.neighbours(point) if other in left]
                left.difference_update(beside)
                front += beside
            regions.append(region)
        return regions

    def _touches(self, point: int) -> set[Color]:
        """Colours whose living stones stand beside a point."""
        beside = {p: self.board.at(p) for p in self.board.neighbours(point) if p not in self.dead}
        return {color for color in beside.values() if color is not None}

    @cached_property
    def dame(self) -> set[int]:
        """Empty points between living stones of both colours: worth a point by area, none by territory."""
        regions = (region for region in self._open_regions if all(len(self._touches(p)) == 2 for p in region))
        return set().union(*regions)

    @cached_property
    def open_borders(self) -> list[set[int]]:
        """Empty regions in which territory is still to be won."""
        return [region for region in self._open_regions if not region <= self.dame and not self._leans(region)]

    def _leans(self, region: set[int]) -> bool:
        """Whether a region is by and large one colour's, and no living stone of the other stands beside it."""
        around = set[Color]().union(*(self._touches(point) for point in region))
        owned = float(np.mean(self.owned.reshape(-1)[list(region)]))
        owner = BLACK if owned > 0 else WHITE
        return abs(owned) >= LEANING and around <= {owner}

    @property
    def finished(self) -> bool:
        """Whether nothing but dame is left."""
        return not self.unsettled and not self.open_borders

    def still_to_play(self, area_rules: bool) -> Iterable[int]:
        """Empty points where a move may gain something: open borders, and dame where they count."""
        yield from sorted(set().union(*self.open_borders))
        if area_rules:
            yield from sorted(self.dame)
