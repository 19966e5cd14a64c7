"""Speed of training data in processor time, which other programs on the machine disturb less than wall time.

python benchmarks/data_speed.py FILE.games...
"""

import sys
import time
from collections.abc import Callable

import tesuji

COUNT = 1024


def cost(call: Callable[[int], object], rounds: int = 12) -> float:
    """Seconds of processor time of the best of several calls."""
    best = float("inf")
    for number in range(rounds):
        started = time.process_time()
        call(number)
        best = min(best, time.process_time() - started)
    return best


def main(paths: list[str]) -> None:
    started = time.perf_counter()
    games = tesuji.GameSet(*paths)
    print(f"{games}, opened in {time.perf_counter() - started:.3f} s")
    for planes in tesuji.PlaneSet.names():
        for threads in (1, 2):

            def draw(seed: int, planes: str = planes, threads: int = threads) -> object:
                return games.batch(COUNT, planes, seed=seed, threads=threads)

            print(f"{planes:<11} {threads} thread(s): {COUNT / cost(draw):8.0f} positions a second of processor time")


if __name__ == "__main__":
    main(sys.argv[1:])
