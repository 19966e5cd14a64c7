"""Batches that need no data files: one stone a position, and the task is to find it."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from tesuji.training.batches import TensorBatch

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
    return TensorBatch.of(
        _Arrays(planes.reshape(count, CHANNELS, SIZE, SIZE), policy, left, np.full(count, 7.0), 2 - black)
    )


class _Arrays:
    def __init__(self, planes: object, policy: object, value: object, komi: object, to_play: object) -> None:
        self.planes, self.policy, self.value, self.komi, self.to_play = planes, policy, value, komi, to_play


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
