"""This machine: its cores, its processor, and the folders where the user's things and our own notes belong.

`$TESUJI_HOME` replaces both folders by one.
"""

import contextlib
import ctypes
import os
import platform
import shutil
import sys
from functools import cache
from pathlib import Path

# What earlier versions kept in the cache though it cannot be made again: models, saved games.
_PRECIOUS = ("*.onnx", "web")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def memory_bytes() -> int:
    """The machine's memory; 4 GB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 4 << 30


@cache
def processor() -> str:
    """The processor's name, as exactly as the system tells it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


@cache
def has_vnni() -> bool:
    """Whether the processor says it has instructions that make sums of products of 8-bit integers."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return any("vnni" in line for line in lines if line.startswith("flags"))
    return False


def gpu() -> str:
    """Who made the GPU of this machine, "NVIDIA" or "AMD", where its driver tells; empty where none is seen."""
    system = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32"
    if Path("/proc/driver/nvidia/version").exists() or (sys.platform == "win32" and (system / "nvcuda.dll").exists()):
        return "NVIDIA"
    return "AMD" if Path("/dev/kfd").exists() else ""


def keep_freed_memory() -> bool:
    """Lets the C library keep what is freed for what is asked next; whether it does (glibc alone can be told).

    It would map every large array anew, and the system would clear its pages: in training, where hundreds of them come
    and go with every step, a tenth of the time.
    """
    mapped_at_most, trimmed_from = -4, -1  # M_MMAP_MAX and M_TRIM_THRESHOLD of malloc.h
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library
        return False
    return bool(mallopt(mapped_at_most, 0) and mallopt(trimmed_from, (1 << 31) - 1))


def data_folder() -> Path:
    """Where the user's own models and saved games are kept, as the system wishes it; it need not exist yet."""
    home = os.environ.get("TESUJI_HOME")
    if home:
        return Path(home)
    folder = _data_home() / "tesuji"
    _rescue(Path.home() / ".cache" / "tesuji", folder)
    return folder


def cache_folder() -> Path:
    """Where things are kept that can be found out again: measurements, translated models. It need not exist yet."""
    home = os.environ.get("TESUJI_HOME")
    if home:
        return Path(home)
    if sys.platform == "win32":
        return _local_app_data() / "tesuji" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tesuji"
    return _absolute("XDG_CACHE_HOME", Path.home() / ".cache") / "tesuji"


def _data_home() -> Path:
    if sys.platform == "win32":
        return _local_app_data()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return _absolute("XDG_DATA_HOME", Path.home() / ".local" / "share")


def _local_app_data() -> Path:
    return _absolute("LOCALAPPDATA", Path.home() / "AppData" / "Local")


def _absolute(variable: str, usual: Path) -> Path:
    """The folder a variable names; relative ones are to be ignored, says the XDG specification."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else usual


@cache
def _rescue(old: Path, new: Path) -> None:
    """Moves what is precious out of the cache; what cannot be moved stays where it is."""
    for path in [found for pattern in _PRECIOUS for found in old.glob(pattern)]:
        if not (new / path.name).exists():
            with contextlib.suppress(OSError):
                new.mkdir(parents=True, exist_ok=True)
                shutil.move(path, new / path.name)
