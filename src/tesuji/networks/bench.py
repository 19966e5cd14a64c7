"""Evaluation's lines of `tesuji bench`."""

from tesuji.go.bench import Measurement
from tesuji.networks import library
from tesuji.networks.speed import measure as speeds
from tesuji.networks.speed import peak_gflops

NETWORKS = ("se.8.192.48", "se.16.384.64", "a0.10.63")


def measure(seconds: float = 1.0) -> list[Measurement]:
    """Positions a second on 9x9 of the built-in model and three networks of the zoo, one thread; two callers once."""
    lines = []
    builtin = [name for name in library.names() if name == "default-9x9"]
    for name in (*builtin, *NETWORKS):
        for speed in speeds(name, size=9, batches=(1, 8, 64), seconds=seconds / 3):
            share = f"{100 * speed.gflops / peak_gflops():.0f} % of the core's peak"
            lines.append(Measurement(f"{name} 9x9, batch {speed.batch} ({share})", speed.positions, "positions/s"))
    for speed in speeds("se.8.192.48", size=9, batches=(8,), callers=2, seconds=seconds):
        lines.append(Measurement(f"{speed.name} 9x9, batch 8, two callers", speed.positions, "positions/s"))
    return lines
