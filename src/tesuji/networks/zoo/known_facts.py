"""What was found out about networks here before: a list of them need not count and measure again."""

from pathlib import Path

import tesuji
from tesuji.base import machine
from tesuji.base.remembered import RememberedNumbers
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.onnx.runtime import ort
from tesuji.networks.zoo.description import Description

FILE = "networks.json"
BATCH = 8
SECONDS = 0.03


class KnownFacts:
    """Parameters, operations and positions a second of networks, each found out once.

    Kept in the cache folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._known = RememberedNumbers(path or FILE)

    def cost(self, network: Description) -> tuple[int, int]:
        """Parameters and operations, counted by torch where this version of Tesuji has not done so yet."""
        # A network of the user's own may be another tomorrow.
        kept = network.spec.family.builtin
        keys = [_key(network.name, network.planes, network.size, what) for what in ("parameters", "operations")]
        known = [self._known.get(key) for key in keys]
        if not kept or None in known:
            from tesuji.networks.zoo.cost import operations_of, outline
            from tesuji.networks.zoo.layers import size_as_keras

            built = outline(network.name, network.planes, network.size)
            numbers = size_as_keras(built), operations_of(built)
            if kept:
                self._known.keep(dict(zip(keys, numbers, strict=True)))
            return numbers
        return int(known[0] or 0), int(known[1] or 0)

    def speed(self, network: str, planes: str, size: int, operations: int) -> float | None:
        """Positions a second, one thread, batches of `BATCH`, if it was measured with this runtime and processor.

        `operations` tells apart what bears one name but differs.
        """
        return self._known.get(_speed_key(network, planes, size, operations))

    def measure(self, source: str, network: str, planes: str, size: int, operations: int) -> float:
        """Measures the network of a name or model file and remembers it, at once: a list may be interrupted."""
        (speed,) = measure(source, planes=planes, size=size, batches=[BATCH], seconds=SECONDS)
        self._known.keep({_speed_key(network, planes, size, operations): float(f"{speed.positions:.4g}")})
        return speed.positions


def _key(network: str, planes: str, size: int, *rest: str) -> str:
    return "; ".join((network, planes, f"{size}x{size}", *rest, f"tesuji {tesuji.__version__}"))


def _speed_key(network: str, planes: str, size: int, operations: int) -> str:
    runtime = f"onnxruntime {ort.__version__}"
    return _key(network, planes, size, f"{operations} operations", "positions/s", runtime, machine.processor())
