"""Speed of training data in processor time, which other programs on the machine disturb less, and in wall time.

python benchmarks/data_speed.py FILE.games...
"""

import sys
import time
from collections.abc import Callable

import tesuji

COUNT = 1024


def cost(call: Callable[[int], object], clock: Callable[[], float], rounds: int = 12) -> float:
    """Seconds on this clock of the best of several calls."""
    best = float("inf")
    for number in range(rounds):
        started = clock()
        call(number)
        best = min(best, clock() - started)
    return best


def main(paths: list[str]) -> None:
    started = time.perf_counter()
    games = tesuji.GameSet(*paths)
    print(f"{games}, opened in {time.perf_counter() - started:.3f} s")
    for planes in tesuji.PlaneSet.names():
        for threads in (1, 2):

            def draw(seed: int, planes: str = planes, threads: int = threads) -> object:
                return games.batch(COUNT, planes, seed=seed, threads=threads)

            processor, wall = (COUNT / cost(draw, clock) for clock in (time.process_time, time.perf_counter))
            print(
                f"{planes:<11} {threads} threads: {processor:8.0f} positions/s of processor time, {wall:8.0f} of wall"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
