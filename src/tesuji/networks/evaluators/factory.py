"""Builds every evaluator: from a name, a file or its bytes, on a device, in a precision.

Kinds of files stand in one table. Another program's network is another line of it, and a function that makes an
evaluator of its bytes; nothing else in the package needs to know.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from tesuji.base.errors import InputError
from tesuji.features.evaluation import ConstantEvaluator, Evaluator
from tesuji.networks import library
from tesuji.networks.devices import PRECISIONS
from tesuji.networks.evaluators.ranked import Ranked
from tesuji.networks.evaluators.wrappers import AverageOfSymmetries, RandomSymmetry
from tesuji.networks.foreign.convert import OPTIMISM, SUFFIXES
from tesuji.networks.onnx.model_file import read_bytes

UNIFORM = "uniform"
"""The name of the player without a network: every move as likely as any other, every position even."""
_HEAD = 4096  # bytes of a file that tell its kind


@dataclass(frozen=True)
class Running:
    """How an evaluator is to run: what a backend is told beside the file."""

    device: str = "cpu"
    """A device of `tesuji.networks.onnx.runtime`, such as `cpu` or `cuda:1`."""
    precision: str = "auto"
    """`fp32`, `bf16`, `int8`, or `auto`: the faster of fp32 and int8 as the file offers them."""
    threads: int = 1
    """Threads of one evaluation. Several callers side by side need not wait for each other, as these must."""

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise InputError(f"an evaluation needs at least one thread, not {self.threads}")
        if self.precision not in PRECISIONS:
            raise InputError(f"no precision '{self.precision}'; there are {', '.join(PRECISIONS)}")
        if self.precision == "bf16" and self.device.lower() != "openvino":
            raise InputError(f"bf16 needs --device openvino; on {self.device} there are fp32 and int8")

    @staticmethod
    def on(device: str, precision: str = "auto", threads: int = 1) -> "Running":
        """On a device that may name the precision too, as in `cuda:1/fp32`."""
        name, _, told = device.partition("/")
        return Running(name, told or precision, threads)

    def check(self) -> "Running":
        """Raises `InputError` where the device is not here, before any network is loaded; itself otherwise."""
        if self.device != "cpu":
            from tesuji.networks.onnx.runtime import provider  # brings the runtime with it: only where it matters

            provider(self.device)
        return self


@dataclass(frozen=True)
class FileKind:
    """One kind of file that holds a network."""

    name: str
    recognises: Callable[[str, bytes], bool]
    """Whether a file of this name whose content begins so (4096 bytes or more) is of this kind."""
    evaluator: str
    """`module:function` that makes the evaluator of `(data, where, running)`; imported when first needed."""
    model_file: str = ""
    """`module:function` from a path to the path of a model file of ours, for kinds that are translated and kept."""
    model_bytes: str = ""
    """`module:function` from a path, and optimism, to the bytes of one, for kinds that are translated each time."""


def _named(*suffixes: str) -> Callable[[str, bytes], bool]:
    return lambda name, data: name.lower().endswith(suffixes)


_OWN = "tesuji.networks.evaluators.onnx_evaluator:from_model_file"

# The first that recognises a file has it.
FILE_KINDS = (
    FileKind("checkpoint", _named(".safetensors"), "tesuji.networks.evaluators.factory:refuse_checkpoint"),
    FileKind("Keras model", _named(*library.KERAS), _OWN, "tesuji.networks.keras.convert:converted"),
    FileKind(
        "network of KataGo or Leela Zero",
        _named(*SUFFIXES),
        _OWN,
        model_bytes="tesuji.networks.foreign.convert:model_bytes",
    ),
    FileKind("model file", lambda name, data: True, _OWN),
)


@overload
def load(
    name: str | Path,
    *,
    device: str = "cpu",
    precision: str = "auto",
    threads: int = 1,
    symmetry: str = "none",
    optimism: float | None = None,
) -> Evaluator: ...
@overload
def load(
    name: str | Path,
    *,
    device: list[str],
    precision: str = "auto",
    threads: int = 1,
    symmetry: str = "none",
    optimism: float | None = None,
) -> list[Evaluator]: ...
def load(
    name: str | Path,
    *,
    device: str | list[str] = "cpu",
    precision: str = "auto",
    threads: int = 1,
    symmetry: str = "none",
    optimism: float | None = None,
) -> Evaluator | list[Evaluator]:
    """The evaluator of a network by name or path; of a list of devices, a list of evaluators, one on each.

    Reads model files, Keras models (translated first, once), networks of KataGo and Leela Zero and whatever else
    `FILE_KINDS` lists; "uniform" is no file but the player without a network. A rank may stand behind the name of a
    network that imitates people: "human-9x9@12k". `precision` is "fp32", "bf16", "int8", or "auto"
    for the faster one here of those the file offers; a device may tell it too, as in "cuda:1/fp32". `threads` is how
    many threads one evaluation uses. `symmetry` is "none", "random" (one of eight for each position) or "all" (the
    mean of eight). `optimism` is the share, from 0 to 1, of the optimistic policy that KataGo's newer networks have
    beside the plain one; 0.2 by default.
    Raises `FileNotFoundError` or `ValueError` in one clear line.
    """
    devices = [device] if isinstance(device, str) else device
    if not devices:
        raise InputError("a list of devices needs at least one")
    plain, rank = library.split_rank(name)
    data = read_model(plain, optimism)
    made = [
        turned(told(evaluator(data, plain, Running.on(one, precision, threads)), rank), symmetry) for one in devices
    ]
    return made[0] if isinstance(device, str) else made


def read_model(name: str | Path, optimism: float | None = None) -> bytes:
    """The bytes that `evaluator` takes, by name or path; files of other programs are translated first."""
    if str(name) == UNIFORM:
        return b""
    path = library.find(name)
    with path.open("rb") as file:
        kind = kind_of(path.name, file.read(_HEAD))
    if kind.model_bytes:
        translated: bytes = _function(kind.model_bytes)(path, OPTIMISM if optimism is None else optimism)
        return translated
    if optimism is not None:
        raise InputError(f"'{name}' has no optimistic policy; optimism is for network files of KataGo")
    if kind.model_file:
        path = _function(kind.model_file)(path)
    return read_bytes(path)


def evaluator(data: bytes, where: str, running: Running | None = None) -> Evaluator:
    """The evaluator of a file's bytes; `where` is the file's name, for its kind and for complaints."""
    if where == UNIFORM and not data:
        return ConstantEvaluator()
    made: Evaluator = _function(kind_of(where, data).evaluator)(data, where, running or Running())
    return made


def told(evaluate: Evaluator, rank: str) -> Evaluator:
    """The evaluator that imitates people of this rank; as it is where none is told."""
    return Ranked(evaluate, rank) if rank else evaluate


def turned(evaluate: Evaluator, symmetry: str, seed: int | None = None) -> Evaluator:
    """The evaluator that looks at positions as `symmetry` says: "none", "random" or "all"."""
    if symmetry == "random":
        return RandomSymmetry(evaluate, seed)
    if symmetry == "all":
        return AverageOfSymmetries(evaluate)
    if symmetry != "none":
        raise InputError(f"no symmetry '{symmetry}'; there are none, random, all")
    return evaluate


def kind_of(name: str, data: bytes) -> FileKind:
    """The kind of a file."""
    return next(kind for kind in FILE_KINDS if kind.recognises(name, data))


def refuse_checkpoint(data: bytes, where: str, running: Running) -> Evaluator:
    """Checkpoints hold weights without the network's structure; reading them needs torch."""
    raise InputError(f"{where} is a checkpoint; `tesuji export {where}` makes a model file of it")


def _function(where: str) -> Callable[..., Any]:
    module, _, name = where.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found
