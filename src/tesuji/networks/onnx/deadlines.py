"""Ends runs of onnxruntime that take too long: a stranger's graph may be light on the trial board, heavy in a game."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tesuji.networks.onnx.runtime import ort

_PAUSE = 1.0  # seconds between two looks at what is running


class Deadlines:
    """Tells runs to end when their time is over; the runtime obeys between two of a graph's operations.

    A run's time is its share of what this process reckoned, and never more than the clock says: an honest network
    is not to blame for a busy machine, for other threads here, or for a process that was held.
    One thread watches all runs and ends once it finds none: a timer for each would cost more than small networks do.
    """

    def __init__(self) -> None:
        self._left: dict[Any, float] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    @contextmanager
    def within(self, seconds: float) -> Iterator[Any]:
        """Options for a run that may take so long."""
        options = ort.RunOptions()
        with self._lock:
            self._left[options] = seconds
            if self._watch is None or not self._watch.is_alive():  # the latter in a forked process
                self._watch = threading.Thread(target=self._look, name="deadlines", daemon=True)
                self._watch.start()
        try:
            yield options
        finally:
            with self._lock:
                self._left.pop(options, None)

    def _look(self) -> None:
        clock, reckoned = time.monotonic(), time.process_time()
        while True:
            time.sleep(_PAUSE)
            with self._lock:
                if not self._left:
                    self._watch = None
                    return
                clock, elapsed = time.monotonic(), time.monotonic() - clock
                reckoned, spent = time.process_time(), time.process_time() - reckoned
                for options in self._left:
                    self._left[options] -= min(elapsed, spent / len(self._left))
                    if self._left[options] <= 0:
                        options.terminate = True
