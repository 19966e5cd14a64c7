"""Thinking beside the conversation: a search in its own thread, and what it has found so far."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from tesuji.search.result import SearchResult

T = TypeVar("T")
Tell = Callable[["SearchResult"], None]


class Thought(Generic[T]):
    """One piece of work in a thread.

    `work` gets an event that asks it to end and a function that takes interim results; `wake` is called whenever there
    is news.
    """

    def __init__(self, work: Callable[[threading.Event, Tell], T], wake: Callable[[], None]) -> None:
        self._stop = threading.Event()
        self._wake = wake
        self._fresh: SearchResult | None = None
        self._conclusion: list[T] = []
        self._fault: BaseException | None = None
        self.is_done = False
        # A daemon: a runtime that hangs in a device must not keep a leaving engine alive.
        self._thread = threading.Thread(target=self._run, args=(work,), name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Asks the work to end; it does so after the batch under way."""
        self._stop.set()

    def wait(self) -> None:
        """Waits for the end, whatever it was."""
        self._thread.join()

    @property
    def has_news(self) -> bool:
        """Whether an interim result waits to be taken."""
        return self._fresh is not None

    def news(self) -> "SearchResult | None":
        """The latest interim result, once."""
        fresh, self._fresh = self._fresh, None
        return fresh

    def conclusion(self) -> T:
        """What the work returned, waiting for it; raises what it raised."""
        self.wait()
        if self._fault is not None:
            raise self._fault
        return self._conclusion[0]

    def _run(self, work: Callable[[threading.Event, Tell], T]) -> None:
        try:
            self._conclusion.append(work(self._stop, self._tell))
        except BaseException as fault:  # raised again where the conclusion is asked for
            self._fault = fault
        self.is_done = True
        self._wake()

    def _tell(self, result: "SearchResult") -> None:
        self._fresh = result
        self._wake()
