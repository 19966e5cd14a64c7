"""Unfinished games as data and on disk: a JSON file per visitor, complete or not there, the oldest removed first."""

import json
import re
import time
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.look import Look
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.reviewing import Reviewing
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup

MAX_FILES = 500
PRUNE_EVERY = 200

_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Store:
    """A folder of saved sessions. A key never becomes a path unless it is harmless as one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._saves = 0
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise InputError("not the key of a session")
        return self.folder / f"{key}.json"

    def save(self, key: str, state: dict[str, Any]) -> None:
        """Replaces what was saved under this key."""
        write_atomically(self._path(key), json.dumps(state))
        self._saves += 1
        if self._saves % PRUNE_EVERY == 0:
            self.prune()

    def load(self, key: str) -> dict[str, Any] | None:
        """What was saved under this key; None where there is nothing that can be read."""
        try:
            state = json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return state if isinstance(state, dict) else None

    def has(self, key: str) -> bool:
        """Whether anything is saved under this key."""
        return self._path(key).is_file()

    def remove(self, key: str) -> None:
        """Forgets a session."""
        self._path(key).unlink(missing_ok=True)

    def prune(self) -> None:
        """Keeps the newest sessions, so that a long life of the server does not fill the disk."""
        files = sorted(self.folder.glob("*.json"), key=_changed)
        for file in files[: max(0, len(files) - MAX_FILES)]:
            file.unlink(missing_ok=True)
        for draft in self.folder.glob(".*.json.*"):  # left by a server that was killed while writing
            if _changed(draft) < time.time() - 60:
                draft.unlink(missing_ok=True)


def _changed(file: Path) -> float:
    """When it was written; 0 where another server has just removed it."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def state_of(session: Session) -> dict[str, Any]:
    """All that must survive a restart."""
    record = session.record
    numbers = {node: number for number, node in enumerate(record.root.walk())}
    return {
        "version": 2,
        "setup": session.setup.as_dict(),
        "sgf": record.to_sgf().decode("utf-8"),
        "path": record.path(),
        "name": session.game_name,
        "tip": numbers.get(session.tip, 0),
        "branch": numbers.get(session.branch) if session.branch is not None else None,
        "mode": session.mode,
        "played": session.played,
        "review": session.reviewed.as_dict(numbers),
        "look": vars(session.look),
        "clocks": session.clocks.as_list(),
        "findings": {
            str(numbers[node]): finding.as_dict() for node, finding in session.findings.items() if node in numbers
        },
    }


def session_from(state: dict[str, Any]) -> Session:
    """The session as it was saved. Raises `ValueError` where the state makes no sense."""
    try:
        session = Session(Setup.from_dict(state["setup"]))
        record = Record.from_sgf(state["sgf"].encode("utf-8"))
        record.follow(state["path"])
        if state["mode"] not in {"play", "scoring", "review"}:
            raise InputError(f"no mode {state['mode']!r}")
        session.adopt(session.setup, record, state["mode"])
        session.played = bool(state.get("played", session.played))
        session.look = Look(**state["look"])
        session.clocks.restore(state.get("clocks", []))
        nodes = list(record.root.walk())
        known = {int(number): Finding.from_dict(data) for number, data in state["findings"].items()}
        session.findings = {nodes[number]: finding for number, finding in known.items()}
        session.game_name = str(state.get("name", session.game_name))
        if "tip" in state:
            session.tip = nodes[state["tip"]]
            session.branch = None if state["branch"] is None else nodes[state["branch"]]
        if "review" in state:
            session.reviewed = Reviewing.from_dict(state["review"], nodes)
            if state["review"]["running"] and session.mode == "review":
                session.review()
    except (KeyError, TypeError, AttributeError, IndexError) as fault:
        raise InputError(f"the saved game cannot be read: {fault!r}") from fault
    if session.mode == "scoring":
        session.start_counting()
    return session
