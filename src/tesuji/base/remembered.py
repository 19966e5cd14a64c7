"""Numbers found out once and remembered in the cache folder. A damaged file is as good as none."""

import contextlib
import json
import math
from pathlib import Path

from tesuji.base import machine
from tesuji.base.files import write_atomically


class RememberedNumbers:
    """Positive numbers by name, in a JSON file that several processes may add to."""

    def __init__(self, path: str | Path) -> None:
        """`path` is a file's name in the cache folder, or a whole path."""
        self._path = machine.cache_folder() / path
        self._known = _read(self._path)

    def get(self, key: str) -> float | None:
        """What is remembered under a name."""
        return self._known.get(key)

    def keep(self, found: dict[str, float]) -> None:
        """Remembers, at once; what another process has found since is kept too."""
        self._known = _read(self._path) | self._known | found
        with contextlib.suppress(OSError):  # a home that cannot be written to forgets, no more
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(self._known, indent=1, sort_keys=True) + "\n")


def _read(path: Path) -> dict[str, float]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(told, dict):
        return {}
    return {key: value for key, value in told.items() if _is_number(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf
