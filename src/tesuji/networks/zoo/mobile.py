"""Mobile networks (2020), with squeeze and excitation (2021), with depthwise kernels of two sizes (MixNet, 2021).

Cazenave, "Mobile Networks for Computer Go", IEEE Transactions on Games, 2020; "Improving Model and Search
for Computer Go", 2021; with Sentuc and Videau, "Cosine Annealing, Mixnet and Swish Activation for Computer
Go", 2021: half of the depthwise kernels 3x3, half 5x5. Inverted residuals of MobileNetV2: a narrow trunk, wide
blocks of depthwise convolutions, no biases inside and nothing after the addition.
"""

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.layers import ConvNorm, Rectifier, pooled


class Bottleneck(nn.Module):
    """1x1 up, depthwise, 1x1 down, added to its input."""

    def __init__(self, filters: int, trunk: int, excitation: bool, kernels: tuple[int, ...] = (3,)) -> None:
        super().__init__()
        self.expand = ConvNorm(trunk, filters, 1, bias=False)
        self.depthwise = depthwise(filters, kernels)
        self.project = ConvNorm(filters, trunk, 1, bias=False)
        self.excite = SqueezeExcite(trunk) if excitation else nn.Identity()
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.rectify(self.expand(planes))
        inner = self.rectify(self.depthwise(inner))
        added: Tensor = planes + self.excite(self.project(inner))
        return added


def depthwise(filters: int, kernels: tuple[int, ...]) -> nn.Module:
    """A convolution of each channel by itself: of one size, or half of the channels each of two."""
    if len(kernels) == 1:
        return ConvNorm(filters, filters, kernels[0], bias=False, groups=filters)
    return Mixed(filters, *kernels)


class Mixed(nn.Module):
    """Depthwise kernels of one size on the first half of the channels, of another on the second."""

    def __init__(self, filters: int, first: int, second: int) -> None:
        super().__init__()
        self.split = filters // 2
        rest = filters - self.split
        self.first = ConvNorm(self.split, self.split, first, bias=False, groups=self.split)
        self.second = ConvNorm(rest, rest, second, bias=False, groups=rest)

    def forward(self, planes: Tensor) -> Tensor:
        return torch.cat([self.first(planes[:, : self.split]), self.second(planes[:, self.split :])], 1)


class SqueezeExcite(nn.Module):
    """Scales every channel by what the whole board says of it; the 2021 paper's version has no biases."""

    def __init__(self, channels: int, ratio: int = 16) -> None:
        super().__init__()
        narrow = max(1, channels // ratio)
        self.squeeze = nn.Linear(channels, narrow, bias=False)
        self.excite = nn.Linear(narrow, channels, bias=False)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        scale = torch.sigmoid(self.excite(self.rectify(self.squeeze(pooled(planes)))))
        return planes * scale[:, :, None, None]


def mobile(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The trunk of a mobile network: 1x1 stem, then inverted residuals."""
    return _trunk(inputs, blocks, filters, trunk, excitation=False)


def se(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The same with squeeze and excitation before every addition."""
    return _trunk(inputs, blocks, filters, trunk, excitation=True)


def mix(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """Depthwise kernels half 3x3, half 5x5."""
    return _trunk(inputs, blocks, filters, trunk, excitation=False, kernels=(3, 5))


def mix_se(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The same with squeeze and excitation."""
    return _trunk(inputs, blocks, filters, trunk, excitation=True, kernels=(3, 5))


def mobile5(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """Depthwise kernels 5x5 throughout."""
    return _trunk(inputs, blocks, filters, trunk, excitation=False, kernels=(5,))


def mobile5_se(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The same with squeeze and excitation."""
    return _trunk(inputs, blocks, filters, trunk, excitation=True, kernels=(5,))


def _trunk(
    inputs: int, blocks: int, filters: int, trunk: int, excitation: bool, kernels: tuple[int, ...] = (3,)
) -> nn.Module:
    stem = [ConvNorm(inputs, trunk, 1), Rectifier()]
    return nn.Sequential(*stem, *(Bottleneck(filters, trunk, excitation, kernels) for _ in range(blocks)))
