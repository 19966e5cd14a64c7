"""Many positions judged at once: a few threads, each with trees that share the network's batches."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import accumulate, pairwise

from tesuji._core import PASS, Game, Restriction
from tesuji.base import machine
from tesuji.features.evaluation import Evaluator
from tesuji.reviews.analysis import Analysis
from tesuji.search.options import SearchOptions
from tesuji.search.pool import SearchPool, Slot

BATCH = 64  # leaves a step of a thread evaluates together
MOST_NODES = 20_000  # of all trees of a thread together, so that much thought does not fill the memory
CACHE = 20_000  # evaluations a thread remembers: the search of a move has seen much of the position after it
LEAVES, VISITS_A_LEAF = 8, 16  # of one position at once: more would cost strength, the more so at few visits
# Mistakes are told in points: the search must see them also where the game is decided.
SCORE_WEIGHT = 0.15


def search_options(visits: int) -> SearchOptions:
    """How positions are searched."""
    return SearchOptions(
        visits=visits,
        batch=max(1, min(LEAVES, visits // VISITS_A_LEAF)),
        cache=CACHE,
        reuse=False,
        score_weight_near=SCORE_WEIGHT,
    )


class Judges:
    """Threads that search positions of one board size, with the network on one or more devices."""

    def __init__(self, evaluators: Sequence[Evaluator], size: int, threads: int = 0) -> None:
        self._pools = [
            SearchPool(evaluators[number % len(evaluators)], search_options(1), size=size, batch=BATCH)
            for number in range(max(threads or machine.cores(), len(evaluators)))
        ]

    def judge(
        self,
        positions: Sequence[Game],
        visits: int,
        *,
        deadline: float | None = None,
        stop: threading.Event | None = None,
        told: Callable[[], None] = lambda: None,
    ) -> list[Analysis | None]:
        """What a search of so many visits says of each position; None where the deadline or `stop` came first.

        `deadline` is a moment of `time.perf_counter`. `told` is called for each position done, in any thread.
        """
        found: list[Analysis | None] = [None] * len(positions)
        failed = threading.Event()  # for all threads, where one of them fails

        def is_over() -> bool:
            late = deadline is not None and time.perf_counter() > deadline
            return late or failed.is_set() or (stop is not None and stop.is_set())

        def work(pool: SearchPool, numbers: range) -> None:
            for number, analysis in _searched(pool, positions, numbers, visits, is_over):
                found[number] = analysis
                told()

        with ThreadPoolExecutor(len(self._pools)) as crew:
            parts = zip(self._pools, shares(len(positions), len(self._pools)), strict=True)
            under_way = [crew.submit(work, pool, numbers) for pool, numbers in parts]
            try:
                while wait(under_way, 0.2).not_done:  # short, so that Ctrl-C is heard on Windows too
                    pass
                for each in under_way:
                    each.result()
            finally:
                failed.set()
        return found


def _searched(
    pool: SearchPool, positions: Sequence[Game], numbers: range, visits: int, is_over: Callable[[], bool]
) -> Iterator[tuple[int, Analysis]]:
    """Searches the positions of these numbers, many at once; each with its number, as they are done."""
    waiting = deque(numbers)
    width = max(4, min(BATCH, MOST_NODES // visits))
    at_work: dict[Slot, int] = {}  # with the number of its position
    while (waiting or at_work) and not is_over():
        while waiting and len(at_work) < width:
            slot = pool.open(search_options(visits))
            at_work[slot] = waiting.popleft()
            pool.submit(slot, positions[at_work[slot]], visits)
            slot.tree.restrict(_no_second_pass(positions[at_work[slot]]))
        for done in pool.step():
            yield at_work.pop(done.slot), Analysis.of(done.result)
    for slot in at_work:
        pool.withdraw(slot)


def _no_second_pass(game: Game) -> list[Restriction]:
    """After a pass, another would end the game with all dead stones on the board, which no players agree on."""
    if not game.passes or len(game.legal_moves()) < 2:
        return []
    return [Restriction(game.to_play, [PASS], False, 1, game.size)]


def shares(count: int, parts: int) -> list[range]:
    """The numbers below `count` in so many runs of nearly equal length."""
    lengths = [count // parts + (part < count % parts) for part in range(parts)]
    return [range(begin, end) for begin, end in pairwise(accumulate(lengths, initial=0))]
