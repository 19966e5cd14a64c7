"""A learning run on the terminal: one line for every round, and what is under way."""

from collections.abc import Mapping
from typing import Any

from tesuji.interfaces.terminal.selfplay_display import Display
from tesuji.learning.loop.loop import LoopWatcher
from tesuji.learning.selfplay.crew import Progress
from tesuji.training.run.watching import Status, Watcher


class _Training(Watcher):
    """Training as one moving line."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def stepped(self, status: Status) -> None:
        losses = ", ".join(f"{name} {value:.3f}" for name, value in status.losses.items())
        self._display.note(f"training {status.progress:.0%}: {losses}")

    def said(self, line: str) -> None:
        self._display.said(line)


class LearnDisplay(LoopWatcher):
    """Shows a loop on a display that is open already."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def said(self, line: str) -> None:
        self._display.said(line)

    def playing(self, progress: Progress) -> None:
        self._display.show(progress)

    def training(self) -> Watcher:
        return _Training(self._display)

    def finished(self, row: Mapping[str, Any]) -> None:
        """One lasting line for each round."""
        played, trained, test = row["selfplay"], row["training"], row["gate"]
        gate = f"gate {test['points']:g}/{test['games']}" if "games" in test else "no gate"
        anchor = f", {row['anchor']['rate']:.0%} against no network" if "anchor" in row else ""
        losses = f"policy {trained['cross_entropy']:.3f}, value {trained['value_mse']:.4f}" if "top1" in trained else ""
        self.said(
            f"round {row['round']}: {played['games']} games of {played['length']:g} moves, {losses}, {gate}: "
            f"{'passed' if test['passed'] else 'refused'}{anchor}, best {row['best']}, {row['seconds']:.0f} s"
        )
