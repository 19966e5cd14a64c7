"""Batches for the trainer from the most recent self-play games, other games beside them where wanted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.learning.selfplay.shards import shards
from tesuji.training.data.batch import Batch
from tesuji.training.data.game_set import GameSet
from tesuji.training.run.batches import TensorBatch

_HELD_OUT = 0.05  # share of the window's games kept for validation
_POSITIONS = 2048
_CHUNK = 512
_DRAW = 3  # how the core numbers a drawn game; 1 is Black's win, 2 White's, as its colours


def recent(folders: Sequence[Path], games: int, said: Callable[[str], None] = lambda line: None) -> list[Path]:
    """The newest shards of these folders (oldest first) that together hold `games` games, or all there are.

    A shard that cannot be read is left out, with a word about it.
    """
    chosen: list[Path] = []
    left = games
    for folder in reversed(folders):
        for shard in reversed(shards(folder)):
            if left <= 0:
                return chosen[::-1]
            try:
                left -= len(GameSet(shard.path))
            except (ValueError, OSError) as fault:
                said(f"left out of the window: {fault}")
                continue
            chosen.append(shard.path)
    return chosen[::-1]


class WindowSource:
    """Positions that were searched in full, all equally likely; the trainer's `Source`.

    Some whole games are never trained on and show the losses. On small boards games resemble each other: what these
    losses say is whether training works, not how strong the network is. That is the gate's to say.
    """

    def __init__(
        self, paths: Sequence[Path], planes: str, size: int, *, q_share: float,
        other: Sequence[str] = (), other_share: float = 0.0, seed: int = 1,
    ) -> None:  # fmt: skip
        """`q_share` of a value target is the search's, the rest the game's result."""
        if not paths:
            raise InputError("no self-play game to learn from")
        games = GameSet(*paths, size=size)
        self.planes, self.size, self.q_share, self.seed = planes, games.size, q_share, seed
        held = max(1, int(_HELD_OUT * len(games)))
        chosen = np.random.default_rng(seed).choice(games.games, held, replace=False)
        self.held_out = games.subset(chosen)
        self.games = games.subset(np.setdiff1d(games.games, chosen)) if held < len(games) else games
        self.other = GameSet(*other, size=size) if other else None
        self.other_share = other_share if other else 0.0
        table = games.table()
        self._numbers, self._winners = table["game"].astype(np.uint64), table["winner"].astype(np.int64)
        own = np.isin(self._numbers, self.games.games)
        self.positions = int(table["targets"][own].sum())
        """Targets to train on."""
        if not self.positions or not int(table["targets"][~own].sum() or self.positions):
            raise InputError("the window holds no position that was searched in full")

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` positions, the other games' share among them."""
        exact = self.other_share * count
        others = int(exact) + int(np.random.default_rng(seed).random() < exact - int(exact))
        parts = [self._draw(self.games, count - others, seed)] if count > others else []
        if self.other is not None and others:
            parts.append(self.other.batch(others, self.planes, seed=seed + 1, threads=1))
        return TensorBatch.of(*parts)

    def validation(self) -> Iterator[TensorBatch]:
        """Positions of the games held out, always the same, never turned."""
        part = self.held_out if int(self.held_out.table()["targets"].sum()) else self.games
        for first in range(0, _POSITIONS, _CHUNK):
            yield TensorBatch.of(self._draw(part, _CHUNK, self.seed, first=first, symmetry=0))

    def _draw(self, games: GameSet, count: int, seed: int, **more: int) -> Batch:
        batch = games.batch(
            count, self.planes, seed=seed, threads=1, positions="positions", targets_only=True,
            first=more.get("first", 0), symmetry=more.get("symmetry", "random"),
        )  # fmt: skip
        return replace(batch, value=self._mixed(batch))

    def _mixed(self, batch: Batch) -> NDArray[np.float32]:
        """The search's value and the result, for the player to move."""
        winner = self._winners[np.searchsorted(self._numbers, batch.game)]
        won = np.where(winner == _DRAW, 0.5, winner == batch.to_play)
        mixed = self.q_share * batch.value + (1 - self.q_share) * won
        return np.where(winner == 0, batch.value, mixed).astype(np.float32)
