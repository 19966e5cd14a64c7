"""The measurement of self-play: what all workers make together is what they say they made."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tesuji.learning.selfplay.bench import throughput
from tesuji.learning.selfplay.crew import Job, Reply, Worker, make_job
from tesuji.learning.selfplay.local_workers import InThisProcess, LocalWorkers
from tesuji.learning.selfplay.options import SEARCH, SelfplayOptions
from tesuji.learning.selfplay.playroom import Speed

QUICK = SelfplayOptions(
    size=5, komi="3.5", search=replace(SEARCH, visits=12), fast_visits=4, concurrent=8, move_limit=40
)


def test_processes_are_measured_together(network: Path) -> None:
    found = throughput(LocalWorkers(2), make_job(network, QUICK), 0.3)
    assert found.workers == 2
    assert found.evaluations > 0
    assert 0 < found.network_share < 1
    first, second = found.lines()
    assert "2 workers" in first.name
    assert first.value == found.evaluations
    assert second.value == pytest.approx(100 * found.network_share)


class Steady:
    """A worker that makes 1,000 evaluations a second after a slow start, a quarter of its time in the network."""

    def __init__(self, name: str) -> None:
        self.name, self.began, self.dismissed = name, time.perf_counter(), False

    def ask(self, numbers: Sequence[int]) -> None:
        time.sleep(0.01)

    def answer(self) -> Reply:
        at_work = time.perf_counter() - self.began - 0.1
        return Reply([], Speed(at_work, at_work / 4, int(1000 * at_work) if at_work > 0 else 0))

    def dismiss(self) -> None:
        self.dismissed = True


class SteadyForce(InThisProcess):
    def __init__(self) -> None:
        self.workers = [Steady("one"), Steady("two"), Steady("three")]

    def hire(self, job: Job, employed: int) -> list[Worker]:
        return list(self.workers)


def test_rates_add_up_and_the_start_does_not_count(network: Path) -> None:
    force = SteadyForce()
    found = throughput(force, make_job(network, QUICK), 0.2)
    assert found.evaluations == pytest.approx(3000, rel=0.1)
    assert found.network_share == pytest.approx(0.25, rel=0.05)
    assert all(worker.dismissed for worker in force.workers)
