"""Training and validation positions from packed files: shares by file, nothing of validation ever trained on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.training.data.game_set import GameSet, Positions
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import ConfigError, TrainConfig
from tesuji.training.run.forgetting import Forgetting

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
        opened = _opened(config)
        self.size = config.size or opened[0][0].size
        self.held_out = _held_out(config, [parts for sets in opened for parts in sets], self.size)
        left = [[part.without(self.held_out) for part in sets] for sets in opened]
        for path, sets in zip(config.data, left, strict=True):
            if not all(len(part) for part in sets):
                raise ConfigError(f"validation leaves no game of '{path}' to learn from; hold out fewer games")
            for part in sets:
                check_no_leak(part, self.held_out)
        self.parts = [part for sets in left for part in sets]
        shares = _shares(config, left)
        sizes = sorted({part.size for part in self.parts}, key=lambda size: (size != self.size, size))
        of_size = [[i for i, part in enumerate(self.parts) if part.size == size] for size in sizes]
        self._mixtures = [_Mixture([self.parts[i] for i in own], shares[own], config) for own in of_size]
        self._size_shares = np.array([shares[own].sum() for own in of_size])
        if config.endings and not any(mixture.counted.any() for mixture in self._mixtures):
            raise ConfigError("no game of the data was counted to its end; leave out endings")
        self._forget = Forgetting(config.forget, self.planes)
        self._chosen = _validation_positions(self.held_out, config)

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` positions of one board size, of each file as many as its share says."""
        lot = 0 if len(self._mixtures) == 1 else _one_by_lot(self._size_shares, seed)
        return self._forget(self._mixtures[lot].training(count, seed, self.planes), seed)

    def validation(self) -> Iterator[TensorBatch]:
        """One position of every game held out, always the same, never turned."""
        games, moves = self._chosen
        for start in range(0, len(games), _CHUNK):
            part = slice(start, start + _CHUNK)
            yield TensorBatch.of(self.held_out.at(games[part], moves[part], self.planes))


class _Mixture:
    """Files of one board size and the share of each in a batch."""

    def __init__(self, parts: list[GameSet], shares: NDArray[np.float64], config: TrainConfig) -> None:
        self.parts = parts
        self._shares = shares / shares.sum() if shares.sum() else shares
        self._uniform: Positions = "positions" if config.positions == "positions" else "games"
        # A record with targets (a teacher's) is there for those positions alone.
        self._targets = [bool((part.table()["targets"] > 0).any()) for part in parts]
        self.counted = np.array([int((part.table()["counts"] > 0).sum()) for part in parts], np.float64)
        self._move_share = config.move_share
        self._endings = config.endings if self.counted.any() else 0.0
        self._ending_moves = config.ending_moves

    def training(self, count: int, seed: int, planes: str) -> TensorBatch:
        """`count` positions, of each file as many as its share says, the rest by lot; endings beside them."""
        last = round(count * self._endings)
        counts = _counts(count - last, self._shares, seed)
        drawn = []
        for index, (part, n, targets) in enumerate(zip(self.parts, counts, self._targets, strict=True)):
            if n:
                batch = part.batch(
                    int(n), planes, seed=seed + index, threads=1, targets_only=targets, positions=self._uniform
                )
                # The rows are drawn by lot, so the first ones are as good as any.
                batch.policy_mask[: 0 if targets else round(n * (1 - self._move_share))] = 0
                drawn.append(batch)
        if last:
            ends = _counts(last, self.counted / self.counted.sum(), seed)
            drawn += [
                part.endings(int(n), planes, seed=seed + index, moves=self._ending_moves, threads=1)
                for index, (part, n) in enumerate(zip(self.parts, ends, strict=True))
                if n
            ]
        return TensorBatch.of(*drawn)


def _opened(config: TrainConfig) -> list[list[GameSet]]:
    """For each file one set, all of one board size; with `mixed` one for each size in it, the first the main one."""
    if config.mixed:
        return [GameSet.of_each_size(path) for path in config.data]
    parts = [GameSet(path, size=config.size) for path in config.data]
    sizes = {part.size for part in parts}
    if len(sizes) > 1:
        listed = ", ".join(f"{path} {part.size}x{part.size}" for path, part in zip(config.data, parts, strict=True))
        raise ConfigError(
            f"the data are of different board sizes ({listed}); choose one with --set size=N, "
            "or learn from all of them with --set mixed=true"
        )
    return [[part] for part in parts]


def _held_out(config: TrainConfig, parts: list[GameSet], size: int) -> GameSet:
    """The games to validate on: of files of their own, or split off the first file with boards of this size."""
    if config.validation:
        return GameSet(*config.validation, size=size)
    first = next((part for part in parts if part.size == size), None)
    if first is None:
        raise ConfigError(f"no board of {size}x{size} in the data to validate on; give one with --validation")
    games = config.validation_games or max(1, min(_MOST, len(first) // 10))
    return first.split(games, seed=config.validation_seed)[1]


def _shares(config: TrainConfig, sets: list[list[GameSet]]) -> NDArray[np.float64]:
    """The share of every set; a file's is divided among its board sizes by their positions."""
    positions = [np.array([_positions(part) for part in own], np.float64) for own in sets]
    weights = np.array(config.weights or [own.sum() for own in positions], np.float64)
    if not (weights >= 0).all() or not weights.sum() > 0:
        raise ConfigError(f"weights are {list(config.weights)}; they must not be negative, and one above 0")
    shares = np.concatenate([weight * own / own.sum() for weight, own in zip(weights, positions, strict=True)])
    return np.asarray(shares / shares.sum(), np.float64)


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


def _one_by_lot(shares: NDArray[np.float64], seed: int) -> int:
    return int(np.random.default_rng((seed, len(shares))).choice(len(shares), p=shares / shares.sum()))
