"""Judges positions with a model file and onnxruntime: the evaluator that plays. Needs no torch."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from tesuji.features.evaluation import Evaluation, Floats
from tesuji.features.planes import plane_set
from tesuji.networks import library
from tesuji.networks.onnx.model_file import ModelInfo, read_bytes, read_info

PROVIDERS = {
    "cpu": "CPUExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "tensorrt": "TensorrtExecutionProvider",
    "rocm": "ROCMExecutionProvider",
    "directml": "DmlExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
}


def load(name: str | Path, *, device: str = "cpu", threads: int = 1) -> "OnnxEvaluator":
    """The evaluator of a model file, by name or path; a Keras model is translated first, once.

    `threads` is how many threads one evaluation uses. One is the default: several callers side by side need not
    wait for each other inside an evaluation, as several threads of one evaluation must.
    Raises `FileNotFoundError` or `ValueError` in one clear line.
    """
    return OnnxEvaluator(read_model(name), str(name), device=device, threads=threads)


def read_model(name: str | Path) -> bytes:
    """The bytes of a model file, by name or path; a Keras model is translated first, once."""
    path = library.find(name)
    if path.suffix == ".safetensors":
        raise ValueError(f"{name} is a checkpoint; `tesuji export {name}` makes a model file of it")
    if path.suffix.lower() in library.KERAS:
        from tesuji.networks.keras.convert import converted

        path = converted(path)
    return read_bytes(path)


class OnnxEvaluator:
    """A model file ready to judge positions. Safe to call from several threads at once."""

    def __init__(self, data: bytes, where: str, *, device: str = "cpu", threads: int = 1) -> None:
        if threads < 1:
            raise ValueError(f"an evaluation needs at least one thread, not {threads}")
        self.info: ModelInfo = read_info(data, where)
        self.name = self.info.name
        self.planes = self.info.planes
        self.has_pass = self.info.has_pass
        self.komi_grid = np.array(self.info.komi_grid, np.float32) if self.info.komi_grid else None
        self._data = data
        self._where = where
        self._provider = _provider(device)
        self._threads = threads
        self._sessions: dict[int, Session] = {}
        self._lock = threading.Lock()
        self._try()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        size = planes.shape[-1]
        session = self._sessions.get(size) or self._session(size)
        return session(planes, np.asarray(komi, np.float32))

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        return self.info.any_size or size == self.info.size

    def __repr__(self) -> str:
        board = "any size" if self.info.any_size else f"{self.info.size}x{self.info.size}"
        return f"<{self.name} on {self.planes}, {board}>"

    def _try(self) -> None:
        """Judges an empty board: a damaged file is found when it is loaded, not in the middle of a game."""
        size, channels = self.info.size, plane_set(self.planes).channels
        judged = self(np.zeros((1, channels, size, size), np.float32), [0.0])
        if judged.policy.shape != (1, size * size + 1) or judged.value.shape != (1,):
            raise ValueError(f"{self._where}: its outputs do not have the shapes of a policy and a value")
        if not (np.isfinite(judged.policy).all() and np.isfinite(judged.value).all()):
            raise ValueError(f"{self._where}: the network answers NaN; its weights are damaged")

    def _session(self, size: int) -> "Session":
        if not self.plays(size):
            board = f"{self.info.size}x{self.info.size}"
            raise ValueError(f"{self._where} ({self.name}) plays on {board} only, not on {size}x{size}")
        with self._lock:
            if size not in self._sessions:
                self._sessions[size] = Session(
                    self._data, self._where, self.info, size, provider=self._provider, threads=self._threads
                )
            return self._sessions[size]


class Session:
    """A model file on one board size: its free dimensions are fixed, which lets the runtime plan ahead."""

    def __init__(self, data: bytes, where: str, info: ModelInfo, size: int, *, provider: str, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # problems come as exceptions; the log would only repeat them
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave the cores to other callers
        if info.any_size:
            options.add_free_dimension_override_by_name("size", size)
        try:
            self.session = ort.InferenceSession(data, options, providers=[provider])
        except Exception as problem:  # onnxruntime's own classes, which share no base but Exception
            reason = str(problem).splitlines()[0][:200]
            raise ValueError(f"{where}: onnxruntime cannot read this file ({reason})") from None
        inputs = {entry.name: entry for entry in self.session.get_inputs()}
        if "planes" not in inputs or set(inputs) - {"planes", "komi"}:
            raise ValueError(f"{where}: its inputs are {sorted(inputs)} instead of planes and komi")
        missing = set(info.outputs) - {entry.name for entry in self.session.get_outputs()}
        if missing:
            raise ValueError(f"{where}: its note promises outputs that the graph lacks: {sorted(missing)}")
        self._where = where
        self._shape = (inputs["planes"].shape[1], size, size)
        self._takes_komi = "komi" in inputs
        self._names = list(info.outputs)
        self._uniform = np.append(np.full(size * size, 1 / (size * size), np.float32), np.float32(0))

    def __call__(self, planes: Floats, komi: Floats) -> Evaluation:
        if planes.ndim != 4 or planes.shape[1:] != self._shape:
            wanted = ", ".join(map(str, self._shape))
            raise ValueError(f"{self._where} reads planes [B, {wanted}], not {list(planes.shape)}")
        if komi.shape != planes.shape[:1]:
            raise ValueError(f"{len(planes)} positions need as many komi, not {list(komi.shape)}")
        feed: dict[str, Any] = {"planes": np.ascontiguousarray(planes, np.float32)}
        if self._takes_komi:
            feed["komi"] = komi
        outputs = dict(zip(self._names, self.session.run(self._names, feed), strict=True))
        if "policy" not in outputs:
            outputs["policy"] = np.tile(self._uniform, (len(planes), 1))
        if "value" not in outputs:
            outputs["value"] = np.full(len(planes), 0.5, np.float32)
        return Evaluation(**outputs)


def _provider(device: str) -> str:
    chosen = PROVIDERS.get(device.lower())
    available = ort.get_available_providers()
    if chosen is None or chosen not in available:
        usable = [name for name, provider in PROVIDERS.items() if provider in available]
        cure = "" if chosen is None else " (install the onnxruntime package for it)"
        raise ValueError(f"no device '{device}' here{cure}; available: {', '.join(usable)}")
    return chosen
