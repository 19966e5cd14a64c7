"""Positions of many questions in shared batches: every job ends once, whatever ends it."""

import threading
import time

import pytest

from tests.search.evaluators import Hash
from tesuji import Game, SearchOptions
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.search.result import SearchResult
from tesuji.search.shared_pool import Job, SharedPool


class Told:
    """Takes what jobs tell."""

    def __init__(self) -> None:
        self.finished: list[tuple[Job, SearchResult | None, BaseException | None]] = []
        self.reported: list[SearchResult] = []

    def end(self, job: Job, result: SearchResult | None, fault: BaseException | None) -> None:
        self.finished.append((job, result, fault))

    def report(self, job: Job, result: SearchResult | None, fault: BaseException | None) -> None:
        assert result is not None
        self.reported.append(result)


def job(told: Told, visits: int | None = 30, size: int = 5, **more: object) -> Job:
    options = SearchOptions(visits=visits, batch=4)
    return Job(lambda: Game(size), size, [Hash()], options, told.end, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_every_job_gets_its_visits(threads: int) -> None:
    told, pool, evaluate = Told(), SharedPool(threads, batch=16, width=8), Hash()
    jobs = [
        Job(lambda: Game(5), 5, [evaluate], SearchOptions(visits=10 + number, batch=4), told.end)
        for number in range(40)
    ]
    pool.submit(jobs)
    pool.wait()
    pool.close()
    assert sorted(result.root_visits for _, result, _ in told.finished if result) == [10 + n for n in range(40)]


def test_a_stopped_job_ends_at_once_and_is_told_once() -> None:
    told, pool = Told(), SharedPool(2)
    endless = job(told, visits=None, reported=told.report, interval=0.01, first_report=0.0)
    pool.submit([endless])
    while not told.reported:
        time.sleep(0.01)
    pool.stop([endless])
    pool.stop([endless])
    assert len(told.finished) == 1
    assert told.finished[0][1] is not None
    told_so_far = len(told.reported)
    pool.wait()
    pool.close()
    assert len(told.reported) == told_so_far


def test_a_failing_network_fails_its_jobs_and_no_others() -> None:
    class Broken(Hash):
        def __call__(self, planes: Floats, komi: object) -> Evaluation:
            raise RuntimeError("the device is gone")

    told, pool = Told(), SharedPool(1)
    bad = Job(lambda: Game(5), 5, [Broken()], SearchOptions(visits=5), told.end)
    pool.submit([bad, job(told)])
    pool.wait()
    pool.close()
    faults = {one is bad: fault for one, _, fault in told.finished}
    assert "the device is gone" in str(faults[True])
    assert faults[False] is None


def test_boards_of_several_sizes_take_turns() -> None:
    told, pool = Told(), SharedPool(2)
    pool.submit([job(told, size=size) for size in (5, 7, 5, 9)])
    pool.wait()
    pool.close()
    assert sorted(result.position.size for _, result, _ in told.finished if result) == [5, 5, 7, 9]


def test_those_who_wait_are_told_too() -> None:
    told, pool = Told(), SharedPool(1)
    waiter = threading.Thread(target=pool.wait)
    endless = [job(told, visits=None) for _ in range(3)]
    pool.submit(endless)
    waiter.start()
    pool.stop(endless)
    waiter.join(10)
    assert not waiter.is_alive()
    pool.close()
