"""Optimizers by name, the penalty on kernels, and the moving average of the weights."""

import copy
from collections.abc import Iterator

import torch
from torch import nn

from tesuji.training.run.config import TrainConfig


def optimizer(network: nn.Module, config: TrainConfig) -> torch.optim.Optimizer:
    """The optimizer of a filled configuration, with its penalty on kernels only.

    Keras's `l2(a)` adds `a * w^2` to the loss, whose gradient is `2 a w`: hence twice the number here.
    """
    assert config.learning_rate is not None
    kernels = [p for p in network.parameters() if p.requires_grad and p.ndim > 1]
    others = [p for p in network.parameters() if p.requires_grad and p.ndim <= 1]
    decay = config.weight_decay if config.optimizer == "adamw" else 2 * config.l2
    groups = [{"params": kernels, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    rate = config.learning_rate
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=config.momentum)
    kind = torch.optim.AdamW if config.optimizer == "adamw" else torch.optim.Adam
    return kind(groups, lr=rate, betas=(config.momentum, 0.999))


class Average:
    """A moving average of a network's weights and running statistics: less noise than any single step."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.decay = decay
        self.network = copy.deepcopy(network).eval().requires_grad_(False)
        self.steps = 0

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Moves towards the network after a step; quicker at first, when it knows only the initial weights."""
        self.steps += 1
        share = 1 - min(self.decay, (1 + self.steps) / (10 + self.steps))
        for mine, theirs in zip(_tensors(self.network), _tensors(network), strict=True):
            if mine.is_floating_point():
                mine.lerp_(theirs, share)
            else:
                mine.copy_(theirs)


def _tensors(network: nn.Module) -> Iterator[torch.Tensor]:
    yield from network.parameters()
    yield from network.buffers()
