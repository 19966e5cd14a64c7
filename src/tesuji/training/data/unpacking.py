"""Archives of strangers, unpacked within bounds: what a file claims of its contents is not believed.

A few kilobytes may unpack to petabytes, a header may ask for a dictionary of gigabytes. Everything unpacked from one
file on the disk draws on one allowance, and nothing large is read at once.
"""

import bz2
import gzip
import io
import lzma
import zipfile
from typing import Any, BinaryIO

from tesuji.base.zip_entries import open_entry

ALLOWANCE, RATIO = 256 << 20, 200  # bytes a file may always unpack to, and how often its own length on top
MOST_AT_ONCE = 256 << 20  # bytes of one record file, which is read whole
MOST_NESTED = 4  # archives within archives
_XZ_MEMORY = 256 << 20  # bytes of dictionary; `xz -9` needs 65 MB
_CHUNK = 1 << 16
_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz", b"BZh": ".bz2"}


class UnpackError(Exception):
    """An archive that unpacks to more than any collection of games."""


class Allowance:
    """How much may still be unpacked from one file on the disk."""

    def __init__(self, length: int) -> None:
        self._left = ALLOWANCE + RATIO * length

    def take(self, count: int) -> None:
        """Counts bytes; raises `UnpackError` when they are too many."""
        self._left -= count
        if self._left < 0:
            raise UnpackError(f"unpacks to more than {RATIO} times its length; no collection of games does")


class Unpacked:
    """Unpacked bytes, read from front to back, counted. Enough of a file for `tarfile` and for our readers."""

    def __init__(self, source: Any, allowance: Allowance, borrowed: bool = False) -> None:
        self._source = source
        self._borrowed = borrowed
        self._allowance = allowance
        self._at = 0

    def __enter__(self) -> "Unpacked":
        return self

    def __exit__(self, *_: object) -> None:
        if not self._borrowed:
            self._source.close()

    def read(self, count: int = -1) -> bytes:
        """The next `count` bytes, or all that are left; raises `UnpackError` where that is too much at once."""
        wanted = count if 0 <= count <= MOST_AT_ONCE else MOST_AT_ONCE + 1
        pieces: list[bytes] = []
        while wanted and (piece := self._source.read(min(wanted, _CHUNK))):
            self._allowance.take(len(piece))
            pieces.append(piece)
            self._at += len(piece)
            wanted -= len(piece)
        if not wanted and not 0 <= count <= MOST_AT_ONCE:
            raise UnpackError(f"holds more than {MOST_AT_ONCE >> 20} MB in one record; no game is so long")
        return b"".join(pieces)

    def tell(self) -> int:
        """Bytes read so far."""
        return self._at

    def seek(self, where: int, whence: int = io.SEEK_SET) -> int:
        """Goes forward to a place; what lies between is unpacked, so it counts."""
        if whence != io.SEEK_SET or where < self._at:
            raise OSError("an archive whose parts lie in no order")
        while self._at < where and self.read(min(where - self._at, _CHUNK)):
            pass
        return self._at


class XzStream:
    """An xz file, or several one after the other, unpacked with bounded memory, which `lzma.open` does not offer."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)

    def close(self) -> None:
        """The file below belongs to whoever opened it."""

    def read(self, count: int) -> bytes:
        """At most `count` of the next bytes, none at the end."""
        while True:
            packed = b""
            if self._decoder.eof:
                packed = (self._decoder.unused_data or self._file.read(_CHUNK)).lstrip(b"\0")
                if not packed:
                    return b""
                self._decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
            elif self._decoder.needs_input:
                packed = self._file.read(_CHUNK)
                if not packed:
                    raise EOFError("the file ends before its last part does")
            data = self._decoder.decompress(packed, count)
            if data:
                return data


_OPENED = {".gz": gzip.open, ".xz": XzStream, ".bz2": bz2.open}
COMPRESSED = tuple(_OPENED)


def unpacked(file: BinaryIO, kind: str, allowance: Allowance) -> Unpacked:
    """The bytes inside a compressed file of this kind, an ending of `COMPRESSED`."""
    return Unpacked(_OPENED[kind](file), allowance)  # type: ignore[operator]


def opened_tar(file: BinaryIO, allowance: Allowance) -> Unpacked:
    """The bytes of a tar file, compressed in whatever way or not at all."""
    head = file.read(6)
    file.seek(0)
    kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
    return unpacked(file, kind, allowance) if kind else Unpacked(file, allowance, borrowed=True)


def opened_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, allowance: Allowance) -> Unpacked:
    """The bytes of one file in a zip archive."""
    return Unpacked(open_entry(archive, entry), allowance)
