"""A whole network: a trunk, its heads, and what they say."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from tesuji.base.errors import InputError
from tesuji.networks.zoo import heads as parts
from tesuji.networks.zoo.count_heads import CountValue, PoolPolicy, margin_of
from tesuji.networks.zoo.description import Description, describe
from tesuji.networks.zoo.layers import Rectifier, conv, initialise, pooled


class Outputs(NamedTuple):
    """What a network says of `B` positions: logits but for `black_score`, `None` where there is no head."""

    policy: Tensor | None = None
    """`[B, N*N]`, or `[B, N*N + 1]` with pass last."""
    value: Tensor | None = None
    """`[B]` win of `description.value_of`: `sigmoid` gives the probability."""
    next_policies: Tensor | None = None
    """`[B, 2, N*N (+ 1)]`: the two moves after the next."""
    nine: Tensor | None = None
    """`[B, 9]` win of `description.value_of` at the nine komi of the 2018 paper."""
    score: Tensor | None = None
    """`[B, 2L + 1]` over Black's final score on the board, `-L` to `L`; `L` is `description.komi_limit`."""
    black_score: Tensor | None = None
    """`[B]` Black's expected lead in points, komi not taken off."""
    ownership: Tensor | None = None
    """`[B, N, N]`: the point will be Black's; `2 * sigmoid - 1` lies between -1 and 1."""


class Network(nn.Module):
    """A network of the zoo, or a user's own."""

    def __init__(self, description: Description) -> None:
        super().__init__()
        self.description = description
        spec, heads = description.spec, description.spec.heads
        width, size = spec.numbers[-1], description.size
        self.trunk = spec.family.trunk(description.channels, spec.numbers)
        self.policy: nn.Module | None = None
        if heads.policy == "conv":
            self.policy = parts.ConvPolicy(width, heads)
        elif heads.policy == "dense":
            self.policy = parts.DensePolicy(width, heads, size)
        elif heads.policy == "pool":
            self.policy = PoolPolicy(width, heads)
        outputs = 9 if heads.nine else 1
        self.value: nn.Module | None = None
        if heads.value == "avg":
            self.value = parts.PooledValue(width, heads.hidden, outputs)
        elif heads.value == "az":
            self.value = parts.ZeroValue(width, heads.hidden, outputs, size)
        elif heads.value == "sap":
            self.value = parts.PoolingValue(width, heads, outputs, size)
        elif heads.value == "komi":
            self.value = parts.KomiValue(width, description.komi_limit)
        elif heads.value == "count":
            self.value = CountValue(width, description.komi_limit, size)
        self.ownership = conv(width, 1, 1) if heads.ownership else None
        self.score = nn.Linear(width, 1) if heads.score else None
        for part in self.modules():
            if isinstance(part, Rectifier):
                part.swish = heads.swish
        initialise(self)

    def forward(self, planes: Tensor, komi: Tensor | None = None) -> Outputs:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`, which only some value heads read."""
        features = self.trunk(planes)
        owned = None if self.ownership is None else self.ownership(features)[:, 0]
        outputs = self._judge(planes, features, owned, komi)
        if owned is not None:
            outputs = outputs._replace(ownership=owned * self.black_sign(planes)[:, None, None])
        if self.policy is None:
            return outputs
        policies = self._policies(planes, features, outputs, komi)
        next_policies = policies[:, 1:] if self.description.spec.heads.next_moves else None
        return outputs._replace(policy=policies[:, 0], next_policies=next_policies)

    def black_sign(self, planes: Tensor) -> Tensor:
        """`[B]`: 1 where Black is to play, -1 where White is."""
        index = self.description.black_plane
        assert index is not None
        return 2 * planes[:, index, 0, 0] - 1

    def _policies(self, planes: Tensor, features: Tensor, outputs: Outputs, komi: Tensor | None) -> Tensor:
        assert self.policy is not None
        policies: Tensor
        if isinstance(self.policy, PoolPolicy) and isinstance(self.value, CountValue):
            assert outputs.score is not None
            assert komi is not None
            assert outputs.black_score is not None
            margin = margin_of(outputs.score, outputs.black_score, self.value.scores, komi, self.black_sign(planes))
            policies = self.policy(features, margin)
        else:
            policies = self.policy(features)
        return policies

    def _judge(self, planes: Tensor, features: Tensor, owned: Tensor | None, komi: Tensor | None) -> Outputs:
        black_score = None
        if self.score is not None:
            # In units of the board's side, which keeps the layer's numbers near one.
            black_score = self.score(pooled(features))[:, 0] * self.description.size * self.black_sign(planes)
        if self.value is None:
            return Outputs(black_score=black_score)
        if komi is None and self.description.needs_komi:
            raise InputError(f"the value of '{self.description.name}' depends on komi; pass it as the second argument")
        if isinstance(self.value, CountValue):
            assert owned is not None
            assert komi is not None
            sign = self.black_sign(planes)
            return self._read_scores(sign, self.value(features, torch.tanh(owned.float() / 2), sign), komi)
        # Under mixed precision the sums over scores need all their digits.
        logits = self.value(features).float()
        if self.description.spec.heads.nine:
            assert komi is not None
            value = logits.gather(1, parts.nine_index(komi)[:, None])[:, 0]
            return Outputs(value=value, nine=logits, black_score=black_score)
        if self.description.spec.heads.value != "komi":
            return Outputs(value=logits[:, 0], black_score=black_score)
        assert komi is not None
        sign = self.black_sign(planes)
        return self._read_scores(sign, torch.where(sign[:, None] > 0, logits, logits.flip(1)), komi)

    def _read_scores(self, sign: Tensor, score: Tensor, komi: Tensor) -> Outputs:
        """What Black's score says of the player to move."""
        assert isinstance(self.value, parts.KomiValue | CountValue)
        value = sign * parts.win_logit(score, parts.win_weights(self.value.scores, komi))
        return Outputs(value=value, score=score, black_score=torch.softmax(score, 1) @ self.value.scores)


def create(name: str, planes: str | None = None, size: int | None = None) -> Network:
    """A new network by name, initialised as Keras would. Raises `ValueError` for names that mean nothing.

    `planes` and `size` default to those of the network's paper.
    """
    return Network(describe(name, planes, size))
