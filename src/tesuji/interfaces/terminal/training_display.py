"""The live display of a training run: one line that moves, one line for every validation."""

import math
import sys
import time
from pathlib import Path

from rich.console import Console

from tesuji.base.quantities import duration, number
from tesuji.interfaces.terminal.bars import console_here, moving_line
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.validation import Metrics
from tesuji.training.run.watching import Status, Watcher


class Display(Watcher):
    """Shows speed, losses, accuracy and time left; on a plain output, a line now and then instead."""

    def __init__(self, folder: Path, console: Console | None = None, *, quiet: bool = False) -> None:
        self.folder = folder
        self.console = console or console_here(soft_wrap=not sys.stdout.isatty(), quiet=quiet)
        self._bar = moving_line(self.console, by_count=False)
        self._task = self._bar.add_task("training", total=1.0, text="")
        self._shown = 0.0

    def started(self, config: TrainConfig, step: int) -> None:
        """Says what is trained and where it is written."""
        verb = f"going on after step {step}" if step else "starting"
        self.console.print(f"{config.network} on {', '.join(config.data) or 'data'}: {verb}, in {self.folder}")
        if self.console.is_terminal:
            self._bar.start()

    def stepped(self, status: Status) -> None:
        """Moves the bar a few times a second, or prints a line every half minute where no bar can move."""
        now = time.monotonic()
        moving = self.console.is_terminal
        if now - self._shown < (0.25 if moving else 30):
            return
        self._shown = now
        if moving:
            self._bar.update(self._task, completed=status.progress, text=describe(status))
        else:
            self.console.print(describe(status))

    def validated(self, status: Status, metrics: Metrics, best: bool) -> None:
        """One lasting line for each validation."""
        self.console.print(
            f"epoch {status.epoch:.2f}: top-1 {metrics.top1:.2%}, top-5 {metrics.top5:.2%}, "
            f"cross entropy {metrics.cross_entropy:.4f}, value MSE {metrics.value_mse:.4f}, "
            f"value accuracy {metrics.value_accuracy:.2%}, calibration {metrics.calibration:.4f}"
            + (", best so far" if best else "")
        )

    def said(self, line: str) -> None:
        """A line for the person."""
        self.console.print(line)

    def ended(self) -> None:
        """Takes the bar away."""
        self._bar.stop()


def describe(status: Status) -> str:
    """A status in one line."""
    losses = ", ".join(f"{name} {value:.3f}" for name, value in status.losses.items())
    left = "" if math.isnan(status.seconds_left) else f"{duration(status.seconds_left)} left, "
    return f"{left}epoch {status.epoch:.2f}, {number(status.samples_per_second)} samples/s, {losses}"
