"""Two evaluators side by side on the same positions: how far apart their judgements are."""

from dataclasses import dataclass

import numpy as np

from tesuji.features.evaluation import Evaluator, Floats
from tesuji.networks.evaluators.wrappers import fields_of

_BATCH = 64


@dataclass(frozen=True)
class Positions:
    """Positions as a network reads them."""

    planes: Floats
    """`[B, C, N, N]`"""
    komi: Floats
    """`[B]`"""

    def __len__(self) -> int:
        return len(self.planes)

    def part(self, first: int, end: int) -> "Positions":
        """Those from `first` to before `end`."""
        return Positions(self.planes[first:end], self.komi[first:end])


@dataclass(frozen=True)
class Comparison:
    """What two evaluators say of some positions."""

    positions: int
    same_first_move: float
    """Share of positions in which both like the same move best."""
    mean: dict[str, float]
    """Mean difference of each field of `Evaluation` that both have."""
    largest: dict[str, float]

    def lines(self) -> list[str]:
        """In words, one line each."""
        told = [
            f"{name.replace('_', ' ')}: mean difference {self.mean[name]:.4f}, largest {self.largest[name]:.4f}"
            for name in self.mean
        ]
        return [f"first move the same in {100 * self.same_first_move:.1f} % of {self.positions} positions", *told]


def compare(first: Evaluator, second: Evaluator, positions: Positions) -> Comparison:
    """What both say of these positions."""
    same = 0
    gaps: dict[str, list[tuple[float, float]]] = {}
    for start in range(0, len(positions), _BATCH):
        part = positions.part(start, start + _BATCH)
        one, other = first(part.planes, part.komi), second(part.planes, part.komi)
        same += int((one.policy.argmax(1) == other.policy.argmax(1)).sum())
        theirs = fields_of(other)
        for name, numbers in fields_of(one).items():
            if name in theirs:
                gap = np.abs(numbers - theirs[name])
                gaps.setdefault(name, []).append((float(gap.mean()) * len(gap), float(gap.max())))
    return Comparison(
        positions=len(positions),
        same_first_move=same / len(positions),
        mean={name: sum(mean for mean, _ in found) / len(positions) for name, found in gaps.items()},
        largest={name: max(largest for _, largest in found) for name, found in gaps.items()},
    )
