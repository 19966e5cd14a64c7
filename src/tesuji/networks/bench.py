"""Evaluation's lines of `tesuji bench`."""

from importlib.util import find_spec

from tesuji.go.bench import Measurement
from tesuji.networks import library
from tesuji.networks.speed import measure as speeds
from tesuji.networks.speed import peak_gflops

NETWORKS = ("se.8.192.48", "se.16.384.64", "a0.10.63")


def measure(seconds: float = 1.0) -> list[Measurement]:
    """Positions a second on 9x9 of the built-in model and three networks of the zoo, one thread; two callers once.

    Without torch, which builds the zoo, the built-in model alone.
    """
    lines = []
    builtin = [name for name in library.names() if name == "default-9x9"]
    names = (*builtin, *(NETWORKS if find_spec("torch") else ()))
    for name in names:
        for speed in speeds(name, size=9, batches=(1, 8, 64), seconds=seconds / 3):
            share = f"{100 * speed.gflops / peak_gflops():.0f} % of the core's peak"
            lines.append(Measurement(f"{name} 9x9, batch {speed.batch} ({share})", speed.positions, "positions/s"))
    pair = NETWORKS[0] if NETWORKS[0] in names else names[0]
    for speed in speeds(pair, size=9, batches=(8,), callers=2, seconds=seconds):
        lines.append(Measurement(f"{speed.name} 9x9, batch 8, two callers", speed.positions, "positions/s"))
    return lines
