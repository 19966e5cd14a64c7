"""Judges positions with a model file and onnxruntime: the evaluator that plays. Needs no torch."""

import logging
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.factory import Running
from tesuji.networks.evaluators.precision import Pair
from tesuji.networks.onnx.deadlines import Deadlines
from tesuji.networks.onnx.inspection import inspect_model
from tesuji.networks.onnx.model_file import ModelInfo, needed_int8, read_info, read_int8
from tesuji.networks.onnx.runtime import PROVIDERS, UNBOUNDED, Provider, ort, provider, session_options

_LOG = logging.getLogger(__name__)
KEPT_SESSIONS = 5  # board sizes ready to play, of one network
RUN_SECONDS, POSITION_SECONDS = 120.0, 15.0  # for one evaluation, more for many positions; large networks take two each


def from_model_file(data: bytes, where: str, running: Running) -> Evaluator:
    """The evaluator of a model file's bytes, as the factory asks for it, in the precision it asks for."""
    asked, on_cpu = running.precision, running.device == "cpu"
    if asked in {"fp32", "bf16"} or (asked == "auto" and not on_cpu):
        return OnnxEvaluator(data, where, running)
    content = needed_int8(data, where) if asked == "int8" else read_int8(data, where)
    if content is None:
        return OnnxEvaluator(data, where, running)
    info = replace(read_info(data, where), precision="int8")
    whole, small = partial(OnnxEvaluator, data, where, running), partial(OnnxEvaluator, content, where, running, info)
    pair = Pair(whole, small, content, running.threads)
    if asked == "auto":
        return pair.faster()
    return pair.in_integers() if on_cpu else small()


class OnnxEvaluator:
    """A model file ready to judge positions. Safe to call from several threads at once."""

    def __init__(self, data: bytes, where: str, running: Running | None = None, info: ModelInfo | None = None) -> None:
        """`info` is for an ONNX file without a note of its own."""
        self._running = running or Running()
        self.info: ModelInfo = info or read_info(data, where)
        if self._running.precision == "bf16":
            self.info = replace(self.info, precision="bf16")
        inspect_model(data, where)
        self.name = self.info.name
        self.planes = self.info.planes
        self.has_pass = self.info.has_pass
        self.komi_grid = np.array(self.info.komi_grid, np.float32) if self.info.komi_grid else None
        self._data = data
        self._where = where
        self._provider = provider(self._running.device, self._running.precision, self._running.threads)
        self._sessions: dict[int, SizedSession] = {}
        self._lock = threading.Lock()
        self._is_ready = False
        self._try()
        self._is_ready = True

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        size = planes.shape[-1]
        komis = np.asarray(komi, np.float32)
        try:
            session = self._sessions.get(size) or self._session(size)
            return session(planes, komis)
        except DeviceFailedError as fault:
            self._fall_back(fault)
            return self._session(size)(planes, komis)

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        return self.info.any_size or size == self.info.size

    def __repr__(self) -> str:
        board = "any size" if self.info.any_size else f"{self.info.size}x{self.info.size}"
        return f"<{self.name} on {self.planes}, {board}, {self.info.precision}>"

    def _try(self) -> None:
        """Judges an empty and a strewn board: a damaged file is found when it is loaded, not within a game."""
        size, channels = self.info.size, plane_set(self.planes).channels
        boards = np.zeros((2, channels, size, size), np.float32)
        boards[1] = np.random.default_rng(0).random(boards[1].shape) < 0.3
        judged = self(boards, [0.0, 7.5])
        if judged.policy.shape != (2, size * size + 1) or judged.value.shape != (2,):
            raise InputError(f"{self._where}: its outputs do not have the shapes of a policy and a value")

    def _fall_back(self, fault: "DeviceFailedError") -> None:
        """From now on the CPU: a game goes on where its device fails. Said once, however many threads see it.

        Raises `InputError` where the device did not even start: who asked for it is told before the first game.
        """
        if isinstance(fault, DeviceAbsentError) and not self._is_ready:
            raise InputError(f"{self._where}: {fault}; is its driver installed? The CPU always works")
        with self._lock:
            if self._provider == provider("cpu"):
                return
            _LOG.warning("device %s failed (%s); %s goes on with the CPU", self._running.device, fault, self.name)
            self._provider = provider("cpu")
            self._sessions = {}

    def _session(self, size: int) -> "SizedSession":
        if not self.plays(size):
            board = f"{self.info.size}x{self.info.size}"
            raise InputError(f"{self._where} ({self.name}) plays on {board} only, not on {size}x{size}")
        with self._lock:
            if size not in self._sessions:
                # A session keeps memory of its own: who walks through all sizes need not keep them all.
                for oldest in list(self._sessions)[: 1 - KEPT_SESSIONS]:
                    self._sessions.pop(oldest, None)
                self._sessions[size] = SizedSession(
                    self._data, self._where, self.info, size, provider=self._provider, threads=self._running.threads
                )
            return self._sessions[size]


