"""A session as one of several people sees it: its owner, somebody who plays the other colour, somebody who watches."""

from collections.abc import Callable
from typing import Any, Literal

from tesuji import Color
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.words.words import Said, Words

Role = Literal["owner", "player", "watcher"]

LOOKING = frozenset(
    ("hinted_area", "may", "playing_so_far", "problems", "refuse", "refutation", "say", "settled_count", "wanted")
)
"""Methods of a session that only look."""
CHANGING = frozenset(name for name in dir(Session) if name[0] != "_" and callable(getattr(Session, name))) - LOOKING
"""All others: what somebody adds to the session is the owner's until it is named above."""
_PLAYING = frozenset(("touch", "play", "resign"))
_WALKING = frozenset(("walk", "jump", "switch", "visit", "next_mistake"))
_COUNTING = frozenset(("accept", "resume"))


class Chair:
    """Passes everything on to the session but what this person may not do, which is told to this person alone."""

    def __init__(self, session: Session, role: Role, words: Words | None = None) -> None:
        self._session = session
        self.role = role
        self._words = words
        self.tell: Callable[[Said], None] = session.say

    def __getattr__(self, name: str) -> Any:
        if name not in CHANGING:
            return getattr(self._session, name)
        return lambda *given, **named: self._do(name, *given, **named)

    @property
    def words(self) -> Words:
        """The language of who sits here; the owner's is that of the session."""
        return self._words or self._session.words

    @property
    def own_color(self) -> Color | None:
        """The colour of who sits here."""
        lent = self._session.lent
        if self.role == "watcher":
            return None
        if lent is None:
            return self._session.own_color if self.role == "owner" else None
        return lent if self.role == "player" else lent.opponent

    @property
    def my_turn(self) -> bool:
        """Whether who sits here may move now."""
        return self._session.my_turn and self._may("play")

    def refuse(self, said: Said) -> None:
        """Why something cannot be done: told to this person alone."""
        self.tell(said)

    def may(self, action: str) -> bool:
        """Whether something is this person's to do at all, be it now or at another time."""
        return self.role == "owner" or (self.role == "player" and action in _PLAYING | _COUNTING)

    @property
    def may_walk(self) -> bool:
        """Whether this person may walk through the game now, which moves the board of all who sit at it."""
        return self._may("walk")

    def _do(self, name: str, *given: Any, **named: Any) -> Any:
        session = self._session
        if not self._may(name):
            key = "share.only_watching" if self.role == "watcher" else "share.not_your_turn"
            return self.tell(lambda words: words(key))
        if name == "resign" and session.lent is not None:
            named["color"] = self.own_color
        session.asking = self.tell
        try:
            return getattr(session, name)(*given, **named)
        finally:
            session.asking = None

    def _may(self, name: str) -> bool:
        session = self._session
        if self.role == "watcher":
            return False
        if name in {"touch", "play"} and session.mode == "play" and session.lent is not None:
            return session.record.game.to_play == self.own_color
        if self.role == "owner":
            return True
        if name in _PLAYING:
            return session.lent is not None and session.mode != "review"
        return name in _COUNTING or (name in _WALKING and session.mode == "review")
