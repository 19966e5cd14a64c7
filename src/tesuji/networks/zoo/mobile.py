"""Mobile networks (2020) and their squeeze-and-excitation variant (2021).

Cazenave, "Mobile Networks for Computer Go", IEEE Transactions on Games, 2020; "Improving Model and Search
for Computer Go", 2021. Inverted residuals of MobileNetV2: a narrow trunk, wide blocks of depthwise
convolutions, no biases inside and nothing after the addition.
"""

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.layers import ConvNorm, pooled


class Bottleneck(nn.Module):
    """1x1 up, depthwise 3x3, 1x1 down, added to its input."""

    def __init__(self, filters: int, trunk: int, excitation: bool) -> None:
        super().__init__()
        self.expand = ConvNorm(trunk, filters, 1, bias=False)
        self.depthwise = ConvNorm(filters, filters, 3, bias=False, groups=filters)
        self.project = ConvNorm(filters, trunk, 1, bias=False)
        self.excite = SqueezeExcite(trunk) if excitation else nn.Identity()

    def forward(self, planes: Tensor) -> Tensor:
        inner = torch.relu(self.expand(planes))
        inner = torch.relu(self.depthwise(inner))
        added: Tensor = planes + self.excite(self.project(inner))
        return added


class SqueezeExcite(nn.Module):
    """Scales every channel by what the whole board says of it; the 2021 paper's version has no biases."""

    def __init__(self, channels: int, ratio: int = 16) -> None:
        super().__init__()
        narrow = max(1, channels // ratio)
        self.squeeze = nn.Linear(channels, narrow, bias=False)
        self.excite = nn.Linear(narrow, channels, bias=False)

    def forward(self, planes: Tensor) -> Tensor:
        scale = torch.sigmoid(self.excite(torch.relu(self.squeeze(pooled(planes)))))
        return planes * scale[:, :, None, None]


def mobile(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The trunk of a mobile network: 1x1 stem, then inverted residuals."""
    return _trunk(inputs, blocks, filters, trunk, excitation=False)


def se(inputs: int, blocks: int, filters: int, trunk: int) -> nn.Module:
    """The same with squeeze and excitation before every addition."""
    return _trunk(inputs, blocks, filters, trunk, excitation=True)


def _trunk(inputs: int, blocks: int, filters: int, trunk: int, excitation: bool) -> nn.Module:
    stem = [ConvNorm(inputs, trunk, 1), nn.ReLU()]
    return nn.Sequential(*stem, *(Bottleneck(filters, trunk, excitation) for _ in range(blocks)))
