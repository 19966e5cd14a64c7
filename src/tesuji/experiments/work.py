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


@dataclass(frozen=True)
class Told:
    """Where the work stands."""

    done: int
    total: int
    doing: str
    seconds_left: float | None
    """By the steps done in this sitting; None before the first."""


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

    def begin(self, identity: Mapping[str, Any]) -> None:
        """Claims the folder; refuses one that holds another experiment."""
        path = self.folder / IDENTITY
        told = json.loads(json.dumps(identity))
        if path.exists():
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                found = {}
            if found != told:
                other = f"{found.get('recipe', 'another experiment')} at budget {found.get('budget', '?')}"
                raise InputError(f"'{self.folder}' holds {other} with other settings; choose another --out")
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise InputError(f"'{self.folder}' holds other files; choose an empty or new --out")
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "steps").mkdir(exist_ok=True)
        write_atomically(path, json.dumps(told, indent=1) + "\n")

    def step(self, name: str, make: Callable[[], Any]) -> Any:
        """What the step of this name found: read where it was done before, else done now and kept."""
        path = self.folder / "steps" / f"{slug(name)}.json"
        if path.exists():
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:  # damaged by something else than us, who write files whole
                path.unlink()
            else:
                self.done += 1
                return found
        self._announce(name)
        started = time.monotonic()
        found = make()
        self._spent += time.monotonic() - started
        self._fresh += 1
        self.done += 1
        write_atomically(path, json.dumps(found) + "\n")
        return found

    def _announce(self, doing: str) -> None:
        left = self._spent / self._fresh * (self.total - self.done) if self._fresh else None
        self.tell(Told(self.done, max(self.total, self.done + 1), doing, left))


def slug(text: str) -> str:
    """A file name for a label."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "_", text).strip("_.")[:100] or "step"
