"""What a search found, frozen at the moment it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import BLACK, WHITE, Game, MoveStatistics
from tesuji.base.field_help import with_field_help
from tesuji.base.frames import frame_of
from tesuji.base.quantities import counted
from tesuji.go.coordinates import vertex_text

if TYPE_CHECKING:
    import pandas


@with_field_help
@dataclass(frozen=True)
class RootMove:
    """One move of the root."""

    move: int
    """A point number or `tesuji.PASS`."""
    visits: int
    value: float
    """Mean win probability for the player to move; the network's value of the root while it has no visits."""
    prior: float
    """The network's, before any noise."""
    deviation: float = 0.0
    """Standard deviation of the values found below it."""
    black_score: float | None = None
    """Mean lead of Black below it, komi taken off; None without visits or where the network tells no score."""
    proven: bool | None = None
    """True for a proven win of the player to move, False for a proven loss, None while open."""
    pv: tuple[int, ...] = ()
    """The most visited continuation, this move first."""
    pv_visits: tuple[int, ...] = ()
    """Visits of each move of it."""

    def shortened(self, length: int) -> "RootMove":
        """The same with a variation of at most so many moves."""
        return self if len(self.pv) <= length else replace(self, pv=self.pv[:length], pv_visits=self.pv_visits[:length])

    @property
    def lcb(self) -> float:
        """Lower confidence bound of the value: what the move is worth at least, but for bad luck."""
        if self.proven is not None:
            return float(self.proven)
        if self.visits < 2:
            return self.value - 1.0
        # A floor under the deviation: a few equal values do not make certainty.
        spread = max(self.deviation, 0.5 / self.visits**0.5)
        return float(self.value - 1.96 * spread / self.visits**0.5)


@dataclass(frozen=True)
class TreeMove:
    """One move of the tree with the moves after it, as `SearchResult.tree` tells it."""

    move: int
    visits: int
    value: float
    prior: float
    children: tuple["TreeMove", ...] = ()


