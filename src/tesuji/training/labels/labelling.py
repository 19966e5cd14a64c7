"""A labelling run: parts of the work on all processes, each written when it is done, joined in the end.

The parts lie in a folder beside the output. Which positions a part asks about follows from its number, so the same
command after a kill does what is missing.
"""

import dataclasses
import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from tesuji._core import PackedFile
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.machine import cores
from tesuji.base.processes import SPAWN
from tesuji.features.evaluation import Evaluator
from tesuji.networks.evaluators import factory
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack_games
from tesuji.training.labels.answers import Answers
from tesuji.training.labels.options import LabelOptions
from tesuji.training.labels.questions import Questions

_NOTE = "options.json"


@dataclass(frozen=True)
class Part:
    """What one part of the work took."""

    positions: int
    seconds: float
    in_teacher: float
    """Seconds of them spent inside the teacher."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    """Positions labelled, those of earlier runs included."""
    wanted: int
    rate: float
    """Positions a second of this run."""
    teacher_share: float
    """Share of the workers' time spent inside the teacher."""


class Labeller:
    """One process's teacher, and where its parts go."""

    def __init__(self, options: LabelOptions, folder: Path, device: str = "cpu") -> None:
        self._options, self._folder = options, folder
        odd_by = None if options.odd_by == "random" else factory.load(options.odd_by, device=device)
        leaves = factory.load(options.leaves, device=device) if options.leaves else None
        student = factory.load(options.student, device=device) if options.student else None
        self._questions = Questions(options, odd_by, leaves)
        teacher: Evaluator = factory.load(options.teacher, device=device, symmetry=options.symmetry)
        self._answers = Answers(teacher, options.search_options(), options.hard, student)
        for network in (teacher, odd_by, leaves, student):
            if network is not None and not network.plays(self._questions.size):
                size = self._questions.size
                raise InputError(f"the network {network.name} does not play {size}x{size}")

    def label(self, number: int) -> Part:
        """Does part `number` and writes it."""
        started, before = time.perf_counter(), self._answers.seconds
        wanted = self._options.batch
        games = self._questions.batch(number, self._answers.candidates(wanted))
        pack_games(self._answers.of(games, wanted), self._folder / f"{number:07d}.games")
        return Part(wanted, time.perf_counter() - started, self._answers.seconds - before)


def label(
    options: LabelOptions, output: Path, count: int, processes: int = 0,
    progress: Callable[[Progress], None] = lambda progress: None, devices: Sequence[str] = ("cpu",),
) -> int:  # fmt: skip
    """Labels `count` positions into the packed file `output`; returns how many it holds.

    Processes take the devices in turn.
    Stopped by Ctrl-C it writes what there is, and the same call goes on. Raises `ValueError` when the folder of parts
    belongs to other options.
    """
    for device in devices:
        factory.Running.on(device).check()
    folder = output.with_name(output.name + ".parts")
    _claim(folder, options)
    parts = range(-(-count // options.batch))
    missing = [number for number in parts if not _sound(folder / f"{number:07d}.games")]
    finished = False
    try:
        _work(options, folder, missing, len(parts), _in_turn(devices, processes or cores()), progress)
        finished = True
    finally:
        written = _join(folder, output)
        if finished:
            shutil.rmtree(folder)
    return written


def _work(
    options: LabelOptions, folder: Path, missing: list[int], parts: int, devices: list[str],
    progress: Callable[[Progress], None],
) -> None:  # fmt: skip
    done, spent, in_teacher, started = parts - len(missing), 0.0, 0.0, time.perf_counter()
    for part in _finished(options, folder, missing, devices[: max(len(missing), 1)]):
        done, spent, in_teacher = done + 1, spent + part.seconds, in_teacher + part.in_teacher
        rate = (done - parts + len(missing)) * options.batch / (time.perf_counter() - started)
        progress(Progress(done * options.batch, parts * options.batch, rate, in_teacher / max(spent, 1e-9)))


def _in_turn(devices: Sequence[str], processes: int) -> list[str]:
    """The device of each process."""
    return [devices[number % len(devices)] for number in range(processes)]


def _finished(options: LabelOptions, folder: Path, missing: list[int], devices: list[str]) -> Iterator[Part]:
    """The parts as they are done, in this process or in one for each of the devices."""
    if len(devices) == 1:
        worker = Labeller(options, folder, devices[0]) if missing else None
        for number in missing:
            assert worker is not None
            yield worker.label(number)
        return
    with _workers(options, folder, devices) as pool:
        waiting: set[Future[Part]] = set()
        numbers = iter(missing)
        while True:
            # Few at a time: what is not begun need not be waited for when the run is stopped.
            waiting |= {pool.submit(_label_part, n) for n in islice(numbers, len(devices) + 1 - len(waiting))}
            if not waiting:
                return
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                try:
                    yield future.result()
                except BrokenProcessPool:
                    raise InputError("a labelling process was killed; the same command goes on from there") from None


@contextmanager
def _workers(options: LabelOptions, folder: Path, devices: list[str]) -> Iterator[ProcessPoolExecutor]:
    free = SPAWN.SimpleQueue()  # each process takes one as it begins
    for device in devices:
        free.put(device)
    pool = ProcessPoolExecutor(len(devices), SPAWN, initializer=_begin, initargs=(options, folder, free))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_labeller: list[Labeller] = []  # of this worker process: a teacher is loaded once, not with every part
_task: list[tuple[LabelOptions, Path, str]] = []


def _begin(options: LabelOptions, folder: Path, free: "SimpleQueue[str]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives the orders
    _task.append((options, folder, free.get()))


def _label_part(number: int) -> Part:
    if not _labeller:
        _labeller.append(Labeller(*_task[0]))
    return _labeller[0].label(number)


def _claim(folder: Path, options: LabelOptions) -> None:
    """Notes the options with the parts; refuses parts of other options."""
    folder.mkdir(parents=True, exist_ok=True)
    told = dataclasses.asdict(options) | {"games": [_content(path) for path in options.games]}
    if not options.search:
        del told["search"]  # parts of earlier versions, which knew no such option, go on
    note = json.dumps(told, indent=1)
    kept = folder / _NOTE
    if not kept.exists():
        write_atomically(kept, note)
    elif kept.read_text("utf-8") != note:
        raise InputError(f"'{folder}' holds parts of a run with other options; remove it, or choose another output")


def _content(path: str) -> str:
    """Name and beginning of a file: enough to tell that it has been replaced."""
    with Path(path).open("rb") as file:
        return f"{Path(path).name} {os.path.getsize(path)} {hashlib.blake2b(file.read(1 << 16)).hexdigest()[:16]}"


def _sound(path: Path) -> bool:
    """Whether a part is there and whole."""
    try:
        PackedFile(str(path)).check()
    except (ValueError, OSError):
        return False
    return True


def _join(folder: Path, output: Path) -> int:
    """Writes all parts there are as one packed file."""
    parts = sorted(path for path in folder.glob("*.games") if _sound(path))
    return pack_games((record for path in parts for record in GameSet(path)), output) if parts else 0
