"""Packed games as one set to draw training positions from."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tesuji._core import Drawing, GamePool, PackedFile, PackedRecord, PlaneSet, PositionShuffle
from tesuji.base.errors import InputError
from tesuji.base.machine import cores
from tesuji.base.quantities import counted
from tesuji.features.planes import plane_set
from tesuji.training.data.batch import Batch, empty_arrays

Path = str | os.PathLike[str]
Symmetry = int | Literal["random"]
Positions = Literal["games", "positions"]


def common_moves(size: int) -> int:
    """From how many moves on two games with the same beginning count as the same game."""
    return 30 if size <= 9 else 40 if size <= 13 else 60


class GameSet:
    """Games of one board size from one or more packed files, memory-mapped.

    Games are numbered through all files in order; a part of a set (`split`, `subset`, `without`) keeps the numbers.
    """

    def __init__(self, *paths: Path, weights: Sequence[float] | None = None, size: int | None = None) -> None:
        """Opens packed files.

        `weights` gives the share of each file in the draws (default: by their size). Raises `ValueError` if the
        boards differ in size and `size` does not choose one, or if a file is damaged.
        """
        if not paths:
            raise InputError("a GameSet needs at least one packed file")
        files = [PackedFile(os.fspath(path)) for path in paths]
        pool = GamePool(files, [float(weight) for weight in weights or ()])
        self._take(pool, _one_size(pool, size))
        if len(pool.sizes()) > 1:
            self._take(pool.subset(pool.games_of_size(self.size)), self.size)

    @classmethod
    def of_each_size(cls, path: Path) -> list["GameSet"]:
        """One set for each board size in a packed file, that of most games first."""
        pool = GamePool([PackedFile(os.fspath(path))], [])
        counts = {size: len(pool.games_of_size(size)) for size in pool.sizes()}
        return [cls(path, size=size) for size in sorted(counts, key=lambda size: (-counts[size], size))]

    def _take(self, pool: GamePool, size: int) -> None:
        self._pool = pool
        self.size = size
        self._games: NDArray[np.uint64] | None = None
        self._excluded: tuple[GameSet, GameSet] | None = None
        self._counted: tuple[NDArray[np.uint64], NDArray[np.int32]] | None = None

    @property
    def games(self) -> NDArray[np.uint64]:
        """The numbers of the games in this set, rising."""
        if self._games is None:
            self._games = self._pool.games()
        return self._games

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"GameSet({counted(len(self), 'game')} of {self.size}x{self.size})"

    def table(self) -> dict[str, NDArray[Any]]:
        """What the index knows of every game, as columns: game, key, size, moves, targets, komi, winner, ..."""
        columns: dict[str, NDArray[Any]] = self._pool.table()
        return columns

    def record(self, game: int) -> PackedRecord:
        """One game, by its number."""
        return self._pool.record(game)

    def __iter__(self) -> Iterator[PackedRecord]:
        return (self._pool.record(int(game)) for game in self.games)

    def prefix_keys(self, game: int) -> NDArray[np.uint64]:
        """`keys[n]` names the first n moves of a game, the same under any symmetry."""
        keys: NDArray[np.uint64] = self._pool.prefix_keys(game)
        return keys

    def subset(self, games: NDArray[np.integer]) -> "GameSet":
        """The set of these games alone."""
        part = GameSet.__new__(GameSet)
        part._take(self._pool.subset(np.unique(games).astype(np.uint64)), self.size)
        return part

    def split(self, validation_games: int, seed: int = 0) -> tuple["GameSet", "GameSet"]:
        """(training, validation): games drawn at random for validation, and all that share no position with them."""
        if not 0 < validation_games < len(self):
            raise InputError(f"cannot keep {validation_games} of {len(self)} games for validation")
        chosen = np.random.default_rng(seed).choice(self.games, validation_games, replace=False)
        validation = self.subset(chosen)
        return self.without(validation), validation

    def shared_with(self, other: "GameSet") -> NDArray[np.uint64]:
        """The games that are, under some symmetry, a game of another set, a part of one, or go apart from one late.

        A part counts from half of `common_moves` on: shorter beginnings belong to everybody.
        """
        if self.size != other.size:
            return np.empty(0, np.uint64)
        common = common_moves(self.size)
        shared: NDArray[np.uint64] = self._pool.shared_with(other._pool, common // 2, common)
        return shared

    def without(self, other: "GameSet") -> "GameSet":
        """The games that share nothing with another set, also not as a duplicate or a part of one of its games."""
        return self.subset(np.setdiff1d(self.games, self.shared_with(other)))

    def batch(
        self,
        count: int,
        planes: str | PlaneSet = "golois-31",
        seed: int = 0,
        *,
        first: int = 0,
        threads: int | None = None,
        symmetry: Symmetry = "random",
        positions: Positions = "games",
        targets_only: bool = False,
        use_targets: bool = True,
        passes: bool = True,
        dtype: DTypeLike = np.float32,
        exclude: "GameSet | None" = None,
    ) -> Batch:
        """Random positions: samples `first` to `first + count` of the stream that `seed` names.

        The same bytes whatever the number of threads. `positions` says what is uniform: every game, or every
        position. `targets_only` draws only positions that carry a target; `use_targets=False` takes the labels from
        the game alone; `passes=False` leaves out positions whose move is a pass. Positions of `exclude` never occur.
        """
        if exclude is not None:
            return self._excluding(exclude).batch(
                count, planes, seed, first=first, threads=threads, symmetry=symmetry, positions=positions,
                targets_only=targets_only, use_targets=use_targets, passes=passes, dtype=dtype,
            )  # fmt: skip
        if count < 1:
            raise InputError(f"a batch of {count} positions")
        if positions not in ("games", "positions"):
            raise InputError(f"positions are drawn uniformly over 'games' or 'positions', not '{positions}'")
        drawing = Drawing(positions == "positions", targets_only, passes, _fixed(symmetry))
        games, moves, symmetries = self._pool.draw(count, seed, first, drawing)
        return self._fill(games, moves, symmetries, plane_set(planes), use_targets, np.dtype(dtype), threads)

    def at(
        self,
        games: Sequence[int] | NDArray[np.integer],
        moves: Sequence[int] | NDArray[np.integer],
        planes: str | PlaneSet = "golois-31",
        *,
        symmetry: int | Sequence[int] | NDArray[np.integer] = 0,
        threads: int | None = None,
        use_targets: bool = True,
        dtype: DTypeLike = np.float32,
    ) -> Batch:
        """These positions: number of the game, and moves played before the position."""
        numbers = np.asarray(games, np.uint64)
        symmetries = np.ascontiguousarray(np.broadcast_to(np.asarray(symmetry, np.int32), numbers.shape))
        before = np.asarray(moves, np.int32)
        return self._fill(numbers, before, symmetries, plane_set(planes), use_targets, np.dtype(dtype), threads)

    def endings(
        self, count: int, planes: str | PlaneSet = "golois-31", seed: int = 0, *, moves: int, threads: int | None = None
    ) -> Batch:
        """Random positions of the last `moves` of games counted to the end, the final one among them.

        Score and owners of such boards are known exactly, at every komi. Nothing is said of the move: at the end
        programs fill and capture what is settled already.
        """
        if self._counted is None:
            table = self.table()
            counted = table["counts"] > 0
            self._counted = table["game"][counted], table["moves"][counted]
        numbers, lengths = self._counted
        if not len(numbers):
            raise InputError("no game of this set was counted to its end")
        rng = np.random.default_rng(seed)
        chosen = rng.integers(len(numbers), size=count)
        before = np.maximum(lengths[chosen] - rng.integers(moves + 1, size=count), 0)
        batch = self.at(numbers[chosen], before, planes, symmetry=rng.integers(8, size=count), threads=threads)
        return replace(batch, policy_mask=np.zeros_like(batch.policy_mask))

    def one_of_each(self, seed: int = 0, passes: bool = True) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """(games, moves): one random position of every game, as the papers validate; for `at`."""
        table = self.table()
        rng = np.random.default_rng(seed)
        games, lengths = table["game"], table["moves"]
        moves = (rng.random(len(games)) * lengths).astype(np.int32)
        keep = lengths > 0
        if not passes:
            for index in range(len(games)):
                played = [n for n, (_, move) in enumerate(self.record(int(games[index])).moves) if move >= 0]
                keep[index] = bool(played)
                moves[index] = rng.choice(played) if played else 0
        return games[keep], moves[keep]

    def shuffled(self, seed: int = 0) -> PositionShuffle:
        """All positions whose move is not a pass, in one fixed random order that takes no memory."""
        return PositionShuffle(self._pool, seed)

    def fill_last(
        self,
        games: NDArray[np.uint64],
        moves: NDArray[np.int32],
        symmetries: NDArray[np.int32],
        planes: PlaneSet,
        arrays: dict[str, NDArray[Any]],
        threads: int,
    ) -> None:
        """Fills the caller's own arrays, by the core's names, with channels last `[B, N, N, C]`."""
        self._pool.fill(games, moves, symmetries, self.size, planes, True, True, arrays, threads)

    def _excluding(self, other: "GameSet") -> "GameSet":
        if self._excluded is None or self._excluded[0] is not other:
            self._excluded = (other, self.without(other))
        return self._excluded[1]

    def _fill(
        self,
        games: NDArray[np.uint64],
        moves: NDArray[np.int32],
        symmetries: NDArray[np.int32],
        planes: PlaneSet,
        use_targets: bool,
        dtype: np.dtype[Any],
        threads: int | None,
    ) -> Batch:
        if dtype not in (np.dtype(np.float32), np.dtype(np.uint8)):
            raise InputError(f"planes are float32 or uint8, not {dtype}")
        arrays = empty_arrays(len(games), planes.channels, self.size, dtype)
        workers = cores() if threads is None else threads
        self._pool.fill(games, moves, symmetries, self.size, planes, False, use_targets, arrays, workers)
        if "small_planes" in arrays:
            arrays["planes"] = arrays.pop("small_planes")
        return Batch(game=games, move_number=moves, symmetry=symmetries, **arrays)


def _one_size(pool: GamePool, size: int | None) -> int:
    sizes: list[int] = pool.sizes()
    if not sizes:
        raise InputError("the packed files hold no games")
    if size is None and len(sizes) > 1:
        shown = ", ".join(f"{n}x{n}" for n in sizes)
        raise InputError(f"the files hold boards of {shown}; choose one: GameSet(..., size={sizes[0]})")
    if size is not None and size not in sizes:
        raise InputError(f"no game of {size}x{size} in these files; they hold {', '.join(f'{n}x{n}' for n in sizes)}")
    return sizes[0] if size is None else size


def _fixed(symmetry: Symmetry) -> int:
    if symmetry == "random":
        return -1
    if not isinstance(symmetry, int) or not 0 <= symmetry < 8:
        raise InputError(f"a symmetry is a number from 0 to 7 or 'random', not {symmetry!r}")
    return symmetry
