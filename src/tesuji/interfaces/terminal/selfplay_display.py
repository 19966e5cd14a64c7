"""Self-play on the terminal: one line that moves, and an account at the end."""

import sys
import time
from pathlib import Path
from types import TracebackType

from rich.console import Console

from tesuji.base.quantities import counted
from tesuji.interfaces.terminal.bars import console_here, moving_line
from tesuji.learning.selfplay.crew import Progress


class Display:
    """Shows games, speed and resignation errors; on a plain output, a line now and then instead."""

    def __init__(self, title: str, console: Console | None = None, *, quiet: bool = False) -> None:
        self.console = console or console_here(stderr=True, soft_wrap=not sys.stderr.isatty(), quiet=quiet)
        self._bar = moving_line(self.console)
        self._task = self._bar.add_task(title, total=None, text="")
        self._shown = time.monotonic()

    def __enter__(self) -> "Display":
        if self.console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.console.is_terminal:
            self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Where the production is."""
        if self.console.is_terminal:
            self._bar.update(self._task, total=progress.wanted, completed=progress.stored, text=speed_line(progress))
        elif time.monotonic() - self._shown > 30:
            self._shown = time.monotonic()
            self.console.print(
                f"{progress.stored:,} of {counted(progress.wanted, 'game')}, {speed_line(progress)}", markup=False
            )

    def note(self, text: str) -> None:
        """What is under way instead of games."""
        if self.console.is_terminal:
            self._bar.update(self._task, text=text)

    def said(self, line: str) -> None:
        """A line for the person."""
        self.console.print(line, markup=False)

    def finished(self, progress: Progress, folder: Path) -> None:
        """The account."""
        self.said(f"{counted(progress.stored, 'game')} in {folder}; {speed_line(progress)}")
        if progress.wishes:
            share = f"{progress.wrong} of {progress.wishes}"
            self.said(f"in games played out, {share} wishes to resign would have been wrong")


def speed_line(progress: Progress) -> str:
    """Speed in words: games an hour, positions a second, and the network's share of the time."""
    speed = progress.speed
    if not progress.seconds or not speed.seconds:
        return "nothing new played"
    moves = 3600 * progress.moves / progress.seconds
    lost = f", {counted(progress.lost, 'worker')} lost and replaced" if progress.lost else ""
    return (
        f"{moves:,.0f} moves/h, {speed.evaluations / progress.seconds:,.0f} evaluations/s, "
        f"{speed.evaluation_seconds / speed.seconds:.0%} of the time in the network, "
        f"batches of {speed.evaluations / max(speed.batches, 1):.0f}, {counted(progress.workers, 'worker')}{lost}"
    )
