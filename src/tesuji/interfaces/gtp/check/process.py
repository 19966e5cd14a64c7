"""An engine as a client sees it: a process that is sent lines and sends lines back."""

import contextlib
import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Sequence
from types import TracebackType

from tesuji.arena.players.gtp_engine import find_program
from tesuji.base.errors import InputError

_KILL_AFTER = 5.0  # seconds
_HEARING = 1.0  # the same, for the last words of an engine that ended


class EngineError(InputError):
    """The engine did not behave; the text says how."""


class EngineProcess:
    """Starts an engine and reads its output line by line; every wait has an end."""

    def __init__(self, command: str | Sequence[str]) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise InputError("no engine command given")
        try:
            self._process = subprocess.Popen(
                find_program(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
            )
        except FileNotFoundError:
            raise
        except OSError as fault:
            raise InputError(f"cannot start '{words[0]}': {fault.strerror or fault}") from None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._complaints: list[bytes] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._threads = [threading.Thread(target=self._read, daemon=True), self._listener]
        for thread in self._threads:
            thread.start()

    def send(self, text: str | bytes) -> None:
        """Sends as it is; the caller ends lines."""
        data = text if isinstance(text, bytes) else text.encode()
        assert self._process.stdin is not None
        try:
            view = memoryview(data)
            while view:
                view = view[self._process.stdin.write(view) or 0 :]
        except (BrokenPipeError, ValueError):
            raise EngineError(f"the engine is gone{self._last_words()}") from None

    def line(self, seconds: float) -> str:
        """The next line of output without its end."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise EngineError(f"no answer within {seconds:.3g} s") from None
        if line is None:
            self._lines.put(None)
            raise EngineError(f"the engine ended{self._last_words()}")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def answer(self, seconds: float) -> str:
        """One whole answer: the lines up to the empty one that ends it."""
        deadline = time.monotonic() + seconds
        first = self.line(seconds)
        if not first.startswith(("=", "?")):
            raise EngineError(f"expected an answer, got the line {first[:60]!r}")
        return "\n".join([first, *self.rest(deadline - time.monotonic())])

    def rest(self, seconds: float) -> list[str]:
        """The lines up to the empty one."""
        deadline = time.monotonic() + seconds
        lines = []
        while line := self.line(deadline - time.monotonic()):
            lines.append(line)
        return lines

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing more comes within this time."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return True
        self._lines.put(line)
        return line is None

    def end_input(self) -> None:
        """Closes the engine's standard input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def signal(self, number: int) -> None:
        """Sends a signal."""
        self._process.send_signal(number)

    def exit_code(self, seconds: float) -> int:
        """How the engine ended, waiting for it."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise EngineError(f"still running {seconds:.3g} s after the end") from None

    @property
    def complaints(self) -> str:
        """What the engine wrote on standard error."""
        return b"".join(self._complaints).decode("utf-8", "replace")

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_input()
        try:
            self._process.wait(_KILL_AFTER if kind is None else 0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError), os.fdopen(os.dup(self._process.stdout.fileno()), "rb") as output:
            for line in output:
                self._lines.put(line)
        self._lines.put(None)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._complaints = [*self._complaints[-200:], line]

    def _last_words(self) -> str:
        """What the engine complained of before it went; they come by a stream of their own, perhaps a moment later."""
        self._listener.join(_HEARING)
        last = [line for line in self.complaints.splitlines() if line.strip()]
        return f": {last[-1].strip()[:200]}" if last else ""
