"""Devices in words: `cpu`, `cuda:1`, `cuda:1/fp32`, and lists of them; how much each kind likes to do at once."""

import re
from collections.abc import Iterable, Sequence

from tesuji.base.errors import InputError

PRECISIONS = ("auto", "fp32", "bf16", "int8")
"""What networks may calculate with; `bf16`, numbers of half the size, on `openvino` alone."""

# How many times the batch of a CPU a kind of device is usually given: a GPU takes many positions in nearly the time of
# one, while a search that asks for too many at once wastes them. Careful guesses: no GPU was here to measure.
_WIDTHS = {
    "cpu": 1, "openvino": 1, "cuda": 4, "tensorrt": 4, "rocm": 4, "migraphx": 4,
    "directml": 2, "webgpu": 2, "coreml": 2,
}  # fmt: skip


def device_list(named: str | Iterable[str], precision: str = "auto") -> list[str]:
    """The devices of `cuda:0,cuda:1` or of several such texts; each that tells no precision is told this one."""
    if precision not in PRECISIONS:
        raise InputError(f"no precision '{precision}'; there are {', '.join(PRECISIONS)}")
    texts = [named] if isinstance(named, str) else named
    words = [word.strip() for text in texts for word in text.split(",")]
    return [word if precision == "auto" or "/" in word else f"{word}/{precision}" for word in words]


def kind_of(device: str) -> str:
    """The kind of a device: `cuda` of `cuda:1/fp32`."""
    return re.split("[:/]", device.lower())[0]


def needs_gpu(device: str) -> bool:
    """Whether a worker with this device takes a GPU from a cluster."""
    return kind_of(device) not in {"cpu", "openvino", "coreml"}


def without_number(device: str) -> str:
    """The device as a process calls it that sees one of its kind only: `cuda/fp32` for `cuda:1/fp32`."""
    return re.sub(":[^/]*", "", device)


def one_device(text: str) -> str:
    """The device of a process on a Ray cluster, of a list such as `cuda:0,cuda:1`: Ray hands the GPUs out, and each
    process sees its own as 0.

    Raises `InputError` for a list of several kinds: Ray cannot be asked for one or another.
    """
    found = sorted({without_number(word) for word in device_list(text)})
    if len(found) > 1:
        raise InputError(f"on Ray all workers run on one kind of device, in one precision, not on {', '.join(found)}")
    return found[0]


def cluster_request(devices: Iterable[str]) -> dict[str, int]:
    """What a process with these devices asks a Ray cluster for."""
    return {"num_cpus": 1, "num_gpus": int(any(needs_gpu(device) for device in devices))}


def usual_batch(on_cpu: int, devices: Sequence[str]) -> int:
    """What to do at once on these devices, where a CPU is given `on_cpu`: as much as the least of them likes."""
    return on_cpu * min(_WIDTHS.get(kind_of(device), 1) for device in devices)
