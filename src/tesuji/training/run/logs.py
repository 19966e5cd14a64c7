"""What a run writes down as it goes: two CSV files and TensorBoard events."""

import contextlib
import csv
import io
import math
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tesuji.base.files import append_whole
from tesuji.base.toml import read_toml
from tesuji.training.run.schedules import Schedule


class CsvLog:
    """A CSV file that grows by rows and can be cut back to a step."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self) -> list[dict[str, float]]:
        """Every whole row; a last line cut short by a kill is left out."""
        if not self.path.exists():
            return []
        rows = []
        for row in csv.DictReader(self._whole_lines()):
            try:
                rows.append({key: float(value) for key, value in row.items()})
            except (TypeError, ValueError):
                continue
        return rows

    def _whole_lines(self) -> list[str]:
        """Without a last line that has no end: a number cut in its middle is a number too."""
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        return lines if not lines or lines[-1].endswith("\n") else lines[:-1]

    def append(self, row: Mapping[str, float]) -> None:
        """Adds a row, with the header first in a new file. On a full disk nothing of it is there.

        A file that an earlier version began keeps its columns.
        """
        lines = io.StringIO()
        writer = csv.writer(lines)
        header = self._header()
        if not header:
            header = list(row)
            writer.writerow(header)
        writer.writerow(f"{row.get(name, math.nan):.9g}" for name in header)
        append_whole(self.path, lines.getvalue())

    def _header(self) -> list[str]:
        """The names of the columns; none in a new file."""
        if not self.path.exists():
            return []
        return next(csv.reader(self._whole_lines()), [])

    def cut(self, step: int) -> None:
        """Forgets rows after a step, so that a resumed run writes each row once."""
        kept = [row for row in self.rows() if row["step"] <= step]
        if self.path.exists():
            partial = self.path.with_suffix(".partial")
            partial.unlink(missing_ok=True)
            table = CsvLog(partial)
            for row in kept:
                table.append(row)
            if kept:
                partial.replace(self.path)
            else:
                self.path.unlink()


class Events:
    """TensorBoard's events of a run, one file for each sitting.

    Appended here rather than by TensorBoard's own writer, whose thread does not survive a full disk.
    """

    def __init__(self, folder: Path, step: int) -> None:
        """Tells TensorBoard to forget what an earlier sitting wrote after `step`. `ImportError` without TensorBoard."""
        from tensorboard.compat.proto import event_pb2, summary_pb2

        self._event, self._summary = event_pb2.Event, summary_pb2.Summary
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"events.out.tfevents.{time.time_ns() // 10**9:010d}.{socket.gethostname()}.{os.getpid()}"
        start = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        self._append(self._event(wall_time=time.time(), file_version="brain.Event:2"))
        self._append(self._event(wall_time=time.time(), step=step + 1, session_log=start))

    def add(self, group: str, row: Mapping[str, float]) -> None:
        """One row as scalars, called by the group and their names."""
        value = self._summary.Value
        values = [value(tag=f"{group}/{name}", simple_value=number) for name, number in row.items() if name != "step"]
        summary = self._summary(value=values)
        self._append(self._event(wall_time=time.time(), step=int(row["step"]), summary=summary))

    def _append(self, event: Any) -> None:
        from tensorboard.summary.writer.record_writer import RecordWriter

        framed = io.BytesIO()
        RecordWriter(framed).write(event.SerializeToString())
        append_whole(self.path, framed.getvalue())


class RunLog:
    """The logs of one run folder: `log.csv` by steps, `validation.csv` by epochs, and TensorBoard events of both."""

    def __init__(self, folder: Path, step: int) -> None:
        self.training = CsvLog(folder / "log.csv")
        self.validation = CsvLog(folder / "validation.csv")
        self.training.cut(step)
        self.validation.cut(step)
        self._events: Events | None = None
        with contextlib.suppress(ImportError):
            self._events = Events(folder / "events", step)

    def add(self, table: CsvLog, row: Mapping[str, float]) -> None:
        """One row, in the file and as events."""
        table.append(row)
        if self._events is not None:
            self._events.add(table.path.stem, row)


def validations(folder: Path) -> list[dict[str, float]]:
    """One row for each validation of a run, with `samples` where an earlier version told epochs alone."""
    rows = CsvLog(folder / "validation.csv").rows()
    if rows and "samples" not in rows[0]:
        each = read_toml(folder / "config.toml").get("epoch_samples", Schedule.epoch_samples)
        for row in rows:
            row["samples"] = row["epoch"] * each
    return rows
