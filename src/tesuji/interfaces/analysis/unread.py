"""Answers that a client of the websocket does not read: how many wait for it, and for how long."""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

MOST_UNREAD = 64 * 1024 * 1024  # characters; a client of today reads faster than positions are searched
PATIENCE = 60.0  # seconds in which some of what was sent is taken


class Outbox:
    """Lines on their way to one client, put from any thread. Once too many wait, all are thrown away: it is flooded."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._waiting = 0  # characters
        self.is_flooded = False

    def put(self, line: str) -> None:
        """A line to send."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._add, line)

    def close(self) -> None:
        """Nothing comes any more."""
        self._lines.put_nowait(None)

    async def next(self) -> str | None:
        """The next line; None at the end, which is where it was flooded, too."""
        line = await self._lines.get()
        self._waiting -= len(line or "")
        return line

    def _add(self, line: str) -> None:
        if self.is_flooded:
            return
        self._waiting += len(line)
        if self._waiting <= MOST_UNREAD:
            self._lines.put_nowait(line)
            return
        self.is_flooded = True
        while not self._lines.empty():
            self._lines.get_nowait()
        self.close()


class Impatient(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
    """Lets a client go that takes nothing of what waits for it; a connection closed in order would wait for it, too."""

    _hurry: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The network takes no more: the clock begins."""
        super().pause_writing()
        self._hurry = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads."""
        self._be_calm()
        super().resume_writing()

    def connection_lost(self, exc: Any) -> None:
        """No clock runs on."""
        self._be_calm()
        super().connection_lost(exc)

    def _be_calm(self) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None
