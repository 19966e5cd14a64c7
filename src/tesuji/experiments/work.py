"""An experiment under way: its folder, the steps already done, and what is told on the way."""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically

IDENTITY = "experiment.json"
_EVERY = 30.0  # seconds between two words from inside a step


@dataclass(frozen=True)
class Told:
    """Where the work stands."""

    done: int
    total: int
    doing: str
    seconds_left: float | None
    """Of all steps, by what was done in this sitting; None before there is anything to go by."""
    share: float = 0.0
    """How much of this step is done, from 0 to 1."""


@dataclass
class Work:
    """Runs steps once: what a step found is on the disk before the next begins; a kill loses one step at most."""

    folder: Path
    settings: Mapping[str, Any]
    data: tuple[str, ...] = ()
    networks: Mapping[str, str] = field(default_factory=dict)
    """Model files that take the place of networks to be trained, by row."""
    size: int | None = None
    trained: Path | None = None
    """Where trainings are kept for other experiments too; None keeps them within this one."""
    tell: Callable[[Told], None] = lambda told: None
    total: int = 0
    """Steps of the whole experiment; the kind says it before the first."""
    done: int = 0
    _spent: float = 0.0
    _fresh: int = 0
    _doing: str = ""
    _started: float = 0.0
    _told: float = 0.0
    _before: float | None = None
    """The share of the step at hand that earlier sittings did; None before it is known."""

    def begin(self, identity: Mapping[str, Any]) -> None:
        """Claims the folder; refuses one that holds work of another experiment, or files of others."""
        path = self.folder / IDENTITY
        told = json.loads(json.dumps(identity))
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"'{self.folder}' is a file; choose a folder for --out")
        if path.exists():
            found = _read(path)
            if found != told and self._has_work():
                known = isinstance(found, dict) and "recipe" in found
                other = f"{found['recipe']} at budget {found.get('budget')}" if known else "another experiment"
                raise InputError(f"'{self.folder}' holds {other} with other settings; choose another --out")
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise InputError(f"'{self.folder}' holds other files; choose an empty or new --out")
        (self.folder / "steps").mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(told, indent=1) + "\n")

    def _has_work(self) -> bool:
        """Whether anything was done here that other settings would spoil."""
        others = {child.name for child in self.folder.iterdir()} - {IDENTITY, "steps"}
        return bool(others) or any((self.folder / "steps").glob("*.json"))

    def step(self, name: str, make: Callable[[], Any]) -> Any:
        """What the step of this name found: read where it was done before, else done now and kept."""
        path = self.folder / "steps" / f"{slug(name)}.json"
        if path.exists():
            found = _read(path)
            if found is not None:
                self.done += 1
                return found
            path.unlink()  # damaged by something else than us, who write files whole
        self._doing, self._before = name, None
        self._started = self._told = time.monotonic()
        self.say(name, self._left(self._spent / self._fresh, 1.0) if self._fresh else None)
        found = make()
        self._spent += time.monotonic() - self._started
        self._fresh += 1
        self.done += 1
        write_atomically(path, json.dumps(found) + "\n")
        return found

    def moved(self, share: float) -> None:
        """The step at hand is done to this share, from 0 to 1: told now and then, called as often as one likes."""
        now = time.monotonic()
        if self._before is None:
            self._before = share
        fresh = share - self._before
        if now - self._told < _EVERY or fresh <= 0:
            return
        self._told = now
        whole = (now - self._started) / fresh
        usual = (self._spent + whole) / (self._fresh + 1)
        self.say(self._doing, whole * (1 - share) + self._left(usual, 0.0), share)

    def say(self, doing: str, seconds_left: float | None = None, share: float = 0.0) -> None:
        """Tells whoever watches."""
        self.tell(Told(self.done, max(self.total, self.done + 1), doing, seconds_left, share))

    def _left(self, usual: float, of_this: float) -> float:
        """Seconds of the steps to come, each taking the usual time, with this share of the one at hand."""
        return usual * (max(0, self.total - self.done - 1) + of_this)


def _read(path: Path) -> Any:
    """What a file of ours holds, which is never null; None where it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None


def slug(text: str) -> str:
    """A file name for a label."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "_", text).strip("_.")[:100] or "step"
