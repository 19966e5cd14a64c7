"""Drop-in for the course library: `getBatch` and `getValidation` with its signatures, filled in place.

The games are those of `games.data` in the working directory, packed once into `games.data.games` beside it, or of the
packed files given to `setData`. Arrays are float32 and C-contiguous: `input_data (N, S, S, 21 or 31)`,
`policy (N, S*S)`, `value (N,)`, `end (N, S, S, 2)`, `groups (N, S, S, 1)`. `value` is White's win probability.
"""

import os
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import PlaneSet, PositionShuffle
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.machine import cores
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack

__all__ = ["getBatch", "getValidation", "setData"]

Floats = NDArray[np.float32]

_PLANES = {21: "golois-21", 31: "golois-31"}
_VALIDATION_HEADER = "tesuji validation: game move"
_WHITE = 2


class Course:
    """The games of one working directory, divided into training and validation for good."""

    def __init__(self, games: GameSet, validation_file: Path) -> None:
        self.games = games
        self._file = validation_file
        self._order = np.random.default_rng(0).permutation(games.games)
        self._training: PositionShuffle | None = None
        self._kept = np.empty((0, 2), np.int64)
        if validation_file.exists():
            self._kept = _read_validation(validation_file, games)

    def validation(self, count: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """(games, moves): one position of each of `count` games, the same in every run."""
        if count > len(self._kept):
            if len(self._kept):
                raise InputError(
                    f"{self._file} holds {len(self._kept)} positions, not {count}; remove it to draw others"
                )
            if self._training is not None and count > self._reserved():
                raise InputError(f"call getValidation before getBatch to keep {count} games for validation")
            self._kept = self._draw(count)
            _write_validation(self._file, self._kept)
        chosen = self._kept[:count]
        return chosen[:, 0].astype(np.uint64), chosen[:, 1].astype(np.int32)

    def training(self) -> PositionShuffle:
        """The fixed shuffle of all positions of games that are kept for no validation."""
        if self._training is None:
            kept = self._kept[:, 0] if len(self._kept) else self._order[: self._reserved()]
            rest = self.games.without(self.games.subset(kept))
            if not len(rest):
                raise InputError("all games are kept for validation: none is left to train on")
            self._training = rest.shuffled(seed=1)
        return self._training

    def _reserved(self) -> int:
        """Games set aside when batches are asked for before validation is."""
        return min(10_000, max(1, len(self.games) // 10))

    def _draw(self, count: int) -> NDArray[np.int64]:
        if count >= len(self.games):
            raise InputError(f"{count} positions for validation, one a game, but there are {len(self.games)} games")
        games, moves = self.games.subset(self._order[:count]).one_of_each(seed=2, passes=False)
        if len(games) < count:
            raise InputError(f"only {len(games)} of {count} games have a move that is not a pass")
        order = np.random.default_rng(3).permutation(count)
        return np.stack([games.astype(np.int64), moves.astype(np.int64)], axis=1)[order]


def setData(*paths: str | os.PathLike[str]) -> None:
    """Takes the games from packed files instead of `games.data`; validation stays in `validation.data`."""
    global _chosen
    _chosen = tuple(str(Path(path).resolve()) for path in paths)
    _open(_chosen, str(Path.cwd()))


def getBatch(  # the course library's own order of arguments
    input_data: Floats, policy: Floats, value: Floats, end: Floats, groups: Floats, index: int
) -> None:
    """Fills the arrays with positions `index`, `index + 1`, ... of a fixed shuffle of the training positions."""
    count, size = _check(input_data, policy, value, end, groups)
    course = _course(size)
    games, moves, _ = course.training().take(int(index) % (1 << 62), count)
    # Each position has its own symmetry, another one on every walk through the data.
    turns = np.random.default_rng(int(index) % (1 << 62)).integers(0, 8, count, dtype=np.int32)
    _fill(course.games, games, moves, turns, input_data, policy, value, end, groups)


def getValidation(input_data: Floats, policy: Floats, value: Floats, end: Floats) -> None:
    """Fills the arrays with one position each of games that are never trained on, the same in every run."""
    count, size = _check(input_data, policy, value, end, None)
    course = _course(size)
    games, moves = course.validation(count)
    _fill(course.games, games, moves, np.zeros(count, np.int32), input_data, policy, value, end, None)


_chosen: tuple[str, ...] = ()  # the course library's calls carry no handle: what setData chose lives here


def _course(size: int) -> Course:
    course = _open(_chosen, str(Path.cwd()))
    if course.games.size != size:
        raise InputError(f"arrays of {size}x{size} for games of {course.games.size}x{course.games.size}")
    return course


@lru_cache(maxsize=4)
def _open(paths: tuple[str, ...], folder: str) -> Course:
    if not paths:
        paths = (str(_packed(Path(folder) / "games.data")),)
    return Course(GameSet(*paths), Path(folder) / "validation.data")


def _packed(text: Path) -> Path:
    """The packed form of `games.data`, made anew when the text is newer."""
    if not text.exists():
        raise FileNotFoundError(f"no games.data in {text.parent}; put it there or call golois.setData(packed_file)")
    packed = text.with_name("games.data.games")
    if not packed.exists() or packed.stat().st_mtime < text.stat().st_mtime:
        report = pack([text], packed, drop_duplicates=False)
        if report.dropped:
            reasons = ", ".join(f"{count} {reason}" for reason, count in report.dropped.most_common())
            warnings.warn(f"{text}: {report.kept} games kept, left out: {reasons}", stacklevel=2)
    return packed


def _check(input_data: Any, policy: Any, value: Any, end: Any, groups: Any) -> tuple[int, int]:
    """Number of positions and board size that the arrays ask for."""
    given = {"input_data": input_data, "policy": policy, "value": value, "end": end, "groups": groups}
    for name, array in given.items():
        if array is None and name == "groups":
            continue
        if not isinstance(array, np.ndarray) or array.dtype != np.float32:
            kind = f"an array of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
            raise InputError(f"{name} must be a float32 array (`.astype('float32')`), not {kind}")
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise InputError(f"{name} must be C-contiguous and writable, to be filled in place")
    if input_data.ndim != 4 or input_data.shape[1] != input_data.shape[2] or input_data.shape[3] not in _PLANES:
        raise InputError(f"input_data must be (N, 19, 19, 21) or (N, 19, 19, 31), not {input_data.shape}")
    count, size = int(input_data.shape[0]), int(input_data.shape[1])
    shapes = {
        "policy": (count, size * size),
        "value": (count,),
        "end": (count, size, size, 2),
        "groups": (count, size, size, 1),
    }
    for name, shape in shapes.items():
        if given[name] is not None and given[name].shape != shape:
            raise InputError(f"{name} must be {shape} beside input_data {input_data.shape}, not {given[name].shape}")
    if not count:
        raise InputError("the arrays have room for no position")
    return count, size


def _fill(
    source: GameSet,
    games: NDArray[np.uint64],
    moves: NDArray[np.int32],
    symmetries: NDArray[np.int32],
    input_data: Floats,
    policy: Floats,
    value: Floats,
    end: Floats,
    groups: Floats | None,
) -> None:
    to_play = np.empty(len(games), np.uint8)
    arrays: dict[str, NDArray[Any]] = {
        "planes": input_data,
        "point_policy": policy,
        "value": value,
        "value_mask": np.empty_like(value),
        "to_play": to_play,
        "final_stones": end,
    }
    if groups is not None:
        arrays["chains"] = groups
    planes = PlaneSet.named(_PLANES[input_data.shape[3]])
    source.fill_last(games, moves, symmetries, planes, arrays, cores())
    np.copyto(value, np.where(to_play == _WHITE, value, 1 - value))


def _write_validation(path: Path, pairs: NDArray[np.int64]) -> None:
    write_atomically(path, "\n".join([_VALIDATION_HEADER, *(f"{game} {move}" for game, move in pairs.tolist())]) + "\n")


def _read_validation(path: Path, games: GameSet) -> NDArray[np.int64]:
    with path.open("rb") as file:
        if file.readline().strip() != _VALIDATION_HEADER.encode():
            raise InputError(
                f"{path} was not written by tesuji (the course library's own file lists other things); "
                "move it away and it is drawn anew"
            )
        try:
            pairs = np.array([[int(word) for word in line.split()] for line in file], np.int64).reshape(-1, 2)
        except ValueError:
            raise InputError(f"{path} is damaged; remove it and it is drawn anew") from None
    if len(pairs) and not np.isin(pairs[:, 0], games.games.astype(np.int64)).all():
        raise InputError(f"{path} names games that are not in these data; remove it and it is drawn anew")
    return pairs
