"""Speeds measured here before: a list of networks need not wait for what is known."""

import contextlib
import json
import math
import platform
from functools import cache
from pathlib import Path

import onnxruntime as ort

from tesuji.go.atomic import write_atomically
from tesuji.networks import library
from tesuji.networks.speed import measure

FILE = "speeds.json"
BATCH = 8
SECONDS = 0.03


class KnownSpeeds:
    """Positions a second of networks, one thread, batches of `BATCH`; each measured once for runtime and processor.

    Kept in `$TESUJI_HOME`, or `~/.cache/tesuji`. A damaged file is as good as none: what it held is measured anew.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or library.home() / FILE
        self._known = _read(self._path)

    def of(self, network: str, planes: str, size: int, operations: int) -> float | None:
        """The speed of a network, if it was measured. `operations` tells apart what bears one name but differs."""
        return self._known.get(_key(network, planes, size, operations))

    def learn(self, source: str, network: str, planes: str, size: int, operations: int) -> float:
        """Measures the network of a name or model file and remembers it, at once: a list may be interrupted."""
        (speed,) = measure(source, planes=planes, size=size, batches=[BATCH], seconds=SECONDS)
        # What another process has found since is kept.
        self._known = _read(self._path) | self._known
        self._known[_key(network, planes, size, operations)] = float(f"{speed.positions:.4g}")
        with contextlib.suppress(OSError):  # a home that cannot be written to forgets, no more
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(self._known, indent=1, sort_keys=True) + "\n")
        return speed.positions


def _key(network: str, planes: str, size: int, operations: int) -> str:
    runtime = f"onnxruntime {ort.__version__}"
    return "; ".join((network, planes, f"{size}x{size}", f"{operations} operations", runtime, processor()))


def _read(path: Path) -> dict[str, float]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(told, dict):
        return {}
    return {key: value for key, value in told.items() if _is_speed(value)}


def _is_speed(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


@cache
def processor() -> str:
    """The processor's name, as exactly as the system tells it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
