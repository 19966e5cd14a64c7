"""What a run writes down as it goes: two CSV files and TensorBoard events."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Table:
    """A CSV file that grows by rows and can be cut back to a step."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self) -> list[dict[str, float]]:
        """Every whole row; a last line cut short by a kill is left out."""
        if not self.path.exists():
            return []
        rows = []
        with self.path.open(newline="") as file:
            for row in csv.DictReader(file):
                try:
                    rows.append({key: float(value) for key, value in row.items()})
                except (TypeError, ValueError):
                    continue
        return rows

    def append(self, row: Mapping[str, float]) -> None:
        """Adds a row, with the header first in a new file."""
        new = not self.path.exists() or self.path.stat().st_size == 0
        with self.path.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(row.keys())
            writer.writerow(f"{value:.9g}" for value in row.values())

    def cut(self, step: int) -> None:
        """Forgets rows after a step, so that a resumed run writes each row once."""
        kept = [row for row in self.rows() if row["step"] <= step]
        if self.path.exists():
            partial = self.path.with_suffix(".partial")
            partial.unlink(missing_ok=True)
            table = Table(partial)
            for row in kept:
                table.append(row)
            if kept:
                partial.replace(self.path)
            else:
                self.path.unlink()


class RunLog:
    """The logs of one run folder: `log.csv` by steps, `validation.csv` by epochs, and TensorBoard events of both."""

    def __init__(self, folder: Path, step: int) -> None:
        self.training = Table(folder / "log.csv")
        self.validation = Table(folder / "validation.csv")
        self.training.cut(step)
        self.validation.cut(step)
        self._events = _events(folder, step)

    def add(self, table: Table, row: Mapping[str, float]) -> None:
        """One row, in the file and as events."""
        table.append(row)
        if self._events is not None:
            for name, value in row.items():
                if name != "step":
                    self._events.add_scalar(f"{table.path.stem}/{name}", value, int(row["step"]))

    def close(self) -> None:
        """Ends the event file."""
        if self._events is not None:
            self._events.close()


def _events(folder: Path, step: int) -> Any:
    """TensorBoard's writer, which forgets events after `step`; None where TensorBoard is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "events"), purge_step=step + 1, max_queue=100, flush_secs=30)
