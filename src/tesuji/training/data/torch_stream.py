"""A GameSet as a torch `IterableDataset`."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from tesuji.training.data.batch import Batch
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.streams import stream


class GameStream(IterableDataset[dict[str, torch.Tensor]]):
    """Whole batches as dictionaries of tensors, without end; for `DataLoader(GameStream(...), batch_size=None)`.

    Each worker of a loader gets its own batches; together they are those of one reader, in turn.
    """

    def __init__(self, games: GameSet, size: int, planes: str = "golois-31", seed: int = 0, **options: Any) -> None:
        """Options as for `GameSet.batch`."""
        self._arguments = (games, size, planes, seed)
        self._options = options

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        start, step = (worker.id, worker.num_workers) if worker else (0, 1)
        options = {"threads": 1, **self._options} if worker else self._options
        for batch in stream(*self._arguments, start=start, step=step, **options):
            yield _tensors(batch)


def _tensors(batch: Batch) -> dict[str, torch.Tensor]:
    arrays = {field.name: getattr(batch, field.name) for field in fields(batch)}
    arrays["game"] = arrays["game"].astype(np.int64)  # torch knows no unsigned 64 bits everywhere
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
