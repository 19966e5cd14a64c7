"""Training and validation positions from packed files: shares by file, nothing of validation ever trained on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.training.data.game_set import GameSet, Positions
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import ConfigError, TrainConfig

_MOST = 10_000  # validation games when nobody says how many
_CHUNK = 512


class LeakError(InputError):
    """Training and validation share a game."""


def check_no_leak(train: GameSet, validation: GameSet) -> None:
    """Raises `LeakError` if a training game is a validation game, a duplicate of one (also turned), or a part of one.

    `GameSet.split` and `GameSet.without` make sets that pass.
    """
    shared = train.shared_with(validation)
    if len(shared):
        named = ", ".join(str(game) for game in shared[:5]) + (", ..." if len(shared) > 5 else "")
        raise LeakError(
            f"{len(shared)} of {len(train)} training games are also validation games ({named}); "
            "take train.without(validation)"
        )


class GameSource:
    """Batches of packed files as a configuration asks for them."""

    def __init__(self, config: TrainConfig) -> None:
        """Opens the files and splits them. Raises `ValueError` or `FileNotFoundError` for files that will not do."""
        if not config.data:
            raise ConfigError("nothing to learn from: give packed files with --data (see `tesuji data pack`)")
        for path in (*config.data, *config.validation):
            if not Path(path).is_file():
                raise FileNotFoundError(f"no data file '{path}'; make one with `tesuji data pack`")
        assert config.planes is not None
        self.planes = config.planes
        parts = _open(config)
        self.size = parts[0].size
        if config.validation:
            held_out = GameSet(*config.validation, size=self.size)
        else:
            games = config.validation_games or max(1, min(_MOST, len(parts[0]) // 10))
            _, held_out = parts[0].split(games, seed=config.validation_seed)
        self.held_out = held_out
        self.parts = [part.without(held_out) for part in parts]
        for path, part in zip(config.data, self.parts, strict=True):
            if len(part) == 0:
                raise ConfigError(f"validation leaves no game of '{path}' to learn from; hold out fewer games")
            check_no_leak(part, held_out)
        self._uniform: Positions = "positions" if config.positions == "positions" else "games"
        # A record with targets (a teacher's) is there for those positions alone.
        self._targets = [bool((part.table()["targets"] > 0).any()) for part in self.parts]
        shares = np.array(config.weights or [_positions(part) for part in self.parts], np.float64)
        if not (shares >= 0).all() or not shares.sum() > 0:
            raise ConfigError(f"weights are {list(config.weights)}; they must not be negative, and one above 0")
        self._shares = shares / shares.sum()
        self._chosen = _validation_positions(held_out, config)
        self._move_share = config.move_share
        self._endings, self._ending_moves = config.endings, config.ending_moves
        self._counted = np.array([int((part.table()["counts"] > 0).sum()) for part in self.parts], np.float64)
        if config.endings and not self._counted.any():
            raise ConfigError("no game of the data was counted to its end; leave out endings")

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` positions, of each file as many as its share says, the rest by lot; endings beside them."""
        last = round(count * self._endings)
        counts = _counts(count - last, self._shares, seed)
        drawn = []
        for index, (part, n, targets) in enumerate(zip(self.parts, counts, self._targets, strict=True)):
            if n:
                batch = part.batch(
                    int(n), self.planes, seed=seed + index, threads=1, targets_only=targets, positions=self._uniform
                )
                # The rows are drawn by lot, so the first ones are as good as any.
                batch.policy_mask[: 0 if targets else round(n * (1 - self._move_share))] = 0
                drawn.append(batch)
        if last:
            ends = _counts(last, self._counted / self._counted.sum(), seed)
            drawn += [
                part.endings(int(n), self.planes, seed=seed + index, moves=self._ending_moves, threads=1)
                for index, (part, n) in enumerate(zip(self.parts, ends, strict=True))
                if n
            ]
        return TensorBatch.of(*drawn)

    def validation(self) -> Iterator[TensorBatch]:
        """One position of every game held out, always the same, never turned."""
        games, moves = self._chosen
        for start in range(0, len(games), _CHUNK):
            part = slice(start, start + _CHUNK)
            yield TensorBatch.of(self.held_out.at(games[part], moves[part], self.planes))


def _open(config: TrainConfig) -> list[GameSet]:
    """One set for each file, all of one board size."""
    parts = [GameSet(path, size=config.size) for path in config.data]
    sizes = {part.size for part in parts}
    if len(sizes) > 1:
        listed = ", ".join(f"{path} {part.size}x{part.size}" for path, part in zip(config.data, parts, strict=True))
        raise ConfigError(f"the data are of different board sizes ({listed}); choose one with --set size=N")
    return parts


def _positions(part: GameSet) -> int:
    table = part.table()
    return int(table["targets"].sum() or table["moves"].sum())


def _validation_positions(games: GameSet, config: TrainConfig) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    numbers, moves = games.one_of_each(seed=config.validation_seed)
    if not len(numbers):
        raise ConfigError("no validation game has a move to predict")
    order = np.random.default_rng(config.validation_seed).permutation(len(numbers))[: config.validation_positions]
    return numbers[order], moves[order]


def _counts(count: int, shares: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
    """Whole numbers that add up to `count`, in expectation exactly the shares."""
    exact = shares * count
    counts = np.floor(exact).astype(np.int64)
    left = int(count - counts.sum())
    if left:
        rest = exact - counts
        drawn = np.random.default_rng(seed).choice(len(shares), left, p=rest / rest.sum())
        counts += np.bincount(drawn, minlength=len(shares))
    return counts
