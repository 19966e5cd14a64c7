"""How good a network is on positions it never learned from, in the papers' terms and a few more."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional

from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.losses import forward, policy_target, value_of

_BINS = 10


@dataclass(frozen=True)
class Metrics:
    """Averages over the positions of a validation; shares from 0 to 1."""

    positions: int
    top1: float
    """Positions whose most likely move is the one played."""
    top5: float
    cross_entropy: float
    """Of the policy, in nats."""
    value_mse: float
    """Squared error of the win probability against the result, a draw being one half."""
    value_bce: float
    value_accuracy: float
    """Decided positions whose winner is seen."""
    calibration: float
    """Mean distance between predicted and actual win rate over ten bins, weighted by their positions."""
    score_error: float
    """Mean distance from the known final score, in points; nan without any."""
    ownership_accuracy: float
    """Share of points given to their final owner; nan without any."""

    @property
    def loss(self) -> float:
        """One number to choose the best weights by."""
        return sum(part for part in (self.cross_entropy, self.value_bce) if part == part)

    def row(self) -> dict[str, float]:
        """Plain numbers by name."""
        return {**asdict(self), "loss": self.loss}


class _Sums:
    """Running totals, in double precision on the CPU."""

    def __init__(self) -> None:
        self.totals: dict[str, float] = {}
        self.bins = torch.zeros(_BINS, 3, dtype=torch.float64)

    def add(self, name: str, values: torch.Tensor, count: float) -> None:
        self.totals[name] = self.totals.get(name, 0.0) + float(values.double().sum())
        self.totals[name + "#"] = self.totals.get(name + "#", 0.0) + count

    def mean(self, name: str) -> float:
        count = self.totals.get(name + "#", 0.0)
        return self.totals[name] / count if count else float("nan")

    def calibrate(self, predicted: torch.Tensor, actual: torch.Tensor) -> None:
        index = (predicted * _BINS).long().clamp(0, _BINS - 1).cpu()
        rows = torch.stack([torch.ones_like(predicted), predicted, actual], 1).double().cpu()
        self.bins.index_add_(0, index, rows)

    def calibration(self) -> float:
        total = float(self.bins[:, 0].sum())
        return float((self.bins[:, 1] - self.bins[:, 2]).abs().sum()) / total if total else float("nan")


@torch.no_grad()
def validate(network: nn.Module, batches: Iterable[TensorBatch], device: torch.device) -> Metrics:
    """Judges every position once, in full precision."""
    was_training = network.training
    network.eval()
    whose = value_of(network)
    sums = _Sums()
    positions = 0
    for arrays in batches:
        batch = arrays.to(device)
        positions += len(batch)
        outputs = forward(network, batch, whose)
        if outputs.policy is not None:
            _policy(sums, outputs.policy, batch)
        if outputs.value is not None:
            _value(sums, torch.sigmoid(outputs.value), batch)
        if outputs.black_score is not None and bool(batch.score_mask.any()):
            error = torch.where(batch.score_mask > 0, (outputs.black_score - batch.black_score).abs(), 0.0)
            sums.add("score", error, float(batch.score_mask.sum()))
        if outputs.ownership is not None and bool(batch.ownership_mask.any()):
            known = batch.ownership_mask[:, None, None] * (batch.black_ownership != 0)
            right = (outputs.ownership * batch.black_ownership > 0) * known
            sums.add("ownership", right, float(known.sum()))
    network.train(was_training)
    mean = sums.mean
    return Metrics(
        positions, mean("top1"), mean("top5"), mean("ce"), mean("mse"), mean("bce"), mean("winner"),
        sums.calibration(), mean("score"), mean("ownership"),
    )  # fmt: skip


def _policy(sums: _Sums, logits: torch.Tensor, batch: TensorBatch) -> None:
    target, known = policy_target(batch.policy, logits.shape[1])
    logits, target = logits[known], target[known]
    count = float(known.sum())
    best = target.argmax(1, keepdim=True)
    ranked = logits.topk(5, dim=1).indices
    sums.add("top1", ranked[:, :1] == best, count)
    sums.add("top5", (ranked == best).any(1), count)
    sums.add("ce", -(target * functional.log_softmax(logits, 1)).sum(1), count)


def _value(sums: _Sums, value: torch.Tensor, batch: TensorBatch) -> None:
    known = batch.value_mask > 0
    value, target = value[known], batch.value[known]
    count = float(len(target))
    sums.add("mse", (value - target).square(), count)
    sums.add("bce", functional.binary_cross_entropy(value.clamp(1e-6, 1 - 1e-6), target, reduction="none"), count)
    decided = target != 0.5
    sums.add("winner", ((value > 0.5) == (target > 0.5)) & decided, float(decided.sum()))
    sums.calibrate(value, target)
