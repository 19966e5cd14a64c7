"""A file of JSON lines that grows as answers come in, so that nothing is asked twice and a kill costs one line."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.files import append_whole, write_atomically


class GrowingLines:
    """Lines on disk. The first says what the others belong to; a file that says something else is refused."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        self._rows: list[dict[str, Any]] = []
        said = json.loads(json.dumps(about))  # as it will be read again: tuples become lists
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            append_whole(path, _line(said))
            return
        found = self._read()
        if not found:  # killed before the first line was whole
            write_atomically(path, _line(said))
            return
        first, *self._rows = found
        if first != said:
            raise InputError(f"{path} belongs to something else: {first}; choose another --out")

    def _read(self) -> list[dict[str, Any]]:
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            append_whole(self.path, "\n")  # cut by a kill: the broken line is passed over, its question asked again
        rows = []
        for line in data.split(b"\n"):
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
        return [row for row in rows if isinstance(row, dict)]

    def add(self, row: Mapping[str, Any]) -> None:
        """One more line, on disk at once."""
        append_whole(self.path, _line(row))
        self._rows.append(dict(row))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(list(self._rows))

    def __len__(self) -> int:
        return len(self._rows)


def fingerprint(about: Mapping[str, Any]) -> str:
    """A short word that differs when this does."""
    return hashlib.sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
