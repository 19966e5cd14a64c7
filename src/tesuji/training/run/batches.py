"""Batches on their way into a step: prepared ahead by threads, always the same for the same step."""

import hashlib
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields

import numpy as np
import torch

from tesuji.training.data.batch import Batch

_PLAIN = ("value", "value_mask", "komi", "black_score", "score_mask", "black_ownership", "ownership_mask")


@dataclass
class TensorBatch:
    """One batch as tensors; `B` positions of `N x N`."""

    planes: torch.Tensor
    """`[B, C, N, N]` float32, channels last in memory."""
    policy: torch.Tensor
    """`[B, N*N + 1]` distribution over moves, pass last; all zero where no move is known."""
    value: torch.Tensor
    """`[B]` win probability of the player to move, a draw one half."""
    value_mask: torch.Tensor
    """`[B]` 1 where the value is known."""
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
    def of(cls, *batches: Batch) -> "TensorBatch":
        """Tensors of the batches of a data set, one after another."""
        size = batches[0].planes.shape[-1]

        def joined(name: str) -> torch.Tensor:
            arrays = [getattr(batch, name) for batch in batches]
            return torch.from_numpy(
                np.concatenate(arrays, dtype=np.float32) if len(arrays) > 1 else np.float32(arrays[0])
            )

        policy = joined("policy") * joined("policy_mask")[:, None]
        following = joined("next_moves").long()
        return cls(
            planes=joined("planes").contiguous(memory_format=torch.channels_last),
            policy=policy,
            **{name: joined(name) for name in _PLAIN},
            black_to_play=joined("to_play") == 1,
            # Point numbers, -1 for a pass and below for none become policy indices with pass last.
            next_moves=torch.where(following == -1, size * size, following.clamp_min(-1)),
        )

    def to(self, device: torch.device) -> "TensorBatch":
        """The same on a device."""
        if device.type == "cpu":
            return self
        return TensorBatch(*(getattr(self, f.name).to(device, non_blocking=True) for f in fields(self)))

    def __len__(self) -> int:
        return int(self.planes.shape[0])


def batch_seed(run_seed: int, step: int, process: int = 0) -> int:
    """The seed of one step's batch: all there is to the sampler's position."""
    text = f"{run_seed} {step} {process}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") >> 1


def ahead(
    prepare: Callable[[int], TensorBatch], first: int, last: int, *, threads: int, depth: int
) -> Generator[TensorBatch, None, None]:
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
