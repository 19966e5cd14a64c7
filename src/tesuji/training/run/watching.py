"""What a trainer tells whoever watches it; the interfaces decide how to show it."""

import math
from dataclasses import dataclass

from tesuji.training.run.config import TrainConfig
from tesuji.training.run.validation import Metrics


@dataclass(frozen=True)
class Status:
    """Where a run is after a step."""

    step: int
    samples: int
    progress: float
    """From 0 to 1 over the whole run."""
    epoch: float
    """Epochs done, with the fraction."""
    seconds: float
    """Time so far, pauses between resumed parts left out."""
    samples_per_second: float
    learning_rate: float
    losses: dict[str, float]
    """Moving averages of every loss term, the total first, and of the policy's accuracy; without the L2 penalty."""

    def row(self) -> dict[str, float]:
        """Plain numbers by name, for the log."""
        return {
            "step": self.step, "samples": self.samples, "epoch": self.epoch, "seconds": self.seconds,
            "samples_per_second": self.samples_per_second, "learning_rate": self.learning_rate, **self.losses,
        }  # fmt: skip

    @property
    def seconds_left(self) -> float:
        """Time to the end at the present speed; not a number before the first step was timed."""
        timed = self.progress > 0 and self.seconds > 0
        return self.seconds * (1 - self.progress) / self.progress if timed else math.nan


class Watcher:
    """Sees nothing and says nothing: the base of those that do."""

    def started(self, config: TrainConfig, step: int) -> None:
        """The run begins, or goes on after `step`."""

    def stepped(self, status: Status) -> None:
        """A step is done. Called often: be quick."""

    def validated(self, status: Status, metrics: Metrics, best: bool) -> None:
        """An epoch's validation is done."""

    def said(self, line: str) -> None:
        """Something a person should read."""

    def ended(self) -> None:
        """The run is over, however it ended."""
