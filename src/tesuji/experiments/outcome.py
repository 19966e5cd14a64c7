"""What came out of an experiment: cells with their errors, figures, and words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tesuji.experiments.paper_table import Key

RATIO = "w/d"
"""The column of a table that tells the width of each network by its depth."""


@dataclass(frozen=True)
class Measured:
    """One cell of ours."""

    value: float
    error: float | None = None
    """One standard error, where chance had a hand in it."""
    text: str = ""
    """What is shown in place of the number."""

    def shown(self) -> str:
        """As it stands on a page."""
        return self.text or plain(self.value) + (f" ± {plain(self.error)}" if self.error else "")


@dataclass(frozen=True)
class Outcome:
    """The table in the paper's layout; `rows` and `columns` may be fewer than the paper's."""

    cells: dict[Key, Measured]
    rows: Sequence[str]
    columns: Sequence[str]
    figures: Sequence[str] = ()
    """SVG texts."""
    notes: Sequence[str] = ()
    agreement: Sequence[str] = ()
    """What the kind of work itself says of the paper's claims, where they are no numbers of a table."""
    commands: Sequence[str] = field(default_factory=tuple)
    """What would do the same by hand."""

    def record(self) -> dict[str, Any]:
        """Plain data, for `result.json`."""
        cells = [{"row": row, "column": column, **asdict(cell)} for (row, column), cell in self.cells.items()]
        return {"cells": cells, "notes": list(self.notes), "commands": list(self.commands)}


def plain(number: float) -> str:
    """A number as tables show it: whole ones whole, others with four digits that count, grouped by thousands."""
    if number == int(number) and abs(number) < 1e15:
        return f"{int(number):,}"
    return f"{number:,.0f}" if abs(number) >= 999.5 else f"{number:.4g}"
