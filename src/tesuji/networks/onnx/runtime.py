"""The one door to onnxruntime: nothing is reported to anybody, and devices have plain names.

Import `ort` from here and nowhere else: telemetry is told to stay off before the library is loaded, because loading
alone would write an identity of this machine into the user's home.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

from tesuji.base.errors import InputError

__all__ = ["PROVIDERS", "Provider", "ort", "provider", "usable_devices"]

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
_NUMBERED = {"cuda", "tensorrt", "rocm", "migraphx", "directml"}  # of which a machine may have several

Provider = str | tuple[str, dict[str, str]]


def usable_devices() -> list[str]:
    """The devices this installation can use, by name."""
    available = ort.get_available_providers()
    return [name for name, provider in PROVIDERS.items() if provider in available]


def provider(device: str) -> Provider:
    """What onnxruntime calls a device such as `cpu`, `cuda` or, the second of several, `cuda:1`.

    Raises `ValueError` naming the devices there are.
    """
    name, _, number = device.lower().partition(":")
    usable = usable_devices()
    if name not in usable:
        cure = " (install the onnxruntime package for it)" if name in PROVIDERS else ""
        raise InputError(f"no device '{device}' here{cure}; available: {', '.join(usable)}")
    if not number:
        return PROVIDERS[name]
    if name not in _NUMBERED or not number.isdecimal():
        raise InputError(f"no device '{device}'; a number follows {', '.join(sorted(_NUMBERED))} only, as in cuda:1")
    return PROVIDERS[name], {"device_id": number}
