"""The eight symmetries of the board, on arrays, policies and points; the C++ core counts them the same way.

Symmetry `s` is a number 0..7: bit 0 flips left and right (columns), bit 1 flips top and bottom (rows), and
bit 2 transposes after the flips. Symmetry 0 changes nothing.
"""

from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError

T = TypeVar("T", bound=np.generic)

COUNT = 8
PASS = -1  # what the core calls pass; it has no place on the board and no symmetry moves it


def inverse(symmetry: int) -> int:
    """The symmetry that undoes this one."""
    _check(symmetry)
    # Undoing "flip, then transpose" is "transpose, then flip", so the two flips change places.
    return {5: 6, 6: 5}.get(symmetry, symmetry)


def transform(array: NDArray[T], symmetry: int) -> NDArray[T]:
    """A view of `[..., N, N]` under a symmetry."""
    _check(symmetry)
    if symmetry & 1:
        array = array[..., ::-1]
    if symmetry & 2:
        array = array[..., ::-1, :]
    if symmetry & 4:
        array = np.swapaxes(array, -1, -2)
    return array


def transform_each(arrays: NDArray[T], symmetries: NDArray[np.integer]) -> NDArray[T]:
    """Every sample of `[B, ..., N, N]` under its own symmetry, as a new array."""
    result = np.empty_like(arrays)
    for symmetry in range(COUNT):
        chosen = np.flatnonzero(symmetries == symmetry)
        result[chosen] = transform(arrays[chosen], symmetry)
    return result


def transform_policy(policy: NDArray[T], symmetry: int) -> NDArray[T]:
    """A policy `[..., N*N]`, or `[..., N*N + 1]` with pass last, under a symmetry; pass stays where it is."""
    return np.take(policy, _policy_order(policy.shape[-1], symmetry), axis=-1)


def transform_policy_each(policies: NDArray[T], symmetries: NDArray[np.integer]) -> NDArray[T]:
    """Every policy of `[B, N*N]` or `[B, N*N + 1]` under its own symmetry."""
    orders = np.stack([_policy_order(policies.shape[-1], symmetry) for symmetry in range(COUNT)])
    return np.take_along_axis(policies, orders[symmetries], axis=-1)


def transform_point(point: int, symmetry: int, size: int) -> int:
    """Where a point (or `PASS`) of a board lies after a symmetry."""
    if point == PASS:
        return PASS
    if not 0 <= point < size * size:
        raise InputError(f"no point {point} on a board of {size}x{size}")
    return int(permutation(inverse(symmetry), size)[point])


@lru_cache(maxsize=256)
def permutation(symmetry: int, size: int) -> NDArray[np.intp]:
    """`[N*N]` indices such that `flat[permutation]` is a flattened board under a symmetry."""
    points = np.arange(size * size, dtype=np.intp).reshape(size, size)
    order = np.ascontiguousarray(transform(points, symmetry).reshape(-1))
    order.flags.writeable = False
    return order


@lru_cache(maxsize=256)
def _policy_order(length: int, symmetry: int) -> NDArray[np.intp]:
    size = int(np.sqrt(length))
    if length not in {size * size, size * size + 1}:
        raise InputError(f"a policy of {length} entries fits no square board")
    order = permutation(symmetry, size)
    return order if length == size * size else np.append(order, size * size)


def _check(symmetry: int) -> None:
    if not 0 <= symmetry < COUNT:
        raise InputError(f"no symmetry {symmetry}; they are numbered 0 to 7")
