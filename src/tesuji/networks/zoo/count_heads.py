"""Heads that see the whole board: a value that counts, and a policy that knows the margin.

The score's distribution is centred where the ownership head puts it, and the value is the part of it beyond komi:
win rate, score, ownership and komi cannot contradict each other, and the value falls with komi by construction.
"""

import math

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.heads import ConvPolicy, win_weights
from tesuji.networks.zoo.layers import ConvNorm, Silent, conv, pooled
from tesuji.networks.zoo.registry import Heads

WIDTHS = (0.5, 2.0, 6.0, 16.0)
"""Points of spread each part of the mixture begins with: from a finished board to an open fight."""


class CountValue(nn.Module):
    """A distribution over every score of the board: a mixture around the sum of the ownership.

    Each part of the mixture falls off exponentially, so that a lead of forty points and one of eighty remain two
    things. Whole boards have scores of one parity unless there is a seki, which one more number learns.
    The head thinks of the player to move and speaks of Black: since scores lie alike on both sides of zero, the centres
    alone are turned for White.
    """

    def __init__(self, trunk: int, limit: int, side: int, planes: int = 32, hidden: int = 64) -> None:
        super().__init__()
        self.side = float(side)
        self.parts = len(WIDTHS)
        self.planes = ConvNorm(trunk, planes, 1, bias=False)
        self.hidden = nn.Linear(2 * planes + 2, hidden)
        self.output = Silent(nn.Linear(hidden, 3 * self.parts + 1))
        self.scores: Tensor
        self.odd: Tensor
        self.widths: Tensor
        self.register_buffer("scores", torch.arange(-limit, limit + 1.0), persistent=False)
        self.register_buffer("odd", self.scores.remainder(2), persistent=False)
        self.register_buffer("widths", torch.tensor([math.log(width) for width in WIDTHS]), persistent=False)

    def forward(self, features: Tensor, owned: Tensor, black_sign: Tensor) -> Tensor:
        """`[B, 2 * limit + 1]` logits of Black's score; the player to move will hold `owned [B, N, N]` (-1 to 1)."""
        inner = torch.relu(self.planes(features))
        points = owned.flatten(1)
        lead = points.sum(1, keepdim=True)
        open_points = (1 - points * points).sum(1, keepdim=True)
        told = torch.cat([pooled(inner), inner.amax((2, 3)), lead / self.side, open_points / self.side], 1)
        # Under mixed precision a score of forty points needs all its digits.
        said: Tensor = self.output(torch.relu(self.hidden(told))).float()
        n = self.parts
        width = self.widths + said[:, n : 2 * n].clamp(-4, 4)
        centre = (lead + self.side * said[:, :n]) * black_sign[:, None]
        away = (self.scores - centre[:, :, None]) * (-width).exp()[:, :, None]
        each = (said[:, 2 * n : 3 * n] - width)[:, :, None] - (1 + away * away).sqrt()
        return torch.logsumexp(each, 1) + said[:, 3 * n :] * self.odd


class PoolPolicy(ConvPolicy):
    """The 1x1 policy, and beside it one that knows the whole board and, where the value counts, the margin."""

    def __init__(self, trunk: int, heads: Heads, hidden: int = 32) -> None:
        super().__init__(trunk, heads)
        moves = 3 if heads.next_moves else 1
        self.local = conv(trunk, hidden, 1)
        self.board = nn.Linear(2 * trunk + (2 if heads.value == "count" else 0), hidden)
        self.refined = Silent(conv(hidden, moves, 1, bias=False))
        self.refined_pass = Silent(nn.Linear(hidden, moves)) if heads.has_pass else None

    def forward(self, planes: Tensor, margin: Tensor | None = None) -> Tensor:
        """`[B, moves, N*N]`, or `N*N + 1` with pass. `margin [B, 2]`: what `margin_of` says of the position."""
        told = [pooled(planes), planes.amax((2, 3))]
        board = self.board(torch.cat(told if margin is None else [*told, margin], 1))
        inner = torch.relu(self.local(planes) + board[:, :, None, None])
        logits: Tensor = (self.points(planes) + self.refined(inner)).flatten(2)
        if self.passing is None or self.refined_pass is None:
            return logits
        passing = self.passing(pooled(planes)) + self.refined_pass(torch.relu(board))
        return torch.cat([logits, passing[:, :, None]], 2)


def margin_of(score_logits: Tensor, black_score: Tensor, scores: Tensor, komi: Tensor, black_sign: Tensor) -> Tensor:
    """`[B, 2]` how Black's `score_logits` and their mean stand for the player to move: win and lead, each -1 to 1.

    No gradient flows back: the policy reads the judgement and does not bend it.
    """
    chances = torch.softmax(score_logits, 1)
    win = 2 * (chances * win_weights(scores, komi)).sum(1) - 1
    lead = torch.tanh((black_score - komi) / 10)
    return (torch.cat([win[:, None], lead[:, None]], 1) * black_sign[:, None]).detach()
