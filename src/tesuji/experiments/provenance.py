"""Where numbers come from: version, commit, machine."""

import platform
import shutil
import subprocess
from pathlib import Path

import tesuji
from tesuji.base import machine


def commit() -> str:
    """The commit of the sources, where the package runs from a git checkout of its own; else empty."""
    here = Path(__file__).parent
    if not shutil.which("git"):
        return ""
    asked = ["git", "-C", str(here), "log", "-1", "--format=%h", "--", "."]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def provenance() -> dict[str, str]:
    """What stands at the foot of a page."""
    told = {
        "version": tesuji.__version__,
        "commit": commit(),
        "processor": machine.processor(),
        "cores": str(machine.cores()),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }
    return {key: value for key, value in told.items() if value}