class DeviceFailedError(Exception):
    """A device other than the CPU did not answer, or did not take the network; whose fault it is, the CPU will show."""


class DeviceAbsentError(DeviceFailedError):
    """The runtime would have gone on with the CPU in silence."""


class SizedSession:
    """A model file on one board size: its free dimensions are fixed, which lets the runtime plan ahead."""

    def __init__(
        self, data: bytes, where: str, info: ModelInfo, size: int, *, provider: Provider, threads: int
    ) -> None:
        options = session_options(threads)
        if info.any_size:
            options.add_free_dimension_override_by_name("size", size)
        wanted = provider if isinstance(provider, str) else provider[0]
        self._on_cpu = wanted == PROVIDERS["cpu"]
        try:
            self.session = ort.InferenceSession(data, options, providers=[provider], disabled_optimizers=UNBOUNDED)
        except Exception as problem:  # onnxruntime's own classes, which share no base but Exception
            if not self._on_cpu:
                raise DeviceFailedError(_reason(problem)) from problem
            raise InputError(f"{where}: onnxruntime cannot read this file ({_reason(problem)})") from None
        if self.session.get_providers()[0] != wanted:
            raise DeviceAbsentError(f"{wanted} does not start")
        inputs = {entry.name: entry for entry in self.session.get_inputs()}
        if "planes" not in inputs or set(inputs) - {"planes", "komi"}:
            raise InputError(f"{where}: its inputs are {sorted(inputs)} instead of planes and komi")
        missing = set(info.outputs) - {entry.name for entry in self.session.get_outputs()}
        if missing:
            raise InputError(f"{where}: its note promises outputs that the graph lacks: {sorted(missing)}")
        self._where = where
        self._deadlines = Deadlines()
        self._shape = (inputs["planes"].shape[1], size, size)
        self._takes_komi = "komi" in inputs
        self._names = list(info.outputs)
        self._uniform = np.append(np.full(size * size, 1 / (size * size), np.float32), np.float32(0))

    def __call__(self, planes: Floats, komi: Floats) -> Evaluation:
        if planes.ndim != 4 or planes.shape[1:] != self._shape:
            wanted = ", ".join(map(str, self._shape))
            raise InputError(f"{self._where} reads planes [B, {wanted}], not {list(planes.shape)}")
        if komi.shape != planes.shape[:1]:
            raise InputError(f"{len(planes)} positions need as many komi, not {list(komi.shape)}")
        feed: dict[str, Any] = {"planes": np.ascontiguousarray(planes, np.float32)}
        if self._takes_komi:
            feed["komi"] = komi
        outputs = dict(zip(self._names, self._run(feed), strict=True))
        if "policy" not in outputs:
            outputs["policy"] = np.tile(self._uniform, (len(planes), 1))
        if "value" not in outputs:
            outputs["value"] = np.full(len(planes), 0.5, np.float32)
        return Evaluation(**outputs)

    def _run(self, feed: dict[str, Any]) -> list[Any]:
        seconds = max(RUN_SECONDS, POSITION_SECONDS * len(feed["planes"]))
        try:
            with self._deadlines.within(seconds) as options:
                answers: list[Any] = self.session.run(self._names, feed, options)
        except Exception as problem:  # onnxruntime's own classes, which share no base but Exception
            if not self._on_cpu:
                raise DeviceFailedError(_reason(problem)) from problem
            raise InputError(f"{self._where}: the network cannot judge a board ({_reason(problem)})") from None
        # One number that is none makes a sum of them none, and a sum costs a third of asking every number.
        if not all(math.isfinite(np.add.reduce(answer, axis=None)) for answer in answers):
            raise InputError(f"{self._where}: the network answers NaN; its weights are damaged")
        return answers


def _reason(problem: Exception) -> str:
    return (str(problem) or repr(problem)).splitlines()[0][:200]
