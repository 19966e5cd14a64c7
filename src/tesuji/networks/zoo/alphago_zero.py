"""The tower of AlphaGo Zero, and the small one of Toronto's 9x9 study.

Silver et al., "Mastering the game of Go without human knowledge", Nature, 2017: a 3x3 stem and 19 or 39
residual blocks of 256. "Learning to Play Go", 2021: two blocks for 9x9, each convolution rectified, nothing
after the addition.
"""

from torch import Tensor, nn

from tesuji.networks.zoo.layers import ConvNorm, Rectifier
from tesuji.networks.zoo.residual import ResidualBlock


class OpenBlock(ResidualBlock):
    """The same two convolutions, both rectified, added to the input and left so."""

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.rectify(self.first(planes))
        added: Tensor = planes + self.rectify(self.second(inner))
        return added


def agz(inputs: int, blocks: int, filters: int) -> nn.Module:
    """AlphaGo Zero's trunk."""
    return _tower(inputs, filters, [ResidualBlock(filters) for _ in range(blocks)])


def toronto(inputs: int, blocks: int, filters: int) -> nn.Module:
    """The trunk of the 9x9 study."""
    return _tower(inputs, filters, [OpenBlock(filters) for _ in range(blocks)])


def _tower(inputs: int, filters: int, blocks: list[nn.Module]) -> nn.Module:
    return nn.Sequential(ConvNorm(inputs, filters, 3), Rectifier(), *blocks)
