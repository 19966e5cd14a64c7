"""Learning rates over a run, by name: those of the papers as they state them, and a cosine with warm-up."""

import math
from dataclasses import dataclass

from tesuji.base.settings import check_names


@dataclass(frozen=True)
class Schedule:
    """A named plan: the values it brings along, and where the learning rate falls to a tenth."""

    learning_rate: float
    batch: int
    epochs: float
    """Of `epoch_samples` each; toronto-2021 states steps, which come to this many."""
    optimizer: str
    policy_loss: str = "cross-entropy"
    value_loss: str | None = None
    """None: what the network's name says."""
    value_weight: float | None = None
    """None: what the network's name says."""
    score_weight: float = 0.1
    """Of the losses on the score, the nine komi outputs among them."""
    l2: float = 0.0001
    epoch_samples: int = 1_000_000
    drops: tuple[float, ...] = ()
    """Shares of the run after which the learning rate is divided by ten."""
    cosine: bool = False


SCHEDULES = {
    "cosine": Schedule(0.002, 256, 10, "adamw", cosine=True),
    "constant": Schedule(0.001, 256, 10, "adam"),
    # 63 epochs of five million, the nine outputs alone. Rate and penalty are not stated: a guess, and none.
    "paper-2018": Schedule(0.05, 50, 63, "sgd", value_weight=0.0, score_weight=1.0, l2=0.0, epoch_samples=5_000_000),
    # 200 epochs, divided by ten at 100 and 150.
    "paper-2020": Schedule(0.005, 256, 200, "sgd", drops=(0.5, 0.75)),
    # 100 epochs, then 50 each at a tenth, a hundredth and a thousandth.
    "paper-2021": Schedule(0.0005, 32, 250, "adam", drops=(0.4, 0.6, 0.8)),
    # 400,000 steps of 2048, a tenth every 128,000, no penalty on weights.
    "toronto-2021": Schedule(0.001, 2048, 819.2, "adam", "point-bce", "mse", l2=0.0, drops=(0.32, 0.64, 0.96)),
}

LAST_STAGE = Schedule(0.00003, 64, 1, "adam", epoch_samples=50_000, cosine=True)
"""What a cosine means for integers (`quantize`): a little while at a low rate."""


def schedule(name: str) -> Schedule:
    """The plan of this name. Raises `ValueError` with the nearest name otherwise."""
    check_names([name], SCHEDULES, "schedule")
    return SCHEDULES[name]


def rate(plan: Schedule, progress: float, warmup: float = 0.0, final: float = 0.0) -> float:
    """The share of the highest learning rate at `progress`, from 0 at the start to 1 at the end of the run.

    `warmup` and `final` shape the cosine alone: the papers' steps are flat between their drops.
    """
    progress = min(max(progress, 0.0), 1.0)
    if not plan.cosine:
        # A hair of tolerance: 100 of 200 epochs is the drop itself, whatever the division says.
        return 0.1 ** sum(progress >= drop - 1e-12 for drop in plan.drops)
    if progress < warmup:
        return progress / warmup
    descent = (progress - warmup) / (1 - warmup)
    return float(final + (1 - final) * 0.5 * (1 + math.cos(math.pi * descent)))
