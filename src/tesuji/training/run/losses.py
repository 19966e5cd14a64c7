"""What a network is asked to minimise: the papers' losses, and those of score, ownership and next moves."""

import math
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.networks.zoo.network import Outputs
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import TrainConfig

_NEAR = 6.0  # points of score error up to which the loss is quadratic


def value_of(network: nn.Module) -> str:
    """Whose win the network's value speaks of; a module of one's own speaks of the player to move."""
    return str(getattr(getattr(network, "description", None), "value_of", "to_play"))


def forward(network: nn.Module, batch: TensorBatch, whose: str) -> Outputs:
    """The network's outputs in float32, the value turned to the player to move.

    A module of one's own may return just `(policy, value)`, both as logits.
    """
    found = network(batch.planes, batch.komi)
    outputs = found if isinstance(found, Outputs) else Outputs(*found)
    outputs = Outputs(*(None if tensor is None else tensor.float() for tensor in outputs))
    value = None if outputs.value is None else outputs.value.reshape(-1)
    if value is not None and whose == "white":
        value = torch.where(batch.black_to_play, -value, value)
    return outputs._replace(value=value)


class Objective(nn.Module):
    """The network and its loss as one module, so that parallel training sees every parameter in one call."""

    def __init__(self, network: nn.Module, config: TrainConfig, whose: str) -> None:
        super().__init__()
        self.network, self.config, self.whose = network, config, whose

    def forward(self, batch: TensorBatch) -> tuple[Tensor, dict[str, Tensor]]:
        """The weighted sum, and each term by itself with the policy's accuracy."""
        outputs = forward(self.network, batch, self.whose)
        config = self.config
        weighted: list[Tensor] = []
        terms: dict[str, Tensor] = {}

        def add(name: str, weight: float | None, term: Tensor) -> None:
            terms[name] = term.detach()
            weighted.append((1.0 if weight is None else weight) * term)

        taught = by_teacher(batch)
        if outputs.policy is not None:
            target, known = policy_target(batch.policy, outputs.policy.shape[1])
            pointwise = config.policy_loss == "point-bce"
            counts, degrees = known * _counts(taught, config.teacher_policy), _counts(taught, config.temperature)
            add("policy", config.policy_weight, policy_loss(outputs.policy, target, counts, pointwise, degrees))
            if pointwise and math.isqrt(outputs.policy.shape[1]) ** 2 < outputs.policy.shape[1]:
                add("pass", config.pass_weight, pass_loss(outputs.policy, target, known))
            hit = (outputs.policy.detach().argmax(1) == target.argmax(1)) & known
            terms["accuracy"] = hit.sum() / known.sum().clamp_min(1)
        if outputs.value is not None:
            counted = replace(batch, value_mask=batch.value_mask * _counts(taught, config.teacher_value))
            add("value", config.value_weight, value_loss(outputs.value, counted, config.value_loss == "mse"))
        counted = replace(batch, score_mask=batch.score_mask * _counts(taught, config.teacher_score))
        if config.score_weight and (outputs.score is not None or outputs.black_score is not None):
            add("score", config.score_weight, score_loss(outputs, counted))
        if config.score_weight and outputs.nine is not None:
            add("nine", config.score_weight, nine_loss(outputs.nine, counted, self.whose))
        if config.ownership_weight and outputs.ownership is not None:
            counted = replace(batch, ownership_mask=batch.ownership_mask * _counts(taught, config.teacher_ownership))
            add("ownership", config.ownership_weight, ownership_loss(outputs.ownership, counted))
        if config.next_weight and outputs.next_policies is not None:
            add("next", config.next_weight, next_loss(outputs.next_policies, batch.next_moves))
        return torch.stack(weighted).sum(), terms


def by_teacher(batch: TensorBatch) -> Tensor:
    """`[B]` bool: positions with a teacher's policy, which spreads over several moves; a game knows one."""
    return (batch.policy > 0).sum(1) > 1


def _counts(taught: Tensor, factor: float) -> Tensor:
    """`[B]` this for a teacher's positions, 1 for all others."""
    return torch.where(taught, factor, 1.0)


def policy_target(policy: Tensor, moves: int) -> tuple[Tensor, Tensor]:
    """The target over the moves a network knows, and which positions have one.

    A network without a pass output does not learn from positions whose move is a pass; of a soft target it learns
    the rest.
    """
    target = policy[:, :moves]
    total = target.sum(1, keepdim=True)
    return target / total.clamp_min(1e-6), total[:, 0] > 1e-3


