"""Workers of this machine: one process for each core, each with a session of its own."""

import contextlib
import signal
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.machine import cores
from tesuji.base.processes import SPAWN
from tesuji.learning.selfplay.crew import TURN, Job, Reply, Worker, WorkerLostError
from tesuji.networks.devices import device_list
from tesuji.networks.evaluators.factory import Running


def _work(pipe: Connection) -> None:
    """The life of a worker process: orders in, replies out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives the orders
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        job: Job = pipe.recv()
        try:
            room = job.playroom()
        except InputError as fault:  # a device that does not start: another worker would fare no better
            pipe.send(fault)
            return
        while True:
            room.order(pipe.recv())
            pipe.send(Reply(room.play(TURN), room.speed))


class ProcessWorker:
    """One worker process and the pipe to it."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=_work, args=(theirs,), name=name, daemon=True)
        self.process.start()
        theirs.close()
        self._send(job)

    def ask(self, numbers: Sequence[int]) -> None:
        self._send(list(numbers))

    def answer(self) -> Reply:
        try:
            reply: Reply | InputError = self.pipe.recv()
        except (EOFError, OSError) as fault:
            self.process.join(1)
            raise WorkerLostError(f"{self.name} ended with code {self.process.exitcode}") from fault
        if isinstance(reply, InputError):
            raise reply
        return reply

    def dismiss(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()

    def _send(self, message: Any) -> None:
        with contextlib.suppress(OSError):  # a dead worker is noticed when its answer is wanted
            self.pipe.send(message)


class LocalWorkers:
    """As many worker processes as asked for; the dead are replaced."""

    def __init__(self, count: int = 0, device: str = "cpu") -> None:
        """`count` 0 takes every core this process may use; workers take the devices (`cuda:0,cuda:1`) in turn.

        Raises `InputError` for a device that is not here.
        """
        self.devices = device_list(device)
        for name in self.devices:
            Running.on(name).check()
        self.count = count or cores()
        self._hired = 0

    def hire(self, job: Job, employed: int) -> list[Worker]:
        names = range(self._hired, self._hired + max(0, self.count - employed))
        self._hired += len(names)
        jobs = [replace(job, device=device) for device in self.devices]
        return [ProcessWorker(f"worker {number}", jobs[number % len(jobs)]) for number in names]

    def wait(self, workers: Sequence[Worker], seconds: float) -> list[Worker]:
        by_pipe = {worker.pipe: worker for worker in workers if isinstance(worker, ProcessWorker)}
        return [by_pipe[pipe] for pipe in wait(list(by_pipe), seconds) if isinstance(pipe, Connection)]


class InThisProcess:
    """One worker without a process of its own: for tests, measurements and boards too small to share."""

    devices = ("cpu",)

    class _Worker:
        name = "here"

        def __init__(self, job: Job) -> None:
            self._room = job.playroom()

        def ask(self, numbers: Sequence[int]) -> None:
            self._room.order(numbers)

        def answer(self) -> Reply:
            return Reply(self._room.play(TURN), self._room.speed)

        def dismiss(self) -> None:
            """Nothing to end."""

    def hire(self, job: Job, employed: int) -> list[Worker]:
        return [] if employed else [self._Worker(job)]

    def wait(self, workers: Sequence[Worker], seconds: float) -> list[Worker]:
        return list(workers)
