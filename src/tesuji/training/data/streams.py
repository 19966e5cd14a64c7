"""Batches without end, for any framework: a plain iterator, and one in the form Keras and JAX programs expect."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.training.data.batch import Batch
from tesuji.training.data.game_set import GameSet

_Arrays = dict[str, NDArray[np.float32]]
KerasBatch = tuple[NDArray[np.float32], _Arrays, _Arrays]


def stream(
    games: GameSet,
    size: int,
    planes: str = "golois-31",
    seed: int = 0,
    *,
    start: int = 0,
    step: int = 1,
    **options: Any,
) -> Iterator[Batch]:
    """Batches `start`, `start + step`, ... of the endless stream that `seed` names; options as for `GameSet.batch`.

    With `start=i, step=k` the i-th of k readers gets its own batches, and together they get them all.
    """
    for number in count(start, step):
        yield games.batch(size, planes, seed, first=number * size, **options)


def keras_stream(
    games: GameSet, size: int, planes: str = "golois-31", seed: int = 0, *, with_pass: bool = False, **options: Any
) -> Iterator[KerasBatch]:
    """`(planes [B, N, N, C], labels, weights)` for `model.fit`, by the course's names of outputs, "policy" and "value".

    The policy has no pass unless asked for, and `value` is White's win probability, as in the course library. A weight
    is 0 where the label is unknown and 1 elsewhere.
    """
    area = games.size * games.size
    for batch in stream(games, size, planes, seed, passes=with_pass, **options):
        policy = batch.policy if with_pass else batch.policy[:, :area]
        white_value = np.where(batch.to_play == 2, batch.value, 1 - batch.value)
        inputs = np.ascontiguousarray(batch.planes.transpose(0, 2, 3, 1))
        labels = {"policy": policy, "value": white_value.astype(np.float32)}
        yield inputs, labels, {"policy": batch.policy_mask, "value": batch.value_mask}
