"""All sessions of the server: found by their key, saved as they change, limited in number."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.archive import Archive
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.store import Store, session_from, state_of
from tesuji.interfaces.web.server.keys import Keys
from tesuji.interfaces.web.server.shares import Shares
from tesuji.interfaces.web.server.thinker import Thinker
from tesuji.interfaces.web.server.timekeeper import Timekeeper
from tesuji.interfaces.web.words.words import WordedError

SAVE_AFTER = 0.3  # seconds that changes are collected before they are written
log = logging.getLogger(__name__)


class LobbyFullError(WordedError):
    """Every place is taken by somebody who is still there."""


class Place:
    """A session with what thinks for it."""

    def __init__(self, key: str, session: Session, thinker: Thinker) -> None:
        self.key = key
        self.session = session
        self.thinker = thinker
        self.timekeeper = Timekeeper(session, thinker)
        self.used = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.kept = False
        """Whether the games played here are kept: those of people are, those of programs are not."""


class Lobby:
    """Sessions by key. Those nobody looks at make room for new ones; they are on disk."""

    def __init__(self, networks: Networks, store: Store, *, limit: int = 32, workers: int = 2) -> None:
        self.networks = networks
        self.store = store
        self.limit = limit
        self._places: dict[str, Place] = {}
        self.keys = Keys(store.folder)
        self.archive = Archive(store.folder / "games", self._in_play)
        self.shares = Shares()
        self.token = ""
        """What the gate asks for, so that links to boards hold it; empty where it asks for nothing."""
        self.reach = ""
        """The address by which other devices come here; empty where none can."""
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="tesuji-search")
        store.prune()

    def new_key(self) -> str:
        """A key nobody can guess."""
        return self.keys.new()

    def __len__(self) -> int:
        return len(self._places)

    def _in_play(self) -> list[tuple[str, str]]:
        """The games on the boards that are open, by visitor and name."""
        return [(key, place.session.game_name) for key, place in self._places.items()]

    def find(self, key: str) -> Place | None:
        """The session of this key, from memory or from disk."""
        place = self._places.get(key)
        if place is None:
            state = self.store.load(key)
            if state is None:
                return None
            try:
                place = self._take(key, session_from(state))
            except LobbyFullError:
                raise
            except ValueError as fault:
                log.warning("a saved game is left alone: %s", fault)
                return None
        place.used = time.monotonic()
        return place

    def enter(self, key: str, setup: Setup | None = None) -> Place:
        """The session of this key, new if there is none. Raises `LobbyFullError`."""
        return self.find(key) or self._take(key, Session(setup))

    def _take(self, key: str, session: Session) -> Place:
        self._make_room()
        place = Place(key, session, Thinker(session, self.networks, self._threads))
        self._places[key] = place
        session.listeners.append(lambda: self._save_soon(place))
        session.leaving.append(lambda: self._save(place))  # a game left at once is kept all the same
        return place

    def _make_room(self) -> None:
        while len(self._places) >= self.limit:
            idle = [place for place in self._places.values() if not place.thinker.in_use]
            if not idle:
                raise LobbyFullError("server.full", limit=self.limit)
            self.leave(min(idle, key=lambda place: place.used))

    def leave(self, place: Place) -> None:
        """Puts a session away; it stays on disk. A defect in one is told, and costs nobody else a place or a game."""
        try:
            place.timekeeper.close()
            if not self.store.has(place.key):  # removed as one of the oldest while somebody still played it
                place.session.unsaved = True
            self._save(place)
        except Exception:
            log.exception("the game of a visitor could not be saved")
        finally:
            place.thinker.close()
            self._places.pop(place.key, None)

    def forget(self, key: str) -> None:
        """Removes a session for good."""
        place = self._places.pop(key, None)
        if place is not None:
            place.thinker.close()
            place.timekeeper.close()
            if place.timer is not None:
                place.timer.cancel()
        self.store.remove(key)

    def _save_soon(self, place: Place) -> None:
        if place.timer is None and place.session.unsaved:
            place.timer = asyncio.get_running_loop().call_later(SAVE_AFTER, self._save, place)

    def save(self, place: Place) -> None:
        """Writes what has changed, now."""
        self._save(place)

    def _save(self, place: Place) -> None:
        if place.timer is not None:
            place.timer.cancel()
            place.timer = None
        if not place.session.unsaved:
            return
        try:
            self.store.save(place.key, state_of(place.session))
            place.session.unsaved = False
            if place.kept and place.session.record.root.children:
                place.session.note_seats()
                self.archive.keep(place.key, place.session.game_name, place.session.record.root)
        except OSError as fault:
            log.warning("the game of a visitor is not saved: %s", fault)

    def close(self) -> None:
        """Saves everything and stops all searches."""
        for place in list(self._places.values()):
            self.leave(place)
        self._threads.shutdown(wait=True, cancel_futures=True)
