"""What was found out about networks here before: a list of them need not count and measure again."""

import contextlib
import json
import math
from pathlib import Path

import tesuji
from tesuji.base import machine
from tesuji.base.files import write_atomically
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.onnx.runtime import ort
from tesuji.networks.zoo.description import Description

FILE = "networks.json"
BATCH = 8
SECONDS = 0.03


class KnownFacts:
    """Parameters, operations and positions a second of networks, each found out once.

    Kept in the cache folder. A damaged file is as good as none: what it held is found out anew.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or machine.cache_folder() / FILE
        self._known = _read(self._path)

    def cost(self, network: Description) -> tuple[int, int]:
        """Parameters and operations, counted by torch where this version of Tesuji has not done so yet."""
        # A network of the user's own may be another tomorrow.
        kept = network.spec.family.builtin
        keys = [_key(network.name, network.planes, network.size, what) for what in ("parameters", "operations")]
        if not (kept and all(key in self._known for key in keys)):
            from tesuji.networks.zoo.cost import operations_of, outline
            from tesuji.networks.zoo.layers import size_as_keras

            built = outline(network.name, network.planes, network.size)
            numbers = size_as_keras(built), operations_of(built)
            if not kept:
                return numbers
            self._keep(dict(zip(keys, numbers, strict=True)))
        return int(self._known[keys[0]]), int(self._known[keys[1]])

    def speed(self, network: str, planes: str, size: int, operations: int) -> float | None:
        """Positions a second, one thread, batches of `BATCH`, if it was measured with this runtime and processor.

        `operations` tells apart what bears one name but differs.
        """
        return self._known.get(_speed_key(network, planes, size, operations))

    def measure(self, source: str, network: str, planes: str, size: int, operations: int) -> float:
        """Measures the network of a name or model file and remembers it, at once: a list may be interrupted."""
        (speed,) = measure(source, planes=planes, size=size, batches=[BATCH], seconds=SECONDS)
        self._keep({_speed_key(network, planes, size, operations): float(f"{speed.positions:.4g}")})
        return speed.positions

    def _keep(self, found: dict[str, float]) -> None:
        # What another process has found since is kept too.
        self._known = _read(self._path) | self._known | found
        with contextlib.suppress(OSError):  # a home that cannot be written to forgets, no more
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(self._known, indent=1, sort_keys=True) + "\n")


def _key(network: str, planes: str, size: int, *rest: str) -> str:
    return "; ".join((network, planes, f"{size}x{size}", *rest, f"tesuji {tesuji.__version__}"))


def _speed_key(network: str, planes: str, size: int, operations: int) -> str:
    runtime = f"onnxruntime {ort.__version__}"
    return _key(network, planes, size, f"{operations} operations", "positions/s", runtime, machine.processor())


def _read(path: Path) -> dict[str, float]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(told, dict):
        return {}
    return {key: value for key, value in told.items() if _is_fact(value)}


def _is_fact(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf
