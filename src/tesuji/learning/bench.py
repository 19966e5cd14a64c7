"""Self-play's lines of `tesuji bench`: evaluations and moves of one core, and the network's share of its time."""

import time
from collections.abc import Sequence
from dataclasses import replace

from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.go.bench import Measurement
from tesuji.learning.options import SelfplayOptions
from tesuji.learning.playroom import Playroom
from tesuji.learning.starts import Starts
from tesuji.networks.evaluator import OnnxEvaluator
from tesuji.networks.speed import model

NETWORK, PLANES = "se.8.192.48+pass+komi", "golois-31"
OPTIONS = SelfplayOptions(size=9, visits=200, fast_visits=40, resign=0.0)


def measure(seconds: float = 1.0) -> list[Measurement]:
    """One worker with a network of the zoo on 9x9, as `tesuji selfplay` runs one on each core."""
    return lines(OnnxEvaluator(model(NETWORK, PLANES, OPTIONS.size), NETWORK), OPTIONS, seconds)


class _CoreTimed:
    """An evaluator that counts the core's own time, which a busy machine leaves alone."""

    def __init__(self, evaluate: Evaluator) -> None:
        self._evaluate = evaluate
        self.name, self.planes, self.has_pass = evaluate.name, evaluate.planes, evaluate.has_pass
        self.seconds = 0.0

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        started = time.thread_time()
        found = self._evaluate(planes, komi)
        self.seconds += time.thread_time() - started
        return found

    def plays(self, size: int) -> bool:
        return self._evaluate.plays(size)


def lines(evaluate: Evaluator, options: SelfplayOptions, seconds: float) -> list[Measurement]:
    """What a playroom makes of so much of a core's time with this network."""
    timed = _CoreTimed(evaluate)
    room = Playroom(timed, replace(options, seed=7), Starts(options))
    room.order(range(100_000))
    _play(room, seconds)  # until the first searches end; only then do as many end as begin
    evaluations, batches, visits, inside = room.pool.evaluations, room.pool.batches, room.speed.visits, timed.seconds
    spent = _play(room, seconds)
    evaluations, batches = room.pool.evaluations - evaluations, room.pool.batches - batches
    visits, inside = room.speed.visits - visits, timed.seconds - inside
    name = f"{evaluate.name} {options.size}x{options.size}"
    usual = options.full_share * options.visits + (1 - options.full_share) * options.fast_visits
    return [
        Measurement(f"{name}, one worker", evaluations / spent, "evaluations/s"),
        Measurement(f"{name}, {options.visits} and {options.fast_visits} visits", visits / spent, "visits/s"),
        Measurement(f"{name}, the same", 3600 * visits / usual / spent, "moves/h"),
        Measurement(f"{name}, time inside the network", 100 * inside / spent, "%"),
        Measurement(f"{name}, batch", evaluations / max(batches, 1), "positions"),
    ]


def _play(room: Playroom, seconds: float) -> float:
    """Plays for so much of the core's time; returns how much it was."""
    started = time.thread_time()
    while (spent := time.thread_time() - started) < seconds:
        room.play(seconds / 10)
    return spent
