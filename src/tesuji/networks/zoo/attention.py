"""Networks with attention: EfficientFormer's blocks on a Go board, and residual blocks beside transformers.

Sagri, Cazenave, Arjonilla, Saffidine, "Vision Transformers for Computer Go", 2024 (eformer.*, by the blocks of
EfficientFormer). Ju, Wu, Shih, Wu, "Bridging Local and Global Knowledge via Transformer in Board Games", 2025 (rt.*).
Dense layers on points are 1x1 convolutions, which say the same and keep the board a board.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.networks.zoo.layers import ConvNorm, Rectifier, conv
from tesuji.networks.zoo.registry import pattern_of
from tesuji.networks.zoo.residual import ResidualBlock

EXPANSION = 4  # of the dense layers between
SCALE = 1e-5  # at which the branches of EfficientFormer begin
FARTHEST = 18  # lines between two points; what lies farther apart on a larger board counts as this far


class ChannelNorm(nn.Module):
    """Layer normalisation of each point over its channels."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, planes: Tensor) -> Tensor:
        centred = planes - planes.mean(1, keepdim=True)
        spread = ((centred * centred).mean(1, keepdim=True) + 1e-5).sqrt()
        return centred / spread * self.weight[:, None, None] + self.bias[:, None, None]


class Attention(nn.Module):
    """Every point looks at all others; how far apart two points lie in rows and columns has a learned weight."""

    def __init__(self, width: int, heads: int, key: int, value: int) -> None:
        super().__init__()
        self.heads, self.key, self.value = heads, key, value
        self.ask = conv(width, heads * (2 * key + value), 1)
        self.answer = conv(heads * value, width, 1)
        self.distances = nn.Parameter(torch.zeros(heads, (FARTHEST + 1) ** 2))

    def forward(self, planes: Tensor) -> Tensor:
        keys = self.heads * self.key
        asked = self.ask(planes)
        query = asked[:, :keys].flatten(2).unflatten(1, (self.heads, self.key))
        key = asked[:, keys : 2 * keys].flatten(2).unflatten(1, (self.heads, self.key))
        values = asked[:, 2 * keys :]
        scores = query.transpose(2, 3) @ key * self.key**-0.5
        bias = self.distances.index_select(1, between(planes))
        weights = torch.softmax(scores + bias.reshape_as(scores[0]), -1)
        found = values.flatten(2).unflatten(1, (self.heads, self.value)) @ weights.transpose(2, 3)
        answer: Tensor = self.answer(found.reshape_as(values))
        return answer

    def operations(self, points: int) -> int:
        """Of one position beyond those of its layers: every point with every other, twice."""
        return 2 * self.heads * points * points * (self.key + self.value)


def between(planes: Tensor) -> Tensor:
    """For every pair of points the number of their distance in rows and columns, `[P * P]`.

    Reckoned from the planes themselves, so that a traced network takes boards of any size.
    """
    ones = (planes[:1, 0] * 0 + 1).float()
    apart = []
    for axis in (1, 2):
        line = ones.cumsum(axis).flatten(1)
        apart.append((line[:, :, None] - line[:, None, :]).abs().clamp(0, FARTHEST))
    return (apart[0] * (FARTHEST + 1) + apart[1]).long().reshape((-1,))


class Scaled(nn.Module):
    """What a branch adds, channel by channel weighted, almost nothing in the beginning."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((channels,), SCALE))

    def forward(self, planes: Tensor) -> Tensor:
        return planes * self.weight[:, None, None]


class PoolingMixer(nn.Module):
    """EfficientFormer's MB4D: points mix with the mean of their neighbours, then channels with each other."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mean = nn.AvgPool2d(3, stride=1, padding=1, count_include_pad=False)
        self.wide = ConvNorm(width, EXPANSION * width, 1)
        self.narrow = ConvNorm(EXPANSION * width, width, 1)
        self.mixed, self.channels = Scaled(width), Scaled(width)

    def forward(self, planes: Tensor) -> Tensor:
        planes = planes + self.mixed(self.mean(planes) - planes)
        added: Tensor = planes + self.channels(self.narrow(functional.gelu(self.wide(planes))))
        return added


class Transformer(nn.Module):
    """Attention, then dense layers, each behind a norm and added; with scales it is EfficientFormer's MB3D."""

    def __init__(self, width: int, heads: int, key: int, value: int, scaled: bool) -> None:
        super().__init__()
        self.first, self.second = ChannelNorm(width), ChannelNorm(width)
        self.attention = Attention(width, heads, key, value)
        self.wide, self.narrow = conv(width, EXPANSION * width, 1), conv(EXPANSION * width, width, 1)
        self.attended = Scaled(width) if scaled else nn.Identity()
        self.channels = Scaled(width) if scaled else nn.Identity()

    def forward(self, planes: Tensor) -> Tensor:
        planes = planes + self.attended(self.attention(self.first(planes)))
        inner = functional.gelu(self.wide(self.second(planes)))
        added: Tensor = planes + self.channels(self.narrow(inner))
        return added


def eformer(inputs: int, mixers: int, transformers: int, width: int) -> nn.Module:
    """A 3x3 stem, pooling mixers, then transformers of eight heads (key 32, value 128), the board as large as it is."""
    blocks: list[nn.Module] = [PoolingMixer(width) for _ in range(mixers)]
    blocks += [Transformer(width, 8, 32, 128, scaled=True) for _ in range(transformers)]
    return nn.Sequential(ConvNorm(inputs, width, 3), Rectifier(), *blocks)


def hybrid(inputs: int, pattern: int, width: int) -> nn.Module:
    """Residual blocks (r) and transformers (t) in the order of the pattern, heads of 32 channels."""
    heads = max(1, width // 32)
    each = width // heads
    blocks = [
        ResidualBlock(width) if letter == "r" else Transformer(width, heads, each, each, scaled=False)
        for letter in pattern_of(pattern)
    ]
    return nn.Sequential(ConvNorm(inputs, width, 3), Rectifier(), *blocks)
