"""The moving line of long work: on 80 columns, too, it shows how much is done and how long it will take."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Column

_TITLE = 24
_BAR = 16


def console_here(*, stderr: bool = False, quiet: bool = False, soft_wrap: bool = False) -> Console:
    """Where long work tells how it goes: in a notebook by plain lines, though its kernel asks for colours."""
    moves = False if Console().is_jupyter else None
    return Console(
        stderr=stderr, quiet=quiet, soft_wrap=soft_wrap, highlight=False, markup=False, force_terminal=moves,
        force_jupyter=False,
    )  # fmt: skip


def moving_line(console: Console, *, by_count: bool = True, disable: bool = False) -> Progress:
    """A bar whose tasks have a description and a `text`; where it grows too long, the text gives way.

    Without `by_count` a task's total is 1 and its text begins with the time left.
    """
    done: list[ProgressColumn] = [MofNCompleteColumn(), TimeRemainingColumn(compact=True)]
    if not by_count:
        done = [TextColumn("{task.percentage:.0f} %")]
    cut = Column(no_wrap=True, overflow="ellipsis", max_width=_TITLE)
    rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    return Progress(
        TextColumn("{task.description}", table_column=cut), BarColumn(bar_width=_BAR), *done,
        TextColumn("{task.fields[text]}", table_column=rest),
        console=console, refresh_per_second=2, transient=True, expand=True,
        disable=disable or not console.is_interactive,  # nothing would be drawn there but an empty line
    )  # fmt: skip