def policy_loss(
    logits: Tensor, target: Tensor, counts: Tensor, pointwise: bool = False, degrees: Tensor | None = None
) -> Tensor:
    """Cross entropy over the moves, or the sum over points of a binary cross entropy (Eq. 2 of the 9x9 paper).

    The equation has no term for a pass: where every point should be 0, the softmax leaves the rest to it.
    `counts [B]`: how much each position counts; `degrees [B]`: the temperature at which the two policies are compared.
    """
    scale = torch.ones(len(logits), device=logits.device)
    if degrees is not None:
        logits, target = logits / degrees[:, None], target ** (1 / degrees[:, None])
        target = target / target.sum(1, keepdim=True).clamp_min(1e-6)
        scale = degrees.square()  # keeps gradients as large as without (Hinton et al. 2015)
    if pointwise:
        points = math.isqrt(logits.shape[1]) ** 2
        return _mean(scale * _binary(logits, target)[:, :points].sum(1), counts.float())
    return _mean(-scale * (target * functional.log_softmax(logits, 1)).sum(1), counts.float())


def pass_loss(logits: Tensor, target: Tensor, known: Tensor) -> Tensor:
    """The term of a pass, which the 9x9 paper's Eq. 2 leaves out."""
    return _mean(_binary(logits, target)[:, -1], known.float())


def _binary(logits: Tensor, target: Tensor) -> Tensor:
    """Binary cross entropy of each move's probability under the softmax."""
    logs = functional.log_softmax(logits, 1)
    # log(1 - p), kept away from the end of the scale where one move is certain.
    others = torch.log1p(-logs.exp().clamp_max(1 - 1e-6))
    return -(target * logs + (1 - target) * others)


def value_loss(logits: Tensor, batch: TensorBatch, squared: bool = False) -> Tensor:
    """Binary cross entropy of the win probability, or its squared error."""
    if squared:
        each = (torch.sigmoid(logits) - batch.value).square()
    else:
        # An unknown result may be written as any number, which this function refuses outside 0 to 1.
        each = functional.binary_cross_entropy_with_logits(logits, batch.value.clamp(0, 1), reduction="none")
    return _mean(each, batch.value_mask)


def score_loss(outputs: Outputs, batch: TensorBatch) -> Tensor:
    """What is known of Black's final score: a count, or a teacher's expectation.

    A counted game is one draw from the distribution, so it is learned by cross entropy. A teacher's expectation
    (a fraction) says nothing of the spread: pulling the whole distribution onto it would make every win look
    certain, so only the mean is held to it, and the value loss at the various komi shapes the rest.
    """
    mean = outputs.black_score
    assert mean is not None
    near = functional.huber_loss(mean, batch.black_score, reduction="none", delta=_NEAR) / _NEAR
    if outputs.score is None:
        return _mean(near, batch.score_mask)
    limit = outputs.score.shape[1] // 2
    whole = batch.black_score.round()
    index = whole.clamp(-limit, limit).long() + limit
    counted = functional.cross_entropy(outputs.score, index, reduction="none")
    return _mean(torch.where(whole == batch.black_score, counted, near), batch.score_mask)


def nine_loss(logits: Tensor, batch: TensorBatch, whose: str) -> Tensor:
    """The nine komi of the 2018 paper: White wins at output k when Black's area is at most 180 + k."""
    area = (361 + batch.black_score) / 2
    white = (area[:, None] <= 180 + torch.arange(9, device=logits.device)).float()
    target = white
    if whose == "to_play":
        target = torch.where(batch.black_to_play[:, None], 1 - white, white)
    return _mean(
        functional.binary_cross_entropy_with_logits(logits, target, reduction="none").mean(1), batch.score_mask
    )


def ownership_loss(logits: Tensor, batch: TensorBatch) -> Tensor:
    """Binary cross entropy on every point; a point that is nobody's counts half for each."""
    target = (batch.black_ownership + 1) / 2
    each = functional.binary_cross_entropy_with_logits(logits, target, reduction="none").mean((1, 2))
    return _mean(each, batch.ownership_mask)


def next_loss(logits: Tensor, moves: Tensor) -> Tensor:
    """Cross entropy of the two moves that follow, where there are any the network can say."""
    known = (moves >= 0) & (moves < logits.shape[2])
    each = functional.cross_entropy(
        logits.flatten(0, 1), moves.clamp(0, logits.shape[2] - 1).flatten(), reduction="none"
    )
    return _mean(each, known.flatten().float())


def _mean(each: Tensor, mask: Tensor) -> Tensor:
    """Mean over the positions that count. Zero, yet with a gradient of zeros, when none does."""
    # A target that is unknown may hold anything, even nan, which a product with 0 would keep.
    return torch.where(mask > 0, each * mask, 0.0).sum() / mask.sum().clamp_min(1e-6)
