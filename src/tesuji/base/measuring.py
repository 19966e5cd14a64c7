"""Speeds: how often something can be done in a second, and one line of `tesuji bench`."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """One line of `tesuji bench`."""

    name: str
    value: float
    unit: str


def rate(work: Callable[[], float], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """What `work` gets done in a second, by its own count, tried for about `seconds` after a first call to warm up."""
    work()
    done = 0.0
    start = clock()
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed
