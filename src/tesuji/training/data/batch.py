"""A batch: network inputs and labels of some positions, as numpy arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import recycled_bytes, recycled_floats

Floats = NDArray[np.float32]

NO_MOVE = -2
"""In `next_moves`: the game was over."""


@dataclass(frozen=True)
class Batch:
    """`B` positions on boards of `N x N`, each already turned by its symmetry.

    A mask is 1 where the label beside it is known and 0 where it is not.
    """

    planes: NDArray[Any]
    """`[B, C, N, N]` float32, or uint8 on request."""
    policy: Floats
    """`[B, N*N + 1]` distribution to learn, pass last: the move played, or the target's where there is one."""
    policy_mask: Floats
    """`[B]`; 0 only for the end of a game without a target."""
    value: Floats
    """`[B]` win probability of the player to move: the result (a draw counts one half) or the target's."""
    value_mask: Floats
    """`[B]`; 0 for an unknown result, and where the komi it was won at is unknown."""
    komi: Floats
    """`[B]`, as the planes show it; where the record states none, the usual one of such games (see docs/data.md)."""
    to_play: NDArray[np.uint8]
    """`[B]`, 1 Black, 2 White."""
    black_score: Floats
    """`[B]` Black's lead in points on the board, komi not taken off."""
    score_mask: Floats
    """`[B]`; 1 for games counted to the end and for targets with a score."""
    black_ownership: Floats
    """`[B, N, N]` from -1 (White's) to 1 (Black's), by area."""
    ownership_mask: Floats
    """`[B]`; 1 where the final board gives the recorded score, and for targets with ownership."""
    next_moves: NDArray[np.int16]
    """`[B, 2]` the two moves after the move: point numbers, `PASS`, or `NO_MOVE`."""
    game: NDArray[np.uint64]
    """`[B]` number of the game, counted through all files of the set."""
    move_number: NDArray[np.int32]
    """`[B]` moves played before the position."""
    symmetry: NDArray[np.int32]
    """`[B]` how the position was turned."""

    def __len__(self) -> int:
        return len(self.value)


def empty_arrays(count: int, channels: int, size: int, dtype: np.dtype[Any]) -> dict[str, NDArray[Any]]:
    """Unfilled arrays for all that the core writes, by the names it knows."""
    shape = [count, channels, size, size]
    arrays: dict[str, NDArray[Any]] = (
        {"planes": recycled_floats(shape)} if dtype == np.float32 else {"small_planes": recycled_bytes(shape)}
    )
    shapes = {"policy": (count, size * size + 1), "black_ownership": (count, size, size)}
    for name in (
        "policy",
        "policy_mask",
        "value",
        "value_mask",
        "komi",
        "black_score",
        "score_mask",
        "black_ownership",
        "ownership_mask",
    ):
        arrays[name] = np.empty(shapes.get(name, (count,)), np.float32)
    arrays["to_play"] = np.empty(count, np.uint8)
    arrays["next_moves"] = np.empty((count, 2), np.int16)
    return arrays
