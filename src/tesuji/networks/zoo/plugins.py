"""Networks of the user's own: Python files and installed packages that call `tesuji.networks.register`."""

import importlib
import importlib.util
from importlib.metadata import entry_points
from pathlib import Path

from tesuji.base.errors import InputError

GROUP = "tesuji.networks"  # entry points of installed packages, each naming a module that registers its families


def load_installed() -> None:
    """Imports the modules that installed packages offer."""
    for point in entry_points(group=GROUP):
        point.load()


def load_file(path: str | Path) -> None:
    """Runs a Python file that registers networks. Raises `FileNotFoundError` when there is none."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no file '{path}' to read networks from")
    spec = importlib.util.spec_from_file_location(f"tesuji_networks_of_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is no Python file")
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
