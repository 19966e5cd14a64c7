"""Being told to end (SIGTERM) as Ctrl-C: the same way out, on which nothing is lost and no engine stays behind."""

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ended_as_interrupt() -> Iterator[None]:
    """Meanwhile SIGTERM raises `KeyboardInterrupt`; outside the main thread, which alone may say so, as usual."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
