"""Ctrl-C as a wish to stop: the step at hand is finished and saved first."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """While entered, the first SIGINT or SIGTERM only sets `asked`; a second Ctrl-C stops at once as usual."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupts":
        # Only the main thread may set handlers; elsewhere the caller decides what an interrupt means.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.asked = True
