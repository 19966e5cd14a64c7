"""A conversation in the analysis protocol within this process: lines in, answers collected."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.conversation import Conversation

QUERY: dict[str, Any] = {"rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9, "moves": [], "maxVisits": 8}


class Talk:
    """One client of an analyst."""

    def __init__(self, analyst: Analyst) -> None:
        self.answers: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self.conversation = Conversation(analyst, self._take)

    def _take(self, line: str) -> None:
        assert "\n" not in line
        with self._changed:
            self.answers.append(json.loads(line))
            self._changed.notify_all()

    def send(self, **query: Any) -> None:
        self.conversation.receive(json.dumps(query))

    def ask(self, **query: Any) -> list[dict[str, Any]]:
        """Sends a query (on top of a usual one), waits for all that is open, and returns what came."""
        before = len(self.answers)
        self.send(**{"id": "q", **QUERY, **query})
        self.conversation.wait()
        return self.answers[before:]

    def until(self, truth: Callable[[], bool], seconds: float = 30.0) -> None:
        deadline = time.monotonic() + seconds
        with self._changed:
            while not truth():
                assert time.monotonic() < deadline, self.answers[-3:]
                self._changed.wait(0.2)