@with_field_help
@dataclass(frozen=True)
class SearchResult:
    """What a search found. Moves are point numbers or `tesuji.PASS`; `value` belongs to the player to move."""

    position: Game
    """The position searched (a copy)."""
    move: int
    """The move chosen by the options' `choice`."""
    moves: tuple[RootMove, ...]
    """Every legal move, most visited first."""
    value: float
    """Win probability of the player to move: that of the most visited move."""
    root_visits: int
    """Descents through the root, those of earlier searches included."""
    descents: int
    """Descents of this search."""
    evaluations: int
    """Positions the network judged for them; the others ended by the rules."""
    seconds: float
    depth: int
    """Moves of the longest descent."""
    nodes: int
    memory: int
    """Bytes the tree holds."""
    memory_full: bool
    """Whether the memory limit ended the search."""
    black_score: float | None
    """Mean lead of Black over the tree, komi taken off, where the network tells one."""
    black_ownership: NDArray[np.float32] | None
    """`[N, N]`, -1 (White's) to 1 (Black's), mean over this search's evaluations."""
    network_value: float
    """What the network alone says of the position, for the player to move."""
    waited: float = 0.0
    """Seconds that threads have waited for each other at the tree since it was made, together."""
    improved_policy: dict[int, float] | None = None
    """Gumbel's training target, where the root was searched by sequential halving."""
    _subtree: Callable[[int, int], list[MoveStatistics]] | None = field(default=None, repr=False, compare=False)

    @property
    def visits(self) -> dict[int, int]:
        """Visits of every legal move, most visited first."""
        return {move.move: move.visits for move in self.moves}

    @property
    def values(self) -> dict[int, float]:
        """Mean value of every visited move, for the player to move."""
        return {move.move: move.value for move in self.moves if move.visits}

    @property
    def priors(self) -> dict[int, float]:
        """The network's prior of every legal move."""
        return {move.move: move.prior for move in self.moves}

    @property
    def chosen(self) -> RootMove:
        """The statistics of the chosen move."""
        return next(move for move in self.moves if move.move == self.move)

    @property
    def pv(self) -> tuple[int, ...]:
        """The most visited continuation after the chosen move, that move first."""
        return self.chosen.pv

    @property
    def vertex(self) -> str:
        """The chosen move as text: `E5` or `pass`."""
        return vertex_text(self.move, self.position.size)

    @property
    def line(self) -> str:
        """The continuation `pv` as text: `E5 D4 pass`."""
        return " ".join(vertex_text(move, self.position.size) for move in self.pv)

    @property
    def white_winrate(self) -> float:
        """White's win probability."""
        return self.value if self.position.to_play == WHITE else 1.0 - self.value

    @property
    def black_winrate(self) -> float:
        """Black's win probability."""
        return self.value if self.position.to_play == BLACK else 1.0 - self.value

    @property
    def descents_per_second(self) -> float:
        return self.descents / self.seconds if self.seconds > 0 else 0.0

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each visited move, most visited first; `winrate` is that of the player to move."""
        size = self.position.size
        return [
            {
                "move": vertex_text(one.move, size),
                "visits": one.visits,
                "winrate": round(one.value, 4),
                "prior": round(one.prior, 4),
                "black_score": None if one.black_score is None else round(float(one.black_score), 2),
                "line": " ".join(vertex_text(move, size) for move in one.pv),
            }
            for one in self.moves
            if one.visits
        ]

    def to_frame(self) -> "pandas.DataFrame":
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())

    def __repr__(self) -> str:
        return (
            f"SearchResult({self.vertex}, {self.chosen.visits} of {counted(self.root_visits, 'visit')}, "
            f"Black wins {self.black_winrate:.0%}, line {self.line})"
        )

    def _repr_svg_(self) -> str:
        """The board with the moves looked at: how a notebook shows it."""
        from tesuji.search.picture import draw_candidates

        return draw_candidates(self)

    def policy(self) -> NDArray[np.float32]:
        """Shares of the visits as a training target, `[N*N + 1]`, pass last."""
        area = self.position.size**2
        target = np.zeros(area + 1, np.float32)
        for move in self.moves:
            target[move.move] = move.visits  # PASS is -1: the last entry
        total = target.sum()
        if total == 0:
            for move in self.moves:
                target[move.move] = move.prior
            total = target.sum()
        target /= total
        return target

    def tree(self, depth: int = 3, width: int = 3) -> tuple[TreeMove, ...]:
        """The `width` most visited moves of every node, `depth` moves deep.

        Raises `ValueError` once the search has gone on to another position.
        """
        if self._subtree is None:
            raise ValueError("this result was made without its tree")
        told = self._subtree(depth, width)
        children: dict[int, list[int]] = {}
        for index, move in enumerate(told):
            children.setdefault(move.parent, []).append(index)

        def below(index: int, game: Game) -> tuple[TreeMove, ...]:
            # Positions are shared: one reached another way may know moves that superko forbids on this path.
            legal = [child for child in children.get(index, ()) if game.is_legal(told[child].move)]
            return tuple(build(child, game.copy()) for child in legal)

        def build(index: int, game: Game) -> TreeMove:
            move = told[index]
            game.play(move.move)
            return TreeMove(move.move, move.visits, move.value, move.prior, below(index, game))

        return below(-1, self.position)

    def picture(self, depth: int = 3, width: int = 3, decimal: str = ".") -> str:
        """The tree drawn as SVG: boards on the nodes, statistics on the edges, with this decimal mark."""
        from tesuji.search.picture import draw_tree

        return draw_tree(self.position, self.tree(depth, width), self.root_visits, decimal)

    def picture_png(self, depth: int = 3, width: int = 3, zoom: float = 2.0) -> bytes:
        """The same as PNG. Raises `ImportError` without the extra `tesuji-go[plot]`."""
        from tesuji.base.pixels import as_png

        return as_png(self.picture(depth, width), zoom)
