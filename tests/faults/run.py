"""`python -m tests.faults.run WRITER` with `stop_at.c` preloaded: the writer killed at every operation, and resumed."""

import ctypes
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.faults.writers import WRITERS, Writer

MOST = 2000  # operations; more would be a writer without end


def in_child(work: Callable[[Callable[[int], None]], None]) -> tuple[int, list[int]]:
    """Runs work in a process of its own: how it ended, and which items it said were safe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 3
        try:
            os.close(reading)

            def say(item: int) -> None:
                os.write(writing, bytes([item]))

            work(say)
            code = 0
        except BaseException:  # told on standard error; the parent sees the code
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        safe = list(pipe.read())
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), safe


def killed_at(writer: Writer, library: ctypes.CDLL, operation: int, half: bool) -> bool:
    """One plan: killed at this operation, resumed. Whether the writer was killed at all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        folder.mkdir()

        def doomed(say: Callable[[int], None]) -> None:
            library.stop_at(str(folder).encode(), operation, int(half))
            writer.work(folder, say)

        code, safe = in_child(doomed)
        where = f"killed at operation {operation}{' in half' if half else ''}"
        assert code in {0, -signal.SIGKILL}, f"{where}: ended with {code}"
        held = writer.held(folder)
        assert held == list(range(len(held))), f"{where}: {held} on the disk"
        assert set(safe) <= set(held), f"{where}: said safe {safe}, found {held}"
        again, _ = in_child(lambda say: writer.work(folder, say))
        assert again == 0, f"{where}: does not go on"
        assert writer.held(folder) == list(range(writer.items)), f"{where}: {writer.held(folder)} after going on"
        return code != 0


def main() -> None:
    """All plans of one writer."""
    writer = WRITERS[sys.argv[1]]()
    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    for half in (False, True):
        operation = 1
        while killed_at(writer, library, operation, half):
            operation += 1
            assert operation < MOST
    print(f"{sys.argv[1]}: {2 * (operation - 1)} plans, nothing lost, nothing twice")


if __name__ == "__main__":
    main()
