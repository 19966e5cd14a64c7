"""Plane sets by name, and the network input they make of games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tesuji._core import Game, PlaneSet
from tesuji.base.errors import InputError

__all__ = ["PlaneSet", "ages", "encode", "plane_set"]


def plane_set(planes: str | PlaneSet) -> PlaneSet:
    """The plane set of this name, or the plane set itself."""
    return planes if isinstance(planes, PlaneSet) else PlaneSet.named(planes)


def ages(planes: str | PlaneSet) -> list[int]:
    """How many moves ago each channel's position stood on the board; 0 for the present one."""
    found = [re.search(r"before (\d+)$|(\d+) before$", name) for name in plane_set(planes).channel_names]
    return [int(age[1] or age[2]) if age else 0 for age in found]


def encode(
    games: Sequence[Game],
    planes: str | PlaneSet,
    symmetry: int | Sequence[int] = 0,
    dtype: DTypeLike = np.float32,
) -> NDArray[Any]:
    """Network input for each game's current position.

    Returns `[B, C, N, N]` float32 (or uint8), seen by the player to move and turned by `symmetry`, one
    number for all games or one for each. Raises `ValueError` if the games differ in board size.
    """
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float32), np.dtype(np.uint8)):
        raise InputError(f"planes are float32 or uint8, not {kind}")
    if not games:
        raise InputError("no games to encode: the board size is unknown")
    symmetries = [symmetry] * len(games) if isinstance(symmetry, int) else [int(s) for s in symmetry]
    if len(symmetries) != len(games):
        raise InputError(f"{len(symmetries)} symmetries for {len(games)} games")
    chosen = plane_set(planes)
    size = games[0].size
    out = np.empty((len(games), chosen.channels, size, size), kind)
    chosen.encode_into(list(games), symmetries, out)
    return out
