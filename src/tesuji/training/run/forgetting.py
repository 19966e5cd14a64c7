"""Positions as if somebody had set them up: without what stood on the board before."""

import torch

from tesuji.features.planes import ages
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import ConfigError


class Forgetting:
    """Lets a share of every batch forget its past.

    A board that was set up looks to the planes as if all its stones had come at once. In games that happens in the
    first moves alone, and a network that learned from nothing else counts a full board wrong once its past is gone.
    """

    def __init__(self, share: float, planes: str) -> None:
        """Raises `ConfigError` where a past is to be forgotten that these planes do not show."""
        self._share = share
        self._ages = torch.tensor(ages(planes))
        if share and not self._ages.any():
            raise ConfigError(f"the planes {planes} show nothing of the past that could be forgotten; leave out forget")

    def __call__(self, batch: TensorBatch, seed: int) -> TensorBatch:
        """The batch itself, some rows of which remember only their last few positions, or none."""
        if self._share:
            chance = torch.Generator().manual_seed(seed)
            forgets = torch.rand(len(batch), generator=chance) < self._share
            kept = torch.randint(int(self._ages.max()), (len(batch),), generator=chance)
            batch.planes[forgets[:, None] & (self._ages > kept[:, None])] = 0
        return batch
