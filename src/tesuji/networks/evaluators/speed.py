"""How fast networks judge positions here: by batch size, threads and callers, and against the machine's peak."""

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tesuji._core import peak_in_bytes, peak_in_floats
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.features.planes import plane_set
from tesuji.networks.devices import device_list
from tesuji.networks.evaluators.factory import Running, evaluator, read_model
from tesuji.networks.onnx.model_file import read_int8

BATCHES = (1, 2, 4, 8, 16, 32, 64, 256)
USUAL = ("default-9x9", "se.8.192.48", "se.16.384.64", "a0.10.63")  # what `tesuji bench` measures on 9x9
USUAL_LARGE = ("default-19x19",)  # and on 19x19


@dataclass(frozen=True)
class Speed:
    """One network at one batch size."""

    name: str
    """As it was asked for."""
    size: int
    batch: int
    threads: int
    """Threads of one evaluation."""
    callers: int
    """Evaluations side by side, each with an evaluator of its own."""
    precision: str
    positions: float
    """Positions a second, all callers together."""
    gflops: float
    """Billions of floating-point operations a second."""

    def row(self) -> dict[str, str | int | float]:
        """Plain names and numbers, for JSON and CSV."""
        return {
            "network": self.name, "size": self.size, "precision": self.precision, "threads": self.threads,
            "callers": self.callers, "batch": self.batch, "positions_per_second": round(self.positions, 1),
            "gflops": round(self.gflops, 3),
        }  # fmt: skip


def model(name: str, planes: str | None = None, size: int | None = None) -> bytes:
    """The model file of a name: a file or built-in model as it is, a network of the zoo with random weights."""
    try:
        return read_model(name)
    except FileNotFoundError:
        if name.endswith(".onnx") or Path(name).parent != Path("."):
            raise
    from tesuji.networks.onnx.export import note, serialise
    from tesuji.networks.zoo.network import create

    network = create(name, planes, size).eval()
    return serialise(network, note(network))


def measure(
    name: str,
    *,
    planes: str | None = None,
    size: int | None = None,
    batches: Sequence[int] = BATCHES,
    threads: int = 1,
    callers: int = 1,
    seconds: float = 0.5,
    device: str = "cpu",
    precision: str = "auto",
) -> Iterator[Speed]:
    """The speed of a network of the zoo or of a model file at each batch size, as each is known.

    `precision` is as for `tesuji.load`, or "all" for each that the file holds. On each of several devices
    (`cuda:0,cuda:1`) there are as many `callers`. Every batch size is tried for about
    `seconds`. One caller with one thread is measured in the time its core worked for it, so that other work on the
    machine disturbs little; everything else by the clock on the wall.
    """
    data = model(name, planes, size)
    devices = device_list(device) * callers
    clock = _core_time if threads == 1 and devices == ["cpu"] else time.perf_counter
    for one in _precisions(data, name) if precision == "all" else [precision]:
        evaluators = [evaluator(data, name, Running.on(each, one, threads)) for each in devices]
        info = evaluators[0].info
        board = size or info.size
        # Operations grow with the board but for the few dense layers, which are left out of other sizes.
        per_position = info.operations * board**2 / info.size**2
        for batch in batches:
            inputs, komi = _positions(evaluators[0].planes, board, batch)
            positions = _rate(evaluators, inputs, komi, seconds, clock)
            gflops = positions * per_position / 1e9
            yield Speed(name, board, batch, threads, len(devices), info.precision, positions, gflops)


def _precisions(data: bytes, name: str) -> list[str]:
    return ["fp32", "int8"] if read_int8(data, name) is not None else ["fp32"]


def _core_time() -> float:
    """The time this thread has had a core for itself, where the system tells it finely enough."""
    fine = time.get_clock_info("thread_time").resolution < 1e-6
    return time.thread_time() if fine else time.perf_counter()


def _rate(
    evaluators: list[Evaluator], planes: Floats, komi: Floats, seconds: float, clock: Callable[[], float]
) -> float:
    """Positions a second of all evaluators side by side."""
    for evaluate in evaluators:
        evaluate(planes, komi)  # the first call of a batch size plans its memory
    start = threading.Barrier(len(evaluators))
    rates = [0.0] * len(evaluators)

    def work(i: int) -> None:
        times: list[float] = []
        start.wait()
        end = time.perf_counter() + seconds
        while not times or time.perf_counter() < end:
            before = clock()
            evaluators[i](planes, komi)
            times.append(clock() - before)
        # Not the median: callers that take turns on one core would each look as fast as one alone.
        rates[i] = len(planes) / statistics.mean(times)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(evaluators))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


def _positions(planes: str, size: int, batch: int) -> tuple[Floats, Floats]:
    shape = (batch, plane_set(planes).channels, size, size)
    return (np.random.default_rng(0).random(shape) < 0.3).astype(np.float32), np.full(batch, 7.5, np.float32)


_ROUNDS, _TRIES = 40_000, 12  # a millisecond or two each


@cache
def peak_gflops(threads: int = 1, precision: str = "fp32") -> float:
    """What this machine reaches where it does nothing but multiply and add; 0 where nobody can tell.

    One core is measured, in its own time and so whatever else runs, and multiplied.
    """
    loop = peak_in_bytes if precision == "int8" else peak_in_floats
    speeds = []
    for _ in range(_TRIES):
        start = _core_time()
        done = loop(_ROUNDS)
        speeds.append(done / max(_core_time() - start, 1e-9))
    return threads * max(speeds) / 1e9
