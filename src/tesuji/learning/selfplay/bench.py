"""Self-play's lines of `tesuji bench`: of one core in its own time, of all cores together by the clock on the wall."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tesuji.base.errors import InputError
from tesuji.base.measuring import Measurement
from tesuji.features.evaluation import Evaluation, Evaluator, Floats, Wrapper
from tesuji.learning.selfplay.crew import Job, Worker, Workforce
from tesuji.learning.selfplay.local_workers import LocalWorkers
from tesuji.learning.selfplay.options import SelfplayOptions
from tesuji.learning.selfplay.playroom import Playroom, Speed
from tesuji.learning.selfplay.starts import Starts
from tesuji.networks.evaluators.factory import Running, evaluator, read_model
from tesuji.networks.evaluators.speed import model

PLANES = "golois-31"
SMALL, LARGE = "se.8.192.48+pass+komi", "a0.conv.avg.bin.13.64+pass"
"""The network of the papers' tables, and one with a million parameters."""
BUILT_IN = "default-9x9"
OPTIONS = SelfplayOptions(size=9, resign=0.0, seed=7)
_ENDLESS = 20_000  # games ordered of every worker, more than any measurement plays


def measure(seconds: float = 1.0) -> list[Measurement]:
    """One worker on 9x9 in its core's own time; then one on each core, as `tesuji selfplay` runs them."""
    data = {name: model(name, PLANES, OPTIONS.size) for name in (SMALL, LARGE)}
    found = lines(evaluator(data[SMALL], SMALL), OPTIONS, seconds)
    for precision in ("fp32", "int8"):
        evaluate = evaluator(read_model(BUILT_IN), BUILT_IN, Running("cpu", precision))
        rate = lines(evaluate, OPTIONS, seconds)[0].value
        found.append(Measurement(f"{BUILT_IN} in {precision}, one worker", rate, "evaluations/s"))
    for name in (SMALL, LARGE):
        found += throughput(LocalWorkers(), Job(data[name], name, OPTIONS), seconds).lines()
    return found


@dataclass(frozen=True)
class Throughput:
    """What workers make together, by the clock on the wall."""

    name: str
    workers: int
    evaluations: float
    """A second, of all workers."""
    network_share: float
    """Of their time, inside the network."""

    def lines(self) -> list[Measurement]:
        """As `tesuji bench` prints it."""
        at_work = f"{self.name}, {self.workers} worker{'s' if self.workers > 1 else ''}"
        return [
            Measurement(f"{at_work}, wall time", self.evaluations, "evaluations/s"),
            Measurement(f"{at_work}, time inside the network", 100 * self.network_share, "%"),
        ]


def throughput(force: Workforce, job: Job, seconds: float) -> Throughput:
    """All the workers there are, for `seconds` after as long a run-up with every one of them at work."""
    workers = force.hire(job, 0)
    if not workers:
        raise InputError("no worker to measure: the cluster has no free CPU")
    try:
        for number, worker in enumerate(workers):
            worker.ask(range(number * _ENDLESS, (number + 1) * _ENDLESS))
        laps = [_lap(marks) for marks in _marks(force, workers, seconds)]
    finally:
        for worker in workers:
            worker.dismiss()
    name = f"{job.name} {job.options.size}x{job.options.size}"
    share = sum(inside for _, inside in laps) / len(laps)
    return Throughput(name, len(workers), sum(rate for rate, _ in laps), share)


_Mark = tuple[float, Speed]  # when a worker answered, and its account by then


def _marks(force: Workforce, workers: Sequence[Worker], seconds: float) -> list[list[_Mark]]:
    """Every worker's last answer in the run-up, which begins when all are at work, and those after it."""
    marks: dict[str, list[_Mark]] = {worker.name: [] for worker in workers}
    begin = math.inf
    while not all(len(found) > 1 and found[-1][0] >= begin + seconds for found in marks.values()):
        for worker in force.wait(workers, 1.0):
            marks[worker.name].append((time.perf_counter(), replace(worker.answer().speed)))
            worker.ask([])
        if begin == math.inf and all(marks.values()):
            begin = time.perf_counter() + seconds
        if time.perf_counter() < begin:
            marks = {name: found[-1:] for name, found in marks.items()}
    return list(marks.values())


def _lap(marks: Sequence[_Mark]) -> tuple[float, float]:
    """Evaluations a second of one worker, and the share of its time inside the network."""
    (began, before), (ended, after) = marks[0], marks[-1]
    seconds = ended - began
    inside = after.evaluation_seconds - before.evaluation_seconds
    return (after.evaluations - before.evaluations) / seconds, inside / seconds


class _CoreTimed(Wrapper):
    """An evaluator that counts the core's own time, which a busy machine leaves alone."""

    def __init__(self, evaluate: Evaluator) -> None:
        super().__init__(evaluate)
        self.seconds = 0.0

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        started = time.thread_time()
        found = self.inner(planes, komi)
        self.seconds += time.thread_time() - started
        return found


def lines(evaluate: Evaluator, options: SelfplayOptions, seconds: float) -> list[Measurement]:
    """What a playroom makes of so much of a core's time with this network."""
    timed = _CoreTimed(evaluate)
    room = Playroom(timed, options, Starts(options))
    room.order(range(100_000))
    _play(room, seconds)  # until the first searches end; only then do as many end as begin
    evaluations, batches, visits, inside = room.pool.evaluations, room.pool.batches, room.speed.visits, timed.seconds
    spent = _play(room, seconds)
    evaluations, batches = room.pool.evaluations - evaluations, room.pool.batches - batches
    visits, inside = room.speed.visits - visits, timed.seconds - inside
    name = f"{evaluate.name} {options.size}x{options.size}"
    full = options.search.visits or 0
    usual = options.full_share * full + (1 - options.full_share) * options.fast_visits
    return [
        Measurement(f"{name}, one worker", evaluations / spent, "evaluations/s"),
        Measurement(f"{name}, {full} and {options.fast_visits} visits", visits / spent, "visits/s"),
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
