"""Words and numbers of a network file, read piece by piece from a plain or gzip-compressed file.

What a file claims of itself is not believed: words, arrays and the whole are bounded, so that a small file that
unpacks to terabytes ends in one line.
"""

import gzip
import re
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError

Floats = NDArray[np.float32]

CHUNK = 1 << 20
MARK = b"@BIN@"  # before every binary array of a KataGo file
NEAR = 100  # bytes within which the mark must come
WORD = 200  # characters; the longest real names have 96
LARGEST = 1 << 27  # numbers in one array
_BLANKS, _WORD = re.compile(rb"\s*"), re.compile(rb"\S{1,%d}" % (WORD + 1))
ALLOWANCE, RATIO = 64 << 20, 20  # bytes a file may always unpack to, and how often its own length on top


class Stream:
    """A network file being read from front to back. Every problem is a `ValueError` of one line."""

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        if not path.is_file():
            raise FileNotFoundError(f"no network file '{path}'")
        self._budget = ALLOWANCE + RATIO * path.stat().st_size
        self._source: IO[bytes] = path.open("rb")
        packed = self._source.read(2) == b"\x1f\x8b"
        self._source.seek(0)
        self._file: Any = gzip.GzipFile(fileobj=self._source) if packed else self._source
        self._buffer = b""
        self._at = 0

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()

    def fail(self, problem: str) -> InputError:
        """The error to raise."""
        return InputError(f"{self.where}: {problem}")

    def word(self, what: str) -> str:
        """The next word."""
        while True:
            self._at = _BLANKS.match(self._buffer, self._at).end()  # type: ignore[union-attr]
            found = _WORD.match(self._buffer, self._at)
            if (found and found.end() < len(self._buffer)) or not self._more():
                break
        found = _WORD.match(self._buffer, self._at)
        if found is None:
            raise self.fail(f"ends where {what} should stand; fetch it again")
        if len(found[0]) > WORD:
            raise self.fail(f"no network file: {what} is longer than {WORD} characters")
        self._at = found.end()
        try:
            return found[0].decode("ascii")
        except UnicodeDecodeError:
            raise self.fail(f"no network file: {what} is not readable text") from None

    def integer(self, what: str, low: int, high: int) -> int:
        """The next word as a whole number within bounds."""
        text = self.word(what)
        try:
            value = int(text)
        except ValueError:
            raise self.fail(f"{what} should be a whole number, not '{text[:40]}'") from None
        if not low <= value <= high:
            raise self.fail(f"{what} is {value}, expected {low} to {high}")
        return value

    def real(self, what: str) -> float:
        """The next word as a number."""
        text = self.word(what)
        try:
            value = float(text)
        except ValueError:
            raise self.fail(f"{what} should be a number, not '{text[:40]}'") from None
        if not np.isfinite(value):
            raise self.fail(f"{what} is {text}; the file is damaged")
        return value

    def floats(self, what: str, *shape: int) -> Floats:
        """The next array: binary where the mark announces it, words otherwise."""
        count = int(np.prod(shape, dtype=np.int64))
        if count > LARGEST:
            raise self.fail(f"{what} claims {count} numbers, more than any network has")
        while len(self._buffer) - self._at < NEAR + len(MARK) and self._more():
            pass
        mark = self._buffer.find(MARK, self._at, self._at + NEAR + len(MARK))
        if mark < 0:
            array = self._written(what, count)
        else:
            self._at = mark + len(MARK)
            array = np.frombuffer(self._take(what, 4 * count), "<f4").astype(np.float32, copy=False)
        if not np.isfinite(array).all():
            raise self.fail(f"{what} holds NaN or infinity; the file is damaged")
        return array.reshape(shape)

    def line(self, what: str) -> Floats | None:
        """The numbers of the next line; None at the end of the file."""
        pieces: list[Floats] = []
        begun, read, ended = b"", 0, False
        while not ended:
            end = self._buffer.find(b"\n", self._at)
            stop = len(self._buffer) if end < 0 else end
            text = begun + self._buffer[self._at : stop]
            read += stop - self._at
            if read > LARGEST:
                raise self.fail(f"{what} is longer than any network's")
            self._at = stop if end < 0 else stop + 1
            ended = end >= 0 or not self._more()
            whole = len(text) if ended else max(text.rfind(blank) for blank in (b" ", b"\t", b"\r")) + 1
            begun = text[whole:]
            if len(begun) > WORD:
                raise self.fail(f"{what} holds something that is no number; the file is damaged")
            # Piece by piece: as words a whole line would take forty times its length, and far more of unequal ones.
            pieces.append(self._numbers(what, text[:whole].split()))
        numbers = np.concatenate(pieces)
        return None if not numbers.size and self._at >= len(self._buffer) and not self._more() else numbers

    def end(self) -> None:
        """Nothing but blanks may follow."""
        while True:
            if self._buffer[self._at :].strip():
                raise self.fail("goes on where the network should end; it is damaged or of a later kind")
            if not self._more():
                return

    def _written(self, what: str, count: int) -> Floats:
        pieces: list[Floats] = []
        missing = count
        while missing:
            rest = self._buffer[self._at :]
            cut = len(rest) - len(rest.rsplit(None, 1)[-1]) if rest.strip() and not rest[-1:].isspace() else len(rest)
            words = rest[:cut].split(None, missing)
            if len(words) > missing:
                cut = rest[:cut].rindex(words.pop())
            if words:
                pieces.append(self._numbers(what, words))
                missing -= len(words)
            self._at += cut
            if missing and not self._more():
                if not rest[cut:].strip():
                    raise self.fail(f"ends within {what}; fetch it again")
                self._buffer += b"\n"
        return np.concatenate(pieces) if pieces else np.empty(0, np.float32)

    def _numbers(self, what: str, words: list[bytes]) -> Floats:
        try:
            if any(len(word) > WORD for word in words):
                raise ValueError  # also: numpy gives every word the room of the longest
            with np.errstate(over="ignore"):  # told below
                array = np.array(words, np.bytes_).astype(np.float32) if words else np.empty(0, np.float32)
        except ValueError:
            raise self.fail(f"{what} holds something that is no number; the file is damaged") from None
        if not np.isfinite(array).all():
            raise self.fail(f"{what} holds NaN or infinity; the file is damaged")
        return array

    def _take(self, what: str, count: int) -> bytes:
        parts = [self._buffer[self._at : self._at + count]]
        self._at += len(parts[0])
        missing = count - len(parts[0])
        while missing:
            if not self._more():
                raise self.fail(f"ends within {what}; fetch it again")
            parts.append(self._buffer[self._at : self._at + missing])
            self._at += len(parts[-1])
            missing -= len(parts[-1])
        return b"".join(parts)

    def _more(self) -> bool:
        """Reads on; whether there was anything."""
        try:
            data = self._file.read(CHUNK)
        except (OSError, EOFError, zlib.error):
            raise self.fail("its compression is damaged or cut short; fetch it again") from None
        self._budget -= len(data)
        if self._budget < 0:
            raise self.fail("unpacks to far more than its length allows; no network does")
        self._buffer, self._at = self._buffer[self._at :] + data, 0
        return bool(data)
