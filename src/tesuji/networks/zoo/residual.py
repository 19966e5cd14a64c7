"""Residual networks: AlphaZero's block, and Golois's with its rectifiers before one batch norm.

Cazenave, "Mobile Networks for Computer Go", 2020 (a0.*); "Improving Model and Search for Computer Go", 2021
(residual.*, the heads of Polygames); "Spatial Average Pooling for Computer Go", 2018 (the trunks of alpha
and sap). Wu, "Accelerating Self-Play Learning in Go", 2019 (global pooling inside blocks: gpool.*).
"""

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.layers import ConvNorm, Rectifier, Silent, conv, norm, pooled

POOLING_EVERY = 3  # a third of the blocks see the whole board


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions with batch norms, added to the input, rectified (Silver et al., 2017)."""

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first = ConvNorm(filters, filters, 3)
        self.second = ConvNorm(filters, filters, 3)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.rectify(self.first(planes))
        rectified: Tensor = self.rectify(planes + self.second(inner))
        return rectified


class GoloisBlock(nn.Module):
    """Rectified convolutions and one batch norm after the addition, which suits a 1x1 policy head."""

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.first = conv(filters, filters, 3)
        self.second = conv(filters, filters, 3)
        self.norm = norm(filters)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.rectify(self.first(planes))
        normed: Tensor = self.norm(planes + self.rectify(self.second(inner)))
        return normed


class PoolingBlock(GoloisBlock):
    """A Golois block whose first convolution is told what it found on the whole board.

    Mean and maximum of every channel go through a dense layer and come back as a bias. The mean comes a second
    time scaled by the board's side, as KataGo has it, for what counts points rather than shares.
    """

    def __init__(self, filters: int) -> None:
        super().__init__(filters)
        self.pooling = Silent(nn.Linear(3 * filters, filters))

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.first(planes)
        found = self.rectify(inner)
        mean = pooled(found)
        board = torch.cat([mean, mean * ((planes.shape[-1] - 14) * 0.1), found.amax((2, 3))], 1)
        inner = self.rectify(inner + self.pooling(board)[:, :, None, None])
        normed: Tensor = self.norm(planes + self.rectify(self.second(inner)))
        return normed


def a0(inputs: int, blocks: int, filters: int) -> nn.Module:
    """AlphaZero's tower behind the 1x1 stem of the 2020 paper."""
    return nn.Sequential(ConvNorm(inputs, filters, 1), Rectifier(), *(ResidualBlock(filters) for _ in range(blocks)))


def golois(inputs: int, blocks: int, filters: int) -> nn.Module:
    """Golois blocks behind the same stem."""
    return nn.Sequential(ConvNorm(inputs, filters, 1), Rectifier(), *(GoloisBlock(filters) for _ in range(blocks)))


def gpool(inputs: int, blocks: int, filters: int) -> nn.Module:
    """The same with global pooling in the second of every three blocks."""
    inner = (PoolingBlock(filters) if i % POOLING_EVERY == 1 else GoloisBlock(filters) for i in range(blocks))
    return nn.Sequential(ConvNorm(inputs, filters, 1), Rectifier(), *inner)


def polygames(inputs: int, blocks: int, filters: int) -> nn.Module:
    """Golois blocks behind a stem without batch norm, as the 2021 paper counts its residual networks."""
    return nn.Sequential(conv(inputs, filters, 1), Rectifier(), *(GoloisBlock(filters) for _ in range(blocks)))


def before_pooling(inputs: int, blocks: int, *rest: int) -> nn.Module:
    """The part of a `sap` value network before its first pooling; the value head holds the other blocks."""
    return polygames(inputs, blocks, rest[-1])
