"""One call runs the loop from beginning to end: for a script, a notebook and the command line alike."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help
from tesuji.base.frames import frame_of
from tesuji.learning.loop.config import LearnConfig
from tesuji.learning.loop.loop import Loop, LoopWatcher, StoppedError
from tesuji.learning.loop.run_folder import RunFolder
from tesuji.learning.selfplay.options import SelfplayOptions
from tesuji.learning.selfplay.workforces import director_kind, workforce
from tesuji.networks.devices import device_list, usual_batch
from tesuji.networks.evaluators.factory import Running

if TYPE_CHECKING:
    import pandas


@with_field_help
@dataclass(frozen=True)
class Learned:
    """What a learning run came to."""

    folder: Path
    best: Path
    """The model file of the network that plays best so far."""
    rounds: tuple[Mapping[str, Any], ...]
    """One table for each finished round: `selfplay`, `training`, `gate` and more."""
    config: LearnConfig
    interrupted: bool = False

    @property
    def report(self) -> Path:
        """The page of the run, once there is a finished round."""
        return self.folder / "report.html"

    def to_rows(self) -> list[dict[str, Any]]:
        """One flat row for each round."""
        return [_flat(row) for row in self.rounds]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())


def learn(
    folder: str | Path, settings: Mapping[str, Any], *, resume: bool = False, minutes: float = 0.0, processes: int = 0,
    ray: str | None = None, device: str = "cpu", watcher: LoopWatcher | None = None,
) -> Learned:  # fmt: skip
    """Begins a run in the folder, or goes on with it, and plays, trains and gates until it is told to stop.

    `settings` are those of `LearnConfig`. Ctrl-C ends it after what is under way can be kept.
    """
    words = device_list(device)
    if any(Running.on(word).precision == "int8" for word in words):
        raise InputError("the networks of a learning run hold no integers: leave --precision int8 out")
    concurrent = usual_batch(SelfplayOptions.concurrent, words)
    config = LearnConfig().changed({"selfplay.concurrent": concurrent}).changed(settings)
    run = Path(folder)
    with RunFolder(run) as opened, workforce(processes, ray, device) as force:
        loop = Loop(opened, config, force, watcher or LoopWatcher(), director_kind(ray))
        loop.resume(settings) if resume else loop.begin()
        loop.config.write(run / "config.toml")
        interrupted = False
        try:
            loop.run(deadline=time.monotonic() + 60 * minutes if minutes else math.inf)
        except (KeyboardInterrupt, StoppedError):
            interrupted = True
        best = opened.model(loop.state.best)
        return Learned(run, best, tuple(loop.state.rounds), loop.config, interrupted)


def _flat(row: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in row.items():
        found |= _flat(value, f"{above}{key}_") if isinstance(value, Mapping) else {f"{above}{key}": value}
    return found
