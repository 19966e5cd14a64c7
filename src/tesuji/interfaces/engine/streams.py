"""The streams of a protocol on standard input and output, and the end of a process that searches."""

import os
import sys
import threading
from types import FrameType
from typing import BinaryIO, NoReturn


def only_for_answers() -> BinaryIO:
    """Standard output for the protocol alone: whatever else prints, in Python or below, goes to standard error."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stream


def end(code: int) -> NoReturn:
    """Ends the process without waiting for a search under way.

    A thread inside the core or the network's runtime while Python shuts down would abort the process instead.
    """
    sys.stderr.flush()
    if threading.active_count() > 1:
        os._exit(code)
    sys.exit(code)


def leave(number: int, frame: FrameType | None) -> None:
    """For signals: the code that shells expect."""
    raise SystemExit(128 + number)
