"""Batches on their way into a step: prepared ahead by threads, always the same for the same step."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
import torch


class ArrayBatch(Protocol):
    """The arrays of a batch as the data sets give them; what is absent is None."""

    planes: Any
    policy: Any
    value: Any
    komi: Any
    to_play: Any


@dataclass
class TensorBatch:
    """One batch as tensors; `B` positions of `N x N`."""

    planes: torch.Tensor
    """`[B, C, N, N]` float32, channels last in memory."""
    policy: torch.Tensor
    """`[B, N*N + 1]` distribution over moves, pass last; all zero where no move is known."""
    value: torch.Tensor
    """`[B]` win probability of the player to move, a draw one half."""
    komi: torch.Tensor
    """`[B]`."""
    black_to_play: torch.Tensor
    """`[B]` bool."""
    black_score: torch.Tensor
    """`[B]` Black's lead on the board without komi; meaningless where the mask is 0."""
    score_mask: torch.Tensor
    """`[B]` 1 where the score is known."""
    black_ownership: torch.Tensor
    """`[B, N, N]` from -1 (White's) to 1 (Black's)."""
    ownership_mask: torch.Tensor
    """`[B]` 1 where ownership is known."""
    next_moves: torch.Tensor
    """`[B, 2]` the two moves after this one as policy indices, -1 where there is none."""

    @classmethod
    def of(cls, batch: ArrayBatch) -> "TensorBatch":
        """Tensors of a data set's batch; absent targets get a mask of zeros."""
        planes = _tensor(batch.planes).contiguous(memory_format=torch.channels_last)
        count, size = planes.shape[0], planes.shape[-1]

        def optional(name: str, shape: tuple[int, ...], fill: float = 0.0) -> torch.Tensor:
            array = getattr(batch, name, None)
            return torch.full(shape, fill) if array is None else _tensor(array).reshape(shape)

        return cls(
            planes=planes,
            policy=_tensor(batch.policy),
            value=_tensor(batch.value),
            komi=_tensor(batch.komi),
            black_to_play=torch.from_numpy(np.asarray(batch.to_play) == 1),
            black_score=optional("black_score", (count,)),
            score_mask=optional("score_mask", (count,)),
            black_ownership=optional("black_ownership", (count, size, size)),
            ownership_mask=optional("ownership_mask", (count,)),
            next_moves=optional("next_moves", (count, 2), -1.0).long(),
        )

    def to(self, device: torch.device) -> "TensorBatch":
        """The same on a device."""
        if device.type == "cpu":
            return self
        return TensorBatch(*(getattr(self, f.name).to(device, non_blocking=True) for f in fields(self)))

    def __len__(self) -> int:
        return int(self.planes.shape[0])


def _tensor(array: Any) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))


def batch_seed(run_seed: int, step: int, process: int = 0) -> int:
    """The seed of one step's batch: all there is to the sampler's position."""
    text = f"{run_seed} {step} {process}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") >> 1


def ahead(prepare: Callable[[int], TensorBatch], first: int, last: int, *, threads: int, depth: int) -> Iterator[TensorBatch]:
    """The batches of steps `first` to `last - 1` in order, up to `depth` of them prepared in advance.

    The data layer works without Python's lock, so that threads are enough.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="batches")
    waiting: deque[Future[TensorBatch]] = deque()
    steps = iter(range(first, last))
    try:
        for step in steps:
            waiting.append(pool.submit(prepare, step))
            if len(waiting) >= depth:
                break
        while waiting:
            batch = waiting.popleft().result()
            following = next(steps, None)
            if following is not None:
                waiting.append(pool.submit(prepare, following))
            yield batch
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
