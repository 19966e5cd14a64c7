"""Where game records come from: files, folders and archives, opened one inside the other and read piece by piece."""

import io
import lzma
import mmap
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from tesuji.base.errors import InputError
from tesuji.training.data.unpacking import (
    COMPRESSED,
    MOST_NESTED,
    Allowance,
    Unpacked,
    UnpackError,
    opened_entry,
    opened_tar,
    unpacked,
)

Kind = Literal["lines", "trees", "games.data", "teacher", "fault"]

# zipfile tells an encrypted member, or a compression it does not know, by a RuntimeError; tarfile a number that is
# none, and zipfile a place before the beginning, by a ValueError.
_DAMAGE = (
    EOFError,
    LookupError,  # of zipfile, at a file without a name
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
)
_TAR = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tbz2")
_KINDS = {
    ".zip": "zip",
    ".npz": "teacher",
    ".sgf": "trees",
    ".sgfs": "lines",
    ".txt": "lines",
    ".data": "games.data",
}
_PIECE = 1 << 20
_LONGEST_LINE = 16 << 20  # bytes; a game of a thousand moves has a few thousand

Readable = BinaryIO | Unpacked


@dataclass(frozen=True)
class Piece:
    """A part of one source, with whole records in it."""

    name: str
    kind: Kind
    data: bytes | mmap.mmap
    """For a fault: what is wrong, as text."""


class RecordSources:
    """Reads the sources in order.

    `done` and `total` count their bytes on disk, for a progress bar: up to the piece given last, or as `within` tells.
    """

    def __init__(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        self._files: list[tuple[Path, bool]] = []
        for path in map(Path, paths):
            self._files += [(path, True)] if not path.is_dir() else [(p, False) for p in _files_below(path)]
        for path, _ in self._files:
            if not path.exists():
                raise FileNotFoundError(f"no file or folder '{path}'")
        if not self._files:
            raise InputError(f"no files in {', '.join(str(path) for path in paths)}")
        self.total = sum(path.stat().st_size for path, _ in self._files)
        self.done = 0
        self._piece = (0, 0)

    def __iter__(self) -> Iterator[Piece]:
        for path, asked_for in self._files:
            before, size = self.done, path.stat().st_size
            if asked_for or kind_of(path.name) is not None:
                with path.open("rb") as file:
                    for piece in _pieces(str(path), file, Allowance(size)):
                        self._piece = (self.done, before + file.tell())
                        yield piece
                        self.done = self._piece[1]
            else:
                yield Piece(str(path), "fault", b"not a game record by its name")
            self.done = before + size

    def within(self, share: float) -> None:
        """Tells how much of the piece given last has been read, where that takes long."""
        begin, end = self._piece
        self.done = begin + int(share * (end - begin))


def kind_of(name: str) -> str | None:
    """What a file is by its name: a kind of piece, or how it is packed; None if it is nothing we read."""
    lower = name.lower()
    if lower.endswith(_TAR):
        return "tar"
    suffix = os.path.splitext(lower)[1]
    if suffix in COMPRESSED:
        return suffix
    return _KINDS.get(suffix)


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _pieces(name: str, file: BinaryIO, allowance: Allowance) -> Iterator[Piece]:
    """The pieces of a file on the disk. One that unpacks without end is left where its allowance ends."""
    try:
        yield from _open(name, file, allowance)
    except UnpackError as problem:
        yield Piece(name, "fault", str(problem).encode())


def _open(name: str, file: Any, allowance: Allowance, depth: int = 0) -> Iterator[Piece]:
    """The pieces of a file; damage becomes a fault, after all that could be read before it."""
    if depth > MOST_NESTED:
        yield Piece(name, "fault", f"archives within archives more than {MOST_NESTED} deep".encode())
        return
    try:
        yield from _unpacked(name, file, allowance, depth)
    except _DAMAGE as problem:
        yield Piece(name, "fault", f"damaged or cut: {problem}".encode())


def _unpacked(name: str, file: Any, allowance: Allowance, depth: int) -> Iterator[Piece]:
    kind = kind_of(name)
    if kind == "tar":
        with opened_tar(file, allowance) as inside, tarfile.open(fileobj=inside, mode="r:") as archive:  # type: ignore[call-overload]
            for member in archive:
                packed = archive.extractfile(member) if member.isfile() else None
                if packed is not None:
                    yield from _member(f"{name}/{member.name}", Unpacked(packed, allowance), allowance, depth)
    elif kind == "zip":
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    with opened_entry(archive, entry, allowance) as inside:
                        yield from _member(f"{name}/{entry.filename}", inside, allowance, depth)
    elif kind in COMPRESSED:
        inner = name[: -len(kind)]
        with unpacked(file, kind, allowance) as inside:
            if kind_of(inner) in {"tar", "zip", *COMPRESSED}:  # which want to go back and forth
                yield from _member(inner, inside, allowance, depth)
            else:
                yield from _plain(inner, inside, kind_of(inner))
    else:
        yield from _plain(name, file, kind)


def _member(name: str, inside: Unpacked, allowance: Allowance, depth: int) -> Iterator[Piece]:
    if kind_of(name) is None:
        yield Piece(name, "fault", b"not a game record by its name")
    else:
        yield from _open(name, io.BytesIO(inside.read()), allowance, depth + 1)


def _plain(name: str, file: Readable, kind: str | None) -> Iterator[Piece]:
    if kind == "teacher":
        yield Piece(name, "teacher", file.read())
        return
    if kind == "games.data":
        yield Piece(name, "games.data", _mapped(file))
        return
    head = file.read(_PIECE)
    if kind != "lines" and not _one_game_per_line(head):
        yield Piece(name, "trees", head + file.read())
        return
    yield from _lines(name, file, head)


def _lines(name: str, file: Readable, head: bytes) -> Iterator[Piece]:
    """Whole lines at a time."""
    begun = b""
    while head:
        whole, newline, rest = head.rpartition(b"\n")
        if newline:
            yield Piece(name, "lines", begun + whole + newline)
            begun = rest
        else:
            begun += rest
        if len(begun) > _LONGEST_LINE:
            raise UnpackError(f"a line of more than {_LONGEST_LINE >> 20} MB; one game a line is expected")
        head = file.read(_PIECE)
    if begun:
        yield Piece(name, "lines", begun)


def _mapped(file: Readable) -> bytes | mmap.mmap:
    """A large text file without reading it, where the system can."""
    if isinstance(file, io.BufferedReader) and isinstance(file.raw, io.FileIO) and os.fstat(file.fileno()).st_size:
        file.seek(0, os.SEEK_END)  # as if it had been read, for the account of bytes
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return file.read()


def _one_game_per_line(head: bytes) -> bool:
    """Whether text of unknown kind is a list of games: its first two lines are each a whole game."""
    lines = head.split(b"\n", 2)[:2]
    return len(lines) == 2 and all(line.startswith(b"(;") and line.rstrip().endswith(b")") for line in lines)
