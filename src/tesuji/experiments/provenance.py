"""Where numbers come from: version, commit, machine."""

import platform
import shutil
import subprocess
from pathlib import Path

import tesuji
from tesuji.base import machine

_PACKAGE = Path(tesuji.__file__).parent


def commit(package: Path = _PACKAGE) -> str:
    """The commit of the sources, `-dirty` where files were changed since; empty where nobody knows it.

    A build from a git checkout writes it beside the package; sources that run in place are asked themselves.
    """
    written = package / "commit.txt"
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    # Of a repository that merely contains the package, as that of an environment, git knows none of its files.
    if not shutil.which("git") or not _git(package, "ls-files", "__init__.py"):
        return ""
    return _git(package, "describe", "--always", "--dirty", "--exclude=*")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
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
