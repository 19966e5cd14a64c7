"""Workers on a Ray cluster: one actor for each CPU the cluster has, as many as it has at the moment."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError

from tesuji.base.cluster import connect, knock
from tesuji.base.errors import InputError
from tesuji.learning.selfplay.crew import TURN, Job, Reply, Worker, WorkerLostError
from tesuji.networks.devices import cluster_request, needs_gpu, one_device

_LOOK = 2.0  # seconds between two looks at how large the cluster is
_GONE = 15.0  # seconds after which a head that accepts none is given up; Ray itself ends the process after 60


class _Player:
    """The actor: a playroom that lives between turns."""

    def __init__(self, job: Job) -> None:
        self._room = job.playroom()

    def turn(self, numbers: list[int]) -> Reply:
        self._room.order(numbers)
        return Reply(self._room.play(TURN), self._room.speed)


class RayWorker:
    """One actor, and the question it is at."""

    def __init__(self, name: str, job: Any, device: str) -> None:
        self.name = name
        # Never restarted by Ray: we order a dead one's games anew, from the living.
        kept = {**cluster_request([device]), "max_restarts": 0, "max_task_retries": 0}
        self.actor: Any = ray.remote(_Player).options(**kept).remote(job)
        self.reply: Any = None

    def ask(self, numbers: Sequence[int]) -> None:
        self.reply = self.actor.turn.remote(list(numbers))

    def answer(self) -> Reply:
        try:
            reply: Reply = ray.get(self.reply)
        except RayTaskError as fault:
            raise InputError(f"{self.name}: {fault.cause}") from fault  # our own error, not the machine's
        except RayError as fault:
            raise WorkerLostError(f"{self.name}: {str(fault).splitlines()[0]}") from fault
        return reply

    def dismiss(self) -> None:
        with contextlib.suppress(RayActorError, ValueError):
            ray.kill(self.actor)


class RayCluster:
    """A cluster as a workforce. Use it as a context: it connects and leaves."""

    def __init__(self, address: str, most: int = 0, device: str = "cpu") -> None:
        """`address` is `local` (a cluster of this machine alone), `auto`, or `host:port`; `most` limits the actors.

        With a GPU as device every actor asks the cluster for one of its own.
        Raises `ValueError` when no cluster answers, or for devices of several kinds.
        """
        self.most, self.device = most, one_device(device)
        self.devices, self._needs_gpu = [self.device], needs_gpu(self.device)
        connect(address)
        self._job: tuple[Job, Any] | None = None
        self._hired = 0
        self._looked = -_LOOK
        self._size = 0
        self._head: str = ray.get_runtime_context().gcs_address
        self._heard = time.monotonic()

    def __enter__(self) -> "RayCluster":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ray.shutdown()

    def _look(self) -> None:
        """How large the cluster is by now, as long as its head answers. Raises `ValueError` when it is gone."""
        if time.monotonic() - self._looked < _LOOK:
            return
        try:
            knock(self._head)
        except OSError as fault:
            if time.monotonic() - self._heard > _GONE:
                raise InputError(
                    f"the head of the Ray cluster at {self._head} is gone ({fault}); all finished games are kept: "
                    "start it again and give the same command, for `tesuji learn` with --resume"
                ) from None
        else:
            resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
            room = int(resources.get("GPU" if self._needs_gpu else "CPU", 0))
            self._size = min(room, self.most) if self.most else room
            if self._needs_gpu and not room:
                raise InputError(
                    f"the Ray cluster has no GPU for device '{self.device}'; use cpu, or start nodes that have one"
                )
            self._heard = time.monotonic()
        self._looked = time.monotonic()

    def hire(self, job: Job, employed: int) -> list[Worker]:
        self._look()
        room = range(self._hired, self._hired + max(0, self._size - employed))
        self._hired += len(room)
        if not room:
            return []
        if self._job is None or self._job[0] is not job:
            # Stored once; every machine fetches it once, however many actors it has.
            self._job = job, ray.put(replace(job, device=self.device))
        return [RayWorker(f"actor {number}", self._job[1], self.device) for number in room]

    def wait(self, workers: Sequence[Worker], seconds: float) -> list[Worker]:
        self._look()
        by_reply = {worker.reply: worker for worker in workers if isinstance(worker, RayWorker)}
        if not by_reply:
            time.sleep(seconds)
            return []
        ready, others = ray.wait(list(by_reply), num_returns=1, timeout=seconds)
        if ready and others:
            ready += ray.wait(others, num_returns=len(others), timeout=0)[0]  # whatever else is there already
        return [by_reply[reply] for reply in ready]
