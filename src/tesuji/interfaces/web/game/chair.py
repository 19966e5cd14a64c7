"""A session as one of several people sees it: its owner, somebody who plays the other colour, somebody who watches."""

from collections.abc import Callable
from typing import Any, Literal

from tesuji.interfaces.web.game.session import Session

Role = Literal["owner", "player", "watcher"]

LOOKING = frozenset(
    ("hinted_area", "playing_so_far", "problems", "refutation", "say", "settled_count", "status", "wanted")
)
"""Methods of a session that only look."""
CHANGING = frozenset(name for name in dir(Session) if name[0] != "_" and callable(getattr(Session, name))) - LOOKING
"""All others: what somebody adds to the session is the owner's until it is named above."""
_WALKING = frozenset(("walk", "jump", "switch", "visit", "next_mistake"))
_COUNTING = frozenset(("accept", "resume"))


class Chair:
    """Passes everything on to the session but what this person may not do, which is told to this person alone."""

    def __init__(self, session: Session, role: Role) -> None:
        self._session = session
        self.role = role
        self.tell: Callable[[str], None] = session.say

    def __getattr__(self, name: str) -> Any:
        if name not in CHANGING:
            return getattr(self._session, name)
        return lambda *given, **named: self._do(name, *given, **named)

    def _do(self, name: str, *given: Any, **named: Any) -> Any:
        session = self._session
        if not self._may(name):
            return self.tell(session.words("share.not_your_turn" if self.role != "watcher" else "share.only_watching"))
        if name == "resign" and session.lent is not None:
            named["color"] = session.lent if self.role == "player" else session.lent.opponent
        return getattr(session, name)(*given, **named)

    def _may(self, name: str) -> bool:
        session = self._session
        if self.role == "watcher":
            return False
        if name in {"touch", "play"} and session.mode == "play" and session.lent is not None:
            return (session.record.game.to_play == session.lent) == (self.role == "player")
        if self.role == "owner":
            return True
        if name in {"touch", "play", "resign"}:
            return session.lent is not None and session.mode != "review"
        return name in _COUNTING or (name in _WALKING and session.mode == "review")
