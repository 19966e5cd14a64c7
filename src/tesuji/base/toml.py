"""Reads TOML files, and says where one is wrong."""

import sys
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file. Raises `InputError` with file and line when it is not TOML."""
    if not path.is_file():
        raise FileNotFoundError(f"no configuration file '{path}'")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise InputError(f"{path} is not TOML: brackets deeper than anybody writes") from None
    except ValueError as problem:  # also text that is no UTF-8, and numbers of thousands of digits
        raise InputError(f"{path} is not TOML: {problem}") from None
