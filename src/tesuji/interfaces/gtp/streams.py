"""The two streams of the protocol: a thread that reads lines, and the only place that writes answers.

Reading goes on while a command runs, because a client stops an analysis by sending the next line, and a thinking
engine by `stop`, by GoGui's `# interrupt` or by going away.
"""

import contextlib
import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import BinaryIO

from tesuji.interfaces.gtp.protocol import LINE_LIMIT, parse

_INTERRUPT = "# interrupt"
_CHUNK = 64 * 1024
_MOST_WAITING = 100_000  # lines read ahead; then the client has to wait


class Lines:
    """Lines as they arrive from a file descriptor, read ahead by a thread of their own."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: deque[str] = deque()
        self._stops = self._quits = 0  # among the waiting lines
        self._ended = False
        self._changed = threading.Condition()
        # A daemon: blocked in `read`, it could not be joined. It uses no buffered file, whose lock would
        # trouble the interpreter's exit.
        self._thread = threading.Thread(target=self._read, name="gtp-input", daemon=True)

    def start(self) -> "Lines":
        """Begins to read."""
        self._thread.start()
        return self

    def next(self) -> str | None:
        """The next line, waiting for it; None at the end of input."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended)
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._stops -= asks_to_stop(line)
            self._quits -= parse(line).name == "quit"
            if len(self._waiting) == _MOST_WAITING - 1:
                self._changed.notify_all()
            return line

    @property
    def has_waiting(self) -> bool:
        """Whether anything came after the line that is being answered, the end of input included."""
        return bool(self._waiting) or self._ended

    @property
    def asks_to_stop(self) -> bool:
        """Whether the client asked the running command to come to an end."""
        return self._stops > 0

    @property
    def asks_to_leave(self) -> bool:
        """Whether the client will ask nothing more: it closed the stream or sent `quit`."""
        return self._ended or self._quits > 0

    def wait(self, condition: Callable[[], bool], seconds: float | None) -> None:
        """Sleeps until `condition`, which is asked again after every line and every `wake`, or for `seconds`."""
        with self._changed:
            self._changed.wait_for(condition, seconds)

    def wake(self) -> None:
        """Makes `wait` ask its condition again; for other threads with news."""
        with self._changed:
            self._changed.notify_all()

    def _read(self) -> None:
        pending = bytearray()
        while chunk := self._chunk():
            *complete, rest = chunk.split(b"\n")
            for part in complete:
                pending += part[: LINE_LIMIT + 1 - len(pending)]
                self._append(bytes(pending))
                pending.clear()
            pending += rest[: max(0, LINE_LIMIT + 1 - len(pending))]
        if pending:  # half a line: asked for all the same
            self._append(bytes(pending))
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _chunk(self) -> bytes:
        with contextlib.suppress(OSError):
            return os.read(self._descriptor, _CHUNK)
        return b""

    def _append(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < _MOST_WAITING)
            self._waiting.append(text)
            self._stops += asks_to_stop(text)
            self._quits += parse(text).name == "quit"
            self._changed.notify_all()


def asks_to_stop(line: str) -> bool:
    """Whether a line is meant for the command that runs: `stop`, or GoGui's comment."""
    return line.lower().startswith(_INTERRUPT) or parse(line).name == "stop"


class Answers:
    """Writes to the client at once, and to a log if there is one."""

    def __init__(self, stream: BinaryIO, log: str | None = None) -> None:
        self._stream = stream
        self._log = open(log, "a", encoding="utf-8") if log else None  # noqa: SIM115 - closed by `close`
        self._is_writing = False
        self._spoke = 0.0

    def write(self, text: str) -> None:
        """Sends `text`; raises `BrokenPipeError` when nobody listens any more."""
        self._is_writing = True
        try:
            self._stream.write(text.encode("utf-8", "replace"))
            self._stream.flush()
        except OSError as fault:
            if fault.errno == errno.EINVAL:  # what Windows says of a pipe whose reader is gone
                raise BrokenPipeError(errno.EPIPE, fault.strerror) from fault
            raise
        finally:
            self._is_writing, self._spoke = False, time.monotonic()
        self.note(text, "<")

    def silence(self, since: float) -> float:
        """Seconds since the last word, counted from a time at the earliest; none while a slow reader takes one."""
        return 0.0 if self._is_writing else time.monotonic() - max(since, self._spoke)

    def note(self, text: str, mark: str) -> None:
        """Writes to the log alone: `>` what came, `<` what went."""
        if self._log:
            stamp = time.strftime("%H:%M:%S")
            self._log.writelines(f"{stamp} {mark} {line}\n" for line in text.splitlines() if line)
            self._log.flush()

    def close(self) -> None:
        """Ends the log."""
        if self._log:
            self._log.close()
