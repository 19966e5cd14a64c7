"""Thinking beside a conversation: work in a thread, what it has found so far, and a way to end it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from tesuji.search.result import SearchResult

T = TypeVar("T")
Tell = Callable[["SearchResult"], None]
Work = Callable[[threading.Event, Tell], T]
"""Gets an event that asks it to end and a function that takes interim results."""


class Thought(Generic[T]):
    """One piece of work: in a thread of its own, or in one of `threads` that many conversations share.

    `wake` is called whenever there is news, from the thread that works.
    """

    def __init__(
        self,
        work: Work[T],
        wake: Callable[[], None] = lambda: None,
        *,
        stop: threading.Event | None = None,
        threads: Executor | None = None,
    ) -> None:
        self._stop = stop or threading.Event()
        self._wake = wake
        self._fresh: SearchResult | None = None
        self.future: Future[T] = (threads.submit if threads else _alone)(work, self._stop, self._tell)
        """What the work returns or raises; `asyncio.wrap_future` makes it awaitable."""
        self.future.add_done_callback(lambda _: wake())

    def stop(self) -> None:
        """Asks the work to end; it does so after the batch under way."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Waits for the end, whatever it was, or for so long."""
        wait([self.future], seconds)

    @property
    def is_done(self) -> bool:
        """Whether it has come to an end, whatever it was."""
        return self.future.done()

    @property
    def has_news(self) -> bool:
        """Whether an interim result waits to be taken."""
        return self._fresh is not None

    def news(self) -> SearchResult | None:
        """The latest interim result, once."""
        fresh, self._fresh = self._fresh, None
        return fresh

    def conclusion(self) -> T:
        """What the work returned, waiting for it; raises what it raised."""
        return self.future.result()

    def _tell(self, result: SearchResult) -> None:
        self._fresh = result
        self._wake()


def _alone(work: Work[T], stop: threading.Event, tell: Tell) -> Future[T]:
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work(stop, tell))
        except BaseException as fault:  # raised again where the conclusion is asked for
            future.set_exception(fault)

    # A daemon: a runtime that hangs in a device must not keep a leaving engine alive.
    threading.Thread(target=run, name="search", daemon=True).start()
    return future
