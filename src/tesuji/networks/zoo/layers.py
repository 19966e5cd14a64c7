"""Layers with Keras's habits, so that networks match the papers' in size, start and statistics."""

import torch
from torch import Tensor, nn
from torch.nn import functional

EPSILON = 1e-3
MOMENTUM = 0.01  # what Keras calls momentum 0.99


def conv(inputs: int, outputs: int, kernel: int, *, bias: bool = True, groups: int = 1) -> nn.Conv2d:
    """A convolution that keeps the board size."""
    return nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=bias, groups=groups)


def norm(channels: int) -> nn.BatchNorm2d:
    """A batch normalisation with Keras's epsilon and momentum."""
    return nn.BatchNorm2d(channels, eps=EPSILON, momentum=MOMENTUM)


class ConvNorm(nn.Sequential):
    """A convolution and its batch normalisation, folded into one convolution when a model file is written."""

    def __init__(self, inputs: int, outputs: int, kernel: int, *, bias: bool = True, groups: int = 1) -> None:
        super().__init__(conv(inputs, outputs, kernel, bias=bias, groups=groups), norm(outputs))


class Rectifier(nn.Module):
    """ReLU, or with `swish` x sigmoid(x), which a network's name asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.swish = False

    def forward(self, planes: Tensor) -> Tensor:
        return functional.silu(planes) if self.swish else torch.relu(planes)


class Silent(nn.Sequential):
    """Layers that begin at zero: what they are added to stays as it was until they have learned something."""


def pooled(planes: Tensor) -> Tensor:
    """Global average pooling, `[B, C, N, N]` to `[B, C]`."""
    return functional.adaptive_avg_pool2d(planes, 1).flatten(1)


@torch.no_grad()
def initialise(network: nn.Module) -> None:
    """Starts as Keras does: uniform kernels after Glorot, zero biases, identity batch norms; silent layers at zero."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.xavier_uniform_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
    for part in network.modules():
        if isinstance(part, Silent):
            for weight in part.parameters():
                nn.init.zeros_(weight)


def size_as_keras(network: nn.Module) -> int:
    """Parameters as Keras counts them: a batch normalisation's running mean and variance included."""
    weights = sum(weight.numel() for weight in network.parameters())
    statistics = sum(buffer.numel() for name, buffer in network.named_buffers() if "running_" in name)
    return weights + statistics
