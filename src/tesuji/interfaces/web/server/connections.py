"""How long a connection may be idle, or take to say what it wants."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECOND_LOOK = 0.1


class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Closes a connection that is idle, or whose next request is not begun whole, for as long as idle ones are kept.

    It looks once more before it does. A process that was held (by Ctrl-Z, with its machine) wakes with its clocks run
    out and calls unread; what is closed with a call unread loses it by `connection reset by peer`.
    """

    _hurry: asyncio.TimerHandle | None = None
    """Runs while the head of a request is awaited: sent a letter at a time it would hold the connection for ever."""

    def connection_made(self, transport: Any) -> None:
        """The clock for the first request begins."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A request that has begun whole has the time it needs; part of one has not."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """No clock runs on."""
        self._be_calm()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        """Closes it, if nothing comes."""
        self.timeout_keep_alive_task = self.loop.call_later(SECOND_LOOK, super().timeout_keep_alive_handler)

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._be_calm()
        elif self._hurry is None:
            self._hurry = self.loop.call_later(self.timeout_keep_alive, self._look_again)

    def _be_calm(self) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def _look_again(self) -> None:
        self._hurry = self.loop.call_later(SECOND_LOOK, self._give_up)

    def _give_up(self) -> None:
        self._hurry = None
        # A websocket has taken the connection over, and has clocks of its own.
        if self.transport.get_protocol() is self and not self.transport.is_closing():
            self.transport.close()
