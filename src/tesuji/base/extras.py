"""Packages that `pip install tesuji-go` alone does not bring: which extra does, asked for before the work begins."""

from importlib.util import find_spec

EXTRAS = {
    "torch": "train",
    "onnx": "train",
    "safetensors": "train",
    "tensorboard": "train",
    "matplotlib": "plot",
    "resvg_py": "plot",
    "nicegui": "web",
    "starlette": "web",
    "uvicorn": "web",
    "keras": "keras",
    "h5py": "keras",
    "ray": "cluster",
}
"""The package, and the extra it comes with."""


def missing_line(package: str, what: str = "this") -> str:
    """What to say of a package that is not installed; empty where it is none of our extras."""
    extra = EXTRAS.get(package.split(".")[0])
    if extra is None:
        return ""
    return f"{what} needs the extra '{extra}' (there is no {package} here): pip install 'tesuji-go[{extra}]'"


def need(package: str, what: str) -> None:
    """Raises `ModuleNotFoundError`, which names the extra, where the package is not installed."""
    if find_spec(package) is None:
        raise ModuleNotFoundError(missing_line(package, what), name=package)
