"""Keeps the clocks of a session running while somebody sits at it, and tells when a time is up."""

import asyncio

from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.server.thinker import Thinker


class Timekeeper:
    """Follows a session; the event loop calls when the running clock has run out."""

    def __init__(self, session: Session, thinker: Thinker) -> None:
        self._session = session
        self._thinker = thinker
        self._alarm: asyncio.TimerHandle | None = None
        session.listeners.append(self.look)

    def look(self) -> None:
        """Lets the right clock run."""
        clocks = self._session.clocks
        if not clocks:
            return self._set_alarm(None)
        if self._thinker.watchers > 0:
            clocks.run_for(self._session.on_the_clock, self._session.record.number)
        else:
            clocks.pause()
        return self._set_alarm(clocks.left())

    def _set_alarm(self, seconds: float | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if seconds is not None:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, seconds) + 0.05, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        left = self._session.clocks.left()
        if left is not None and left <= 0:
            self._session.time_is_up()
        else:
            self.look()

    def close(self) -> None:
        """Stops for good."""
        self._session.clocks.pause()
        self._set_alarm(None)
