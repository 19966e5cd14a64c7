"""The log of ideas tried: a table that grows by a line per experiment, failed ones included."""

import csv
import datetime
import io
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path

from tesuji.base.errors import InputError
from tesuji.base.files import append_whole

_SUFFIXES = (".csv", ".md")


@dataclass(frozen=True)
class Idea:
    """One experiment: what was tried, against what, how, and what came of it."""

    idea: str
    against: str
    test: str
    """How it was measured: games, visits, judge."""
    result: str
    verdict: str
    note: str = ""
    date: str = field(default_factory=lambda: datetime.date.today().isoformat())


def check_log(path: Path | None) -> None:
    """Refuses a log that cannot be written, before anything is measured for it."""
    if path is None:
        return
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"--log {path}: a table in {' or '.join(_SUFFIXES)}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"no folder {path.parent} for the log {path.name}")


def add_idea(path: Path, idea: Idea) -> None:
    """Appends the experiment; a new file gets its heading first."""
    check_log(path)
    names = [entry.name for entry in fields(Idea)]
    line = _csv if path.suffix.lower() == ".csv" else _markdown
    text = line([str(value) for value in astuple(idea)])
    if not path.exists() or not path.stat().st_size:
        text = line(names) + ("" if line is _csv else "|" + "---|" * len(names) + "\n") + text
    elif not path.read_bytes().endswith(b"\n"):
        text = "\n" + text
    append_whole(path, text)


def _markdown(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


def _csv(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
