"""Speed of the search: with evaluations at no cost, and as a share of a network's own speed.

One thread in the time of its core (`time.process_time`), so that a busy machine measures the same; several threads by
the clock on the wall, which wants a quiet one.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tesuji._core import Game, play_out
from tesuji.base.measuring import Measurement
from tesuji.features.evaluation import Evaluation, Evaluator, Floats, NetworkInfo, Wrapper
from tesuji.features.planes import encode
from tesuji.search.pool import SearchPool
from tesuji.search.search import Search

KEPT = 1024  # recorded answers, given out in turn


class Recorded:
    """Answers recorded from a network, given out again at no cost, whatever the position.

    Recorded in a search of the same position, so that depth and breadth of the tree are real. Without a network,
    priors are drawn as sharp as those of a trained one, but the positions that follow are nonsense.
    """

    planes = "golois-31"
    has_pass = True
    name = "recorded"
    komi_grid: Floats | None = None
    info = NetworkInfo()

    def __init__(self, size: int, evaluate: Evaluator | None = None, seed: int = 1) -> None:
        chance = np.random.default_rng(seed)
        if evaluate is None:
            logits = 2.2 * chance.gumbel(size=(KEPT, size * size + 1))
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
            self._policy = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
            self._value = np.clip(chance.normal(0.5, 0.1, KEPT), 0, 1).astype(np.float32)
        else:
            self.planes, self.has_pass = evaluate.planes, evaluate.has_pass
            told = _Listener(evaluate)
            Search(told, visits=KEPT, batch=16, prove=False).run(_position(size, seed=10))
            self._policy = np.concatenate(told.policies)[:KEPT]
            self._value = np.concatenate(told.values)[:KEPT]
        # Twice over, so that a batch is always one slice.
        self._policy = np.concatenate([self._policy] * 2)
        self._value = np.concatenate([self._value] * 2)
        self._next = 0

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        count = len(planes)
        first = self._next % (len(self._policy) // 2)
        self._next += count
        return Evaluation(self._policy[first : first + count], self._value[first : first + count])

    def plays(self, size: int) -> bool:
        return bool(self._policy.shape[1] == size * size + 1)


class _Listener(Wrapper):
    """Hands positions on to an evaluator and keeps what it says."""

    def __init__(self, evaluate: Evaluator) -> None:
        super().__init__(evaluate)
        self.policies: list[Floats] = []
        self.values: list[Floats] = []

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = self.inner(planes, komi)
        self.policies.append(said.policy)
        self.values.append(said.value)
        return said


def _position(size: int, seed: int) -> Game:
    game = Game(size=size)
    play_out(game, seed, max_moves=seed % (size * size // 2))
    return game


def measure(
    seconds: float = 1.0, evaluate: Evaluator | None = None, side_by_side: Sequence[Evaluator] = ()
) -> list[Measurement]:
    """Descents/s at 9 and 19 with recorded answers, memory, growth, and many games at once.

    With evaluators to use `side_by_side`, one for each thread of a search, also what of their speed it reaches.
    """
    lines = []
    for size in (9, 19):
        told = _descents(size, seconds, evaluate)
        lines.append(Measurement(f"descents {size}x{size}, planes included", told["speed"], "descents/s"))
        lines.append(Measurement(f"depth of the tree {size}x{size}", told["depth"], "moves"))
        lines.append(Measurement(f"memory {size}x{size}", told["memory"], "bytes/node"))
    small, large = growth(9, 10_000, 200_000, evaluate)
    lines.append(Measurement("speed at 200 000 nodes against 10 000", 100 * large / small, "%"))
    lines.append(Measurement("64 games in step 9x9", _pool(seconds, evaluate), "descents/s"))
    for batch in (8, 16, 64) if side_by_side else ():
        lines += _shared(side_by_side, batch, seconds)
    return lines


def _shared(evaluators: Sequence[Evaluator], batch: int, seconds: float) -> list[Measurement]:
    told = sharing(evaluators, batch=batch, seconds=2 * seconds)
    who = f"{evaluators[0].name}, {len(evaluators)} threads, batch {batch}"
    return [
        Measurement(f"{who}, alone", told.alone, "positions/s"),
        Measurement(f"{who}, searching", told.inside, "positions/s"),
        Measurement(f"{who}, search reaches", 100 * told.inside / told.alone, "% of that"),
        Measurement(f"{who}, waiting for the tree", 100 * told.waited, "% of the time"),
    ]


def _descents(size: int, seconds: float, evaluate: Evaluator | None = None, **options: Any) -> dict[str, float]:
    recorded = Recorded(size, evaluate if evaluate is not None and evaluate.plays(size) else None)
    search = Search(recorded, visits=None, seconds=seconds, batch=16, **options)
    start = time.process_time()
    result = search.run(_position(size, seed=10))
    return {
        "speed": result.descents / (time.process_time() - start),
        "depth": float(result.depth),
        "memory": result.memory / result.nodes,
    }


def growth(size: int, few: int, many: int, evaluate: Evaluator | None = None) -> tuple[float, float]:
    """Descents/s around two sizes of the tree."""
    search = Search(Recorded(size, evaluate), batch=64, memory_mb=16384)
    game = _position(size, seed=10)
    speeds = []
    for nodes in (few, many):
        search.run(game, visits=nodes)
        start = time.process_time()
        search.run(game, visits=nodes + 10_000)
        speeds.append(10_000 / (time.process_time() - start))
    return speeds[0], speeds[1]


def _pool(seconds: float, evaluate: Evaluator | None = None) -> float:
    pool = SearchPool(Recorded(9, evaluate), size=9, visits=100, batch=64)
    games = [Game(size=9) for _ in range(64)]
    slots = [pool.open(seed=index) for index in range(64)]
    for slot, game in zip(slots, games, strict=True):
        pool.submit(slot, game)
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        for done in pool.step():
            game = done.game
            game.play(done.result.move)
            pool.submit(done.slot, Game(size=9) if game.is_over else game)
    return pool.evaluations / elapsed


def efficiency(evaluate: Evaluator, size: int = 9, batch: int = 16, seconds: float = 2.0) -> tuple[float, float]:
    """Positions/s of the evaluator alone and inside a search, at the same batch."""
    planes = encode([_position(size, seed) for seed in range(batch)], evaluate.planes)
    komi = [7.5] * batch
    alone = inside = 0.0
    # In turns, so that whatever else the machine does falls on both alike.
    turns = max(1, round(seconds))
    for _ in range(turns):
        start, calls = time.process_time(), 0
        while (elapsed := time.process_time() - start) < 0.5:
            evaluate(planes, komi)
            calls += 1
        alone += calls * batch / elapsed
        start = time.process_time()
        result = Search(evaluate, visits=round(0.5 * calls * batch) + 2, batch=batch, batch_growth=0).run(
            _position(size, seed=10)
        )
        inside += result.evaluations / (time.process_time() - start)
    return alone / turns, inside / turns


@dataclass(frozen=True)
class Sharing:
    """Several threads on one tree."""

    alone: float
    """Positions/s of the evaluators side by side, without a search."""
    inside: float
    """Positions/s of the same evaluators in a search with as many threads."""
    waited: float
    """Share of the threads' time that went by waiting for the tree's mutex."""


def sharing(evaluators: Sequence[Evaluator], size: int = 9, batch: int = 16, seconds: float = 2.0) -> Sharing:
    """What a search with one thread for each evaluator makes of their speed, by the clock."""
    alone = inside = waited = 0.0
    turns = max(1, round(seconds))  # by turns, so that other work on the machine falls on both alike
    for _ in range(turns):
        rate = _side_by_side(evaluators, size, batch, seconds / turns / 2)
        search = Search(evaluators, visits=round(rate * seconds / turns / 2) + 2, batch=batch, threads=len(evaluators))
        result = search.run(_position(size, seed=10))
        alone += rate
        inside += result.evaluations / result.seconds
        waited += result.waited / (result.seconds * len(evaluators))
    return Sharing(alone / turns, inside / turns, waited / turns)


def _side_by_side(evaluators: Sequence[Evaluator], size: int, batch: int, seconds: float) -> float:
    """Positions/s of all evaluators, each in a thread of its own."""
    planes = encode([_position(size, seed) for seed in range(batch)], evaluators[0].planes)
    calls = [0] * len(evaluators)
    start = time.perf_counter()

    def work(number: int) -> None:
        while not calls[number] or time.perf_counter() - start < seconds:
            evaluators[number](planes, [7.5] * batch)
            calls[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(evaluators))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(calls) * batch / (time.perf_counter() - start)
