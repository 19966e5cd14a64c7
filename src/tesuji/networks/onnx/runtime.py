"""The one door to onnxruntime: nothing is reported to anybody, and devices have plain names.

Import `ort` from here and nowhere else: telemetry is told to stay off before the library is loaded, because loading
alone would write an identity of this machine into the user's home.
"""

import json
import os
from functools import cache
from typing import Any

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

from tesuji.base.errors import InputError
from tesuji.base.machine import memory_bytes

__all__ = ["PROVIDERS", "UNBOUNDED", "Provider", "ort", "provider", "session_options", "usable_devices"]

ort.disable_telemetry_events()

PROVIDERS = {
    "cpu": "CPUExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "tensorrt": "TensorrtExecutionProvider",
    "rocm": "ROCMExecutionProvider",
    "migraphx": "MIGraphXExecutionProvider",
    "directml": "DmlExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
    "webgpu": "WebGpuExecutionProvider",
}
UNBOUNDED = ["ConstantFolding"]
"""Passes that compute parts of a file while it is read, in memory of their own that nothing bounds; our files gain
nothing by them."""
_NUMBERED = {"cuda", "tensorrt", "rocm", "migraphx", "directml"}  # of which a machine may have several

Provider = str | tuple[str, dict[str, str]]


@cache
def _bounded_memory() -> bool:
    """Gives all networks of this process one pool of the CPU's memory, half of the machine's at most.

    A hostile file of a few bytes may ask for terabytes: it then ends in one line, and the program goes on.
    """
    memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    try:
        ort.create_and_register_allocator(memory, ort.OrtArenaCfg({"max_mem": memory_bytes() // 2}))
    except Exception:  # a build of the runtime without such pools: then without the bound
        return False
    return True


def session_options(threads: int) -> Any:
    """Options that every session here has in common."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # problems come as exceptions; the log would only repeat them
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave the cores to other callers
    if _bounded_memory():
        options.add_session_config_entry("session.use_env_allocators", "1")
    return options


def usable_devices() -> list[str]:
    """The devices this installation can use, by name."""
    available = ort.get_available_providers()
    return [name for name, provider in PROVIDERS.items() if provider in available]


def provider(device: str, precision: str = "fp32", threads: int = 1) -> Provider:
    """What onnxruntime calls a device such as `cpu`, `cuda` or, the second of several, `cuda:1`.

    Precision and threads are for devices that have to be told theirs apart from the session.

    Raises `ValueError` naming the devices there are.
    """
    name, _, number = device.lower().partition(":")
    usable = usable_devices()
    if name not in usable:
        cure = " (install the onnxruntime package for it)" if name in PROVIDERS else ""
        raise InputError(f"no device '{device}' here{cure}; available: {', '.join(usable)}")
    if not number:
        return (PROVIDERS[name], _openvino(precision, threads)) if name == "openvino" else PROVIDERS[name]
    if name not in _NUMBERED or not number.isdecimal():
        raise InputError(f"no device '{device}'; a number follows {', '.join(sorted(_NUMBERED))} only, as in cuda:1")
    return PROVIDERS[name], {"device_id": number}


def _openvino(precision: str, threads: int) -> dict[str, str]:
    # Told nothing it takes all cores for each network, and whatever numbers it likes on this processor.
    numbers = "bf16" if precision == "bf16" else "f32"
    hints = {"INFERENCE_PRECISION_HINT": numbers, "INFERENCE_NUM_THREADS": str(threads)}
    return {"device_type": "CPU", "load_config": json.dumps({"CPU": hints})}
