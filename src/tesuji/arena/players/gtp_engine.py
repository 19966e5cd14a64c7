"""Any GTP engine as a child process: started, watched, timed, and ended with all it started."""

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

START_SECONDS = 60.0
"""Engines load networks before their first answer."""
_MOST_LINES = 5_000
_LONGEST_LINE = 100_000
_GAMES_FOLDERS = ("/usr/games", "/usr/local/games")


class EngineError(Exception):
    """The engine did something that loses it the game; the text says what."""


class EngineDiedError(EngineError):
    """The process ended by itself, or could not be started."""


class EngineTimeoutError(EngineError):
    """No answer in the time allowed."""


class EngineGarbageError(EngineError):
    """What it printed is no GTP."""


class EngineRefusedError(EngineError):
    """It answered `? message`."""


def find_program(command: Sequence[str]) -> list[str]:
    """The command with its program's full path; Debian keeps `gnugo` in a folder not every PATH names."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), *_GAMES_FOLDERS])
    program = shutil.which(command[0], path=places)
    if program is None:
        raise FileNotFoundError(f"no program '{command[0]}' to start as an engine; is it installed?")
    return [program, *command[1:]]


class GtpEngine:
    """One engine process. Not for several threads at once."""

    def __init__(self, command: str | Sequence[str], *, folder: str | None = None) -> None:
        self.command = find_program(shlex.split(command) if isinstance(command, str) else command)
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MOST_LINES)
        self._complaints: deque[str] = deque(maxlen=5)
        self._known: frozenset[str] | None = None
        self._ended = threading.Event()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts the process, in a group of its own so that what it starts can be ended with it."""
        self.close()
        self._lines = queue.Queue(_MOST_LINES)
        self._complaints.clear()
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                start_new_session=True,
            )
        except OSError as fault:
            raise EngineDiedError(f"cannot start {self.command[0]}: {fault.strerror}") from fault
        self._process = process
        assert process.stdout is not None
        assert process.stderr is not None
        self._ended = threading.Event()
        reader = threading.Thread(target=_read_lines, args=(process.stdout, self._lines, self._ended), daemon=True)
        self._drain = threading.Thread(target=_drain, args=(process.stderr, self._complaints), daemon=True)
        reader.start()
        self._drain.start()

    def send(self, command: str, timeout: float = START_SECONDS) -> str:
        """The engine's answer to one command, without its `=`.

        Raises an `EngineError` that says what went wrong. After a time-out or garbage the process is ended:
        nobody could tell any more which answer belongs to which command.
        """
        process = self._process
        if process is None or process.stdin is None:
            raise EngineDiedError("not started")
        deadline = time.monotonic() + timeout
        try:
            process.stdin.write(command.encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise EngineDiedError(self._last_words(command)) from None
        try:
            return self._answer(command, deadline, timeout)
        except EngineRefusedError:
            raise
        except EngineError:
            self.close()
            raise

    def knows(self, command: str) -> bool:
        """Whether the engine lists this command."""
        if self._known is None:
            self._known = frozenset(self.send("list_commands").split())
        return command in self._known

    def close(self) -> None:
        """Asks the engine to quit, and ends it and its children when it does not."""
        process, self._process = self._process, None
        self._ended.set()
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(None)  # whoever waits for an answer in another thread need not any more
        if process is None:
            return
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if process.stdin is not None and process.poll() is None:
                process.stdin.write(b"quit\n")
                process.stdin.close()
                process.wait(0.5)
        _end_group(process)
        process.wait()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()

    def _answer(self, command: str, deadline: float, timeout: float) -> str:
        first = self._line(command, deadline, timeout)
        while not first.strip():  # some engines end an answer with more than one empty line
            first = self._line(command, deadline, timeout)
        if first[:1] not in {"=", "?"}:
            raise EngineGarbageError(f"'{command}' answered '{first[:60]}', which is no GTP")
        lines = [first[1:].lstrip("0123456789")]
        while (line := self._line(command, deadline, timeout)).strip():
            lines.append(line)
            if len(lines) > _MOST_LINES:
                raise EngineGarbageError(f"'{command}' answered without end")
        text = "\n".join(lines).strip()
        if first[0] == "?":
            raise EngineRefusedError(f"'{command}' refused: {text[:200]}")
        return text

    def _line(self, command: str, deadline: float, timeout: float) -> str:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EngineTimeoutError(f"no answer to '{command}' in {timeout:g} s") from None
        if line is None:
            raise EngineDiedError(self._last_words(command))
        if len(line) >= _LONGEST_LINE or b"\0" in line:
            raise EngineGarbageError(f"'{command}' answered {len(line)} bytes that are no text")
        return line.decode("utf-8", "replace").replace("\t", " ").rstrip("\r\n")

    def _last_words(self, command: str) -> str:
        """Why it died, as far as it said."""
        code: int | None = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = self._process.wait(1.0)
                self._drain.join(1.0)  # its last line may still be on the way
        ended = "closed its output" if code is None else f"exit code {code}" if code >= 0 else f"signal {-code}"
        said = f"; it said: {' / '.join(self._complaints)[:300]}" if self._complaints else ""
        return f"died at '{command}' ({ended}){said}"


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and what it started: its session here, its tree on Windows, which has no sessions."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _read_lines(stream: IO[bytes], lines: "queue.Queue[bytes | None]", ended: threading.Event) -> None:
    """Feeds the queue; a flood blocks here and then the engine, not our memory. None is the end."""
    with contextlib.suppress(ValueError, OSError), stream:
        line: bytes | None = b""
        while line is not None and not ended.is_set():
            line = stream.readline(_LONGEST_LINE) or None
            while not ended.is_set():
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=0.2)
                    break


def _drain(stream: IO[bytes], complaints: "deque[str]") -> None:
    """Reads what the engine prints on stderr, so that it never blocks there; the last lines are kept."""
    with contextlib.suppress(ValueError, OSError), stream:
        while line := stream.readline(_LONGEST_LINE):
            text = line.decode("utf-8", "replace").strip()
            if text:
                complaints.append(text[:200])
