"""Writes files whole or not at all, so that a reader, a crash or a full disk never leaves half of one; locks them.

Reads what a stranger may have put there: files alone, of a bounded length."""

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

from tesuji.base.errors import InputError

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate the ends of lines


def write_atomically(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Replaces the file at `path` by `data`; text is written as UTF-8. An `OSError` names the file."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"no folder {path.parent} to write {path.name} in")
    draft = ""
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, 0o644)
        _replace(draft, path)
    except BaseException as fault:
        if draft:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(draft)
        if isinstance(fault, OSError):
            fault.filename = str(path)  # not the draft, which nobody knows
        raise


def _replace(draft: str, path: Path) -> None:
    """Takes the place of `path`. Windows refuses as long as somebody, a virus scanner say, has the old file open."""
    for seconds in (0.05, 0.1, 0.2, 0.4, 0.8) if sys.platform == "win32" else ():
        try:
            os.replace(draft, path)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    os.replace(draft, path)


def read_bounded(path: str | os.PathLike[str], most: int) -> bytes:
    """The content of a file of at most `most` bytes. Raises `InputError` for a longer one and for what is no file.

    A pipe may keep its reader waiting for ever, and a device such as /dev/zero never ends.
    """
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise InputError(f"{os.fspath(path)}: a pipe or a device; save what it holds as a file first")
        data = file.read(most + 1)
    if len(data) > most:
        raise InputError(f"{os.fspath(path)}: longer than {most >> 20} MB; split it")
    return data


def _at_once(path: str, flags: int) -> int:
    """Opens without waiting for somebody at the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def append_whole(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Adds `data` at the end of the file, which a full disk leaves as it was; the `OSError` names the file."""
    blob = data.encode() if isinstance(data, str) else data
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)
    before = os.fstat(descriptor).st_size
    try:
        if os.write(descriptor, blob) != len(blob):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as fault:
        os.ftruncate(descriptor, before)
        fault.filename = str(path)
        raise
    finally:
        os.close(descriptor)


def open_alone(path: str | os.PathLike[str]) -> int:
    """The descriptor of a file, made if need be, open to read and to append while this process alone holds it.

    Closing it, or the end of the process, sets it free. Raises `BlockingIOError` when another process holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)
    try:
        _lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise BlockingIOError(errno.EWOULDBLOCK, "held by another process", str(path)) from None
    return descriptor


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        # Windows keeps others from reading what is locked: so one byte far beyond the end.
        os.lseek(descriptor, 2**31 - 2, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
