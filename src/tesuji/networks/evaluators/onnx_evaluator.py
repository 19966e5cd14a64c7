"""Judges positions with a model file and onnxruntime: the evaluator that plays. Needs no torch."""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.factory import Running
from tesuji.networks.evaluators.precision import choose
from tesuji.networks.onnx.inspection import inspect_model
from tesuji.networks.onnx.model_file import ModelInfo, read_info, read_int8
from tesuji.networks.onnx.runtime import PROVIDERS, Provider, ort, provider, session_options

_LOG = logging.getLogger(__name__)
KEPT_SESSIONS = 5  # board sizes ready to play, of one network
TRIAL_SECONDS = 120.0  # for one empty board; the largest networks take two


def from_model_file(data: bytes, where: str, running: Running) -> Evaluator:
    """The evaluator of a model file's bytes, as the factory asks for it, in the precision it asks for."""
    content = None if running.precision == "fp32" else read_int8(data, where)
    if content is None and running.precision == "int8":
        raise InputError(f"{where} holds no int8 network; `tesuji export --int8` makes one that does")
    if content is None or (running.precision == "auto" and running.device != "cpu"):
        return OnnxEvaluator(data, where, running)
    info = replace(read_info(data, where), precision="int8")
    whole, small = partial(OnnxEvaluator, data, where, running), partial(OnnxEvaluator, content, where, running, info)
    return small() if running.precision == "int8" else choose(whole, small, content, running.threads)


class OnnxEvaluator:
    """A model file ready to judge positions. Safe to call from several threads at once."""

    def __init__(self, data: bytes, where: str, running: Running | None = None, info: ModelInfo | None = None) -> None:
        """`info` is for an ONNX file without a note of its own."""
        self.info: ModelInfo = info or read_info(data, where)
        inspect_model(data, where)
        self.name = self.info.name
        self.planes = self.info.planes
        self.has_pass = self.info.has_pass
        self.komi_grid = np.array(self.info.komi_grid, np.float32) if self.info.komi_grid else None
        self._data = data
        self._where = where
        self._running = running or Running()
        self._provider = provider(self._running.device)
        self._sessions: dict[int, SizedSession] = {}
        self._lock = threading.Lock()
        self._try()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        size = planes.shape[-1]
        session = self._sessions.get(size) or self._session(size)
        komis = np.asarray(komi, np.float32)
        try:
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
        """Judges an empty board: a damaged file is found when it is loaded, not in the middle of a game."""
        size, channels = self.info.size, plane_set(self.planes).channels
        session = self._session(size)
        with session.at_most(TRIAL_SECONDS):
            judged = self(np.zeros((1, channels, size, size), np.float32), [0.0])
        if judged.policy.shape != (1, size * size + 1) or judged.value.shape != (1,):
            raise InputError(f"{self._where}: its outputs do not have the shapes of a policy and a value")
        if not (np.isfinite(judged.policy).all() and np.isfinite(judged.value).all()):
            raise InputError(f"{self._where}: the network answers NaN; its weights are damaged")

    def _fall_back(self, fault: "DeviceFailedError") -> None:
        """From now on the CPU: a game goes on where its device fails. Said once, however many threads see it."""
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
    """A device other than the CPU did not answer."""


class SizedSession:
    """A model file on one board size: its free dimensions are fixed, which lets the runtime plan ahead."""

    def __init__(
        self, data: bytes, where: str, info: ModelInfo, size: int, *, provider: Provider, threads: int
    ) -> None:
        options = session_options(threads)
        if info.any_size:
            options.add_free_dimension_override_by_name("size", size)
        try:
            self.session = ort.InferenceSession(data, options, providers=[provider])
        except Exception as problem:  # onnxruntime's own classes, which share no base but Exception
            reason = str(problem).splitlines()[0][:200]
            raise InputError(f"{where}: onnxruntime cannot read this file ({reason})") from None
        wanted = provider if isinstance(provider, str) else provider[0]
        if self.session.get_providers()[0] != wanted:  # it would go on with the CPU in silence
            raise InputError(f"{where}: {wanted} does not start; is its driver installed? The CPU always works")
        inputs = {entry.name: entry for entry in self.session.get_inputs()}
        if "planes" not in inputs or set(inputs) - {"planes", "komi"}:
            raise InputError(f"{where}: its inputs are {sorted(inputs)} instead of planes and komi")
        missing = set(info.outputs) - {entry.name for entry in self.session.get_outputs()}
        if missing:
            raise InputError(f"{where}: its note promises outputs that the graph lacks: {sorted(missing)}")
        self._where = where
        self._watched: Any = None
        self._on_cpu = wanted == PROVIDERS["cpu"]
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
        try:
            answers: list[Any] = self.session.run(self._names, feed, self._watched)
        except Exception as problem:  # onnxruntime's own classes, which share no base but Exception
            reason = str(problem).splitlines()[0][:200]
            if not self._on_cpu:
                raise DeviceFailedError(reason) from problem
            if self._watched is None:
                raise
            raise InputError(f"{self._where}: the network cannot judge a board ({reason})") from None
        return answers

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Evaluations inside end after this time; a failure is then the file's fault, told in one line."""
        self._watched = ort.RunOptions()
        timer = threading.Timer(seconds, setattr, (self._watched, "terminate", True))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._watched = None
