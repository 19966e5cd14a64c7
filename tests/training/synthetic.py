"""Batches that need no data files: one stone a position, and the task is to find it."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from tesuji.training.data.batch import NO_MOVE, Batch
from tesuji.training.run.batches import TensorBatch

SIZE = 5
CHANNELS = 3


class OneStone:
    """The move is the point of the only stone; the player to move wins when it stands on the left."""

    size = SIZE

    def __init__(self, spoiled: frozenset[int] = frozenset()) -> None:
        self.spoiled = spoiled
        self.asked: list[int] = []

    def training(self, count: int, seed: int) -> TensorBatch:
        self.asked.append(seed)
        batch = one_stone(count, seed)
        if seed in self.spoiled:
            batch.planes[0] = float("nan")
        return batch

    def validation(self) -> Iterator[TensorBatch]:
        for seed in range(4):
            yield one_stone(64, 10**6 + seed)


def one_stone(count: int, seed: int) -> TensorBatch:
    random = np.random.default_rng(seed)
    points = random.integers(0, SIZE * SIZE, count)
    planes = np.zeros((count, CHANNELS, SIZE * SIZE), np.float32)
    black = random.integers(0, 2, count)
    planes[:, 0] = black[:, None]
    planes[np.arange(count), 1, points] = 1
    policy = np.eye(SIZE * SIZE + 1, dtype=np.float32)[points]
    left = (points % SIZE < SIZE / 2).astype(np.float32)
    ones = np.ones(count, np.float32)
    return TensorBatch.of(
        Batch(
            planes=planes.reshape(count, CHANNELS, SIZE, SIZE), policy=policy, policy_mask=ones, value=left,
            value_mask=ones, komi=7 * ones, to_play=(2 - black).astype(np.uint8), black_score=0 * ones,
            score_mask=0 * ones, black_ownership=np.zeros((count, SIZE, SIZE), np.float32), ownership_mask=0 * ones,
            next_moves=np.full((count, 2), NO_MOVE, np.int16), game=np.arange(count, dtype=np.uint64),
            move_number=np.zeros(count, np.int32), symmetry=np.zeros(count, np.int32),
        )
    )  # fmt: skip


class Tiny(nn.Module):
    """A module of one's own: two convolutions, a policy without pass and a value."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(CHANNELS, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
        self.policy = nn.Conv2d(8, 1, 1)
        self.value = nn.Linear(8 * SIZE * SIZE, 1)

    def forward(self, planes: Tensor, komi: Tensor) -> tuple[Tensor, Tensor]:
        inner = self.trunk(planes)
        return self.policy(inner).flatten(1), self.value(inner.flatten(1))[:, 0]


def tiny(seed: int = 1) -> Tiny:
    torch.manual_seed(seed)
    return Tiny()
