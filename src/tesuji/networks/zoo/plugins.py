"""Networks of the user's own: Python files and installed packages that call `tesuji.networks.register`."""

import importlib
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.base.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tesuji.networks"  # entry points of installed packages, each naming a module that registers its families


_loaded: set[str] = set()  # modules and files at work already: each registers its families once


@cache
def installed() -> tuple["EntryPoint", ...]:
    """What installed packages offer; looked for once, since names are read often."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def load_installed() -> None:
    """Imports the modules that installed packages offer. Raises `InputError` naming the one that cannot be."""
    for point in installed():
        _once(f"{point.name} = {point.value}", point.load, f"the installed networks '{point.name}' ({point.value})")


def load_file(path: str | Path) -> None:
    """Runs a Python file that registers networks. Raises `FileNotFoundError` when there is none."""
    file = Path(path).resolve()
    if not file.is_file():
        raise FileNotFoundError(f"no file '{path}' to read networks from")
    spec = importlib.util.spec_from_file_location(f"tesuji_networks_of_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is no Python file")
    loader, module = spec.loader, importlib.util.module_from_spec(spec)
    _once(str(file), lambda: loader.exec_module(module), str(path))


def _once(key: str, load: Callable[[], object], what: str) -> None:
    if key in _loaded:
        return
    _loaded.add(key)  # before it runs: what it registers may be asked for while it does
    try:
        load()
    except InputError:
        _loaded.discard(key)
        raise
    except Exception as fault:  # anything may be wrong with somebody else's code, and it is theirs to mend
        _loaded.discard(key)
        raise InputError(f"{what} cannot be loaded: {type(fault).__name__}: {fault}") from fault
