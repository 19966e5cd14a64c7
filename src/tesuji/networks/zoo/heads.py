"""Heads of networks, as parts that combine: policies, values, komi, score, ownership.

Everything a head returns is a logit, so that losses are stable; model files hold probabilities.
"""

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.layers import ConvNorm, Rectifier, conv, pooled
from tesuji.networks.zoo.registry import Heads
from tesuji.networks.zoo.residual import GoloisBlock

TINY = 1e-7  # keeps the logit of a certain win finite


class ConvPolicy(nn.Module):
    """1x1 convolution to a plane of logits (Polygames); pass, where wanted, from the pooled trunk."""

    def __init__(self, trunk: int, heads: Heads) -> None:
        super().__init__()
        moves = 3 if heads.next_moves else 1
        self.points = conv(trunk, moves, 1, bias=False)
        self.passing = nn.Linear(trunk, moves) if heads.has_pass else None
        self.rectify = Rectifier() if heads.relu else nn.Identity()

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, moves, N*N]`, or `N*N + 1` with pass."""
        logits: Tensor = self.rectify(self.points(planes)).flatten(2)
        if self.passing is None:
            return logits
        return torch.cat([logits, self.passing(pooled(planes))[:, :, None]], 2)


class DensePolicy(nn.Module):
    """AlphaGo Zero's: two planes, then a dense layer to every move."""

    def __init__(self, trunk: int, heads: Heads, size: int) -> None:
        super().__init__()
        self.shape = (-1, 3 if heads.next_moves else 1, size * size + heads.has_pass)
        self.planes = ConvNorm(trunk, 2, 1)
        self.dense = nn.Linear(2 * size * size, self.shape[1] * self.shape[2])
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, moves, N*N]`, or `N*N + 1` with pass."""
        logits: Tensor = self.dense(self.rectify(self.planes(planes)).flatten(1))
        return logits.reshape(self.shape)


class PooledValue(nn.Module):
    """Global average pooling and two dense layers: any board size."""

    def __init__(self, trunk: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(trunk, hidden)
        self.output = nn.Linear(hidden, outputs)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, outputs]` logits."""
        logits: Tensor = self.output(self.rectify(self.hidden(pooled(planes))))
        return logits


class ZeroValue(nn.Module):
    """AlphaGo Zero's: one plane and two dense layers."""

    def __init__(self, trunk: int, hidden: int, outputs: int, size: int) -> None:
        super().__init__()
        self.plane = ConvNorm(trunk, 1, 1)
        self.hidden = nn.Linear(size * size, hidden)
        self.output = nn.Linear(hidden, outputs)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, outputs]` logits."""
        inner = self.rectify(self.plane(planes)).flatten(1)
        # The paper's value is a tanh in [-1, 1]; (tanh(x) + 1) / 2 is the sigmoid of 2x.
        logits: Tensor = 2 * self.output(self.rectify(self.hidden(inner)))
        return logits


class PoolingValue(nn.Module):
    """Spatial average pooling between residual blocks, then one plane and two dense layers (2018).

    Without stages it is the head of the paper's plain value network.
    """

    def __init__(self, trunk: int, heads: Heads, outputs: int, size: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for blocks in heads.stages:
            layers.append(nn.AvgPool2d(2, stride=2, padding=1))
            layers.extend(GoloisBlock(trunk) for _ in range(blocks))
            size = size // 2 + 1
        self.stages = nn.Sequential(*layers)
        self.plane = conv(trunk, 1, 1)
        self.hidden = nn.Linear(size * size, heads.hidden)
        self.output = nn.Linear(heads.hidden, outputs)
        self.rectify = Rectifier()

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, outputs]` logits."""
        inner = self.plane(self.stages(planes)).flatten(1)
        logits: Tensor = self.output(self.rectify(self.hidden(inner)))
        return logits


class KomiValue(nn.Module):
    """A distribution over the final score, which holds the win probability at every komi.

    The nine outputs of the 2018 paper, for any size and any komi. The head speaks of the player to move,
    whose stones the planes show, so that what it learns as Black serves it as White.
    """

    def __init__(self, trunk: int, limit: int, planes: int = 32, hidden: int = 64) -> None:
        super().__init__()
        self.planes = ConvNorm(trunk, planes, 1, bias=False)
        self.hidden = nn.Linear(2 * planes, hidden)
        self.output = nn.Linear(hidden, 2 * limit + 1)
        self.rectify = Rectifier()
        self.scores: Tensor
        self.register_buffer("scores", torch.arange(-limit, limit + 1.0), persistent=False)

    def forward(self, planes: Tensor) -> Tensor:
        """`[B, 2 * limit + 1]` logits of the score of the player to move, from `-limit` to `limit`."""
        inner = self.rectify(self.planes(planes))
        # The mean counts points, the maximum tells whether there is one at all.
        features = torch.cat([pooled(inner), inner.amax((2, 3))], 1)
        logits: Tensor = self.output(self.rectify(self.hidden(features)))
        return logits


def win_weights(scores: Tensor, komi: Tensor) -> Tensor:
    """`[B, S]`: how much of a win each of Black's final `scores [S]` is at `komi [B]`; a draw counts one half."""
    return ((scores + 0.5) - komi[:, None]).clamp(0, 1)


def win_logit(score_logits: Tensor, weights: Tensor) -> Tensor:
    """`[B]` logit of the win probability `sum(softmax(score_logits) * weights)`, without cancellation."""
    won = torch.logsumexp(score_logits + weights.clamp_min(TINY).log(), 1)
    lost = torch.logsumexp(score_logits + (1 - weights).clamp_min(TINY).log(), 1)
    return won - lost


def nine_index(komi: Tensor) -> Tensor:
    """Which of the nine outputs speaks of this komi on 19x19."""
    return (torch.floor((361 + komi) / 2) - 180).clamp(0, 8).long()
