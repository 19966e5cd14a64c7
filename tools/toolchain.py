"""Says in one line what is missing to build Tesuji. Runs before anything is installed, on whatever Python is there."""

import os
import shutil
import sys
import sysconfig
from typing import Optional


def missing() -> Optional[str]:  # noqa: UP045 - an old Python must reach the line that calls it old
    """What to install first, or None."""
    if sys.version_info < (3, 10):  # noqa: UP036
        found = ".".join(map(str, sys.version_info[:2]))
        return f"Python {found} is too old: install Python 3.10 or newer and call `make PYTHON=python3.12`"
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "this Python makes no virtual environments: install python3-venv (Debian, Ubuntu) or a full Python"
    header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
    if not os.path.exists(header):
        return f"no {header}: install python3-dev (Debian, Ubuntu), python3-devel (Fedora) or a full Python"
    compiler = os.environ.get("CXX")
    names = [compiler.split()[0]] if compiler else ["c++", "g++", "clang++", "cl"]
    if not any(shutil.which(name) for name in names):
        tried = ", ".join(names)
        return f"no C++ compiler ({tried}): install g++ (Debian, Ubuntu), gcc-c++ (Fedora) or Xcode's tools (macOS)"
    return None


if __name__ == "__main__":
    problem = missing()
    if problem:
        sys.exit("tesuji: " + problem)
