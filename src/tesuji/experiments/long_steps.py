"""Trainings and tournaments as steps of an experiment: told on the way, and ended by Ctrl-C as all else is."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tesuji.arena.play.director import Director
from tesuji.arena.play.results import GameResult
from tesuji.arena.play.settings import Settings
from tesuji.arena.tournament import TournamentResult, play
from tesuji.base.files import open_alone
from tesuji.experiments.work import Work
from tesuji.training.run import checkpoints
from tesuji.training.run.fitting import Fitted, fit
from tesuji.training.run.watching import Status, Watcher

_PATIENCE = 1.0  # seconds between two looks whether another process has finished


class _Telling(Watcher):
    """Tells the experiment how far its training is."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def stepped(self, status: Status) -> None:
        self._work.moved(status.progress)


def train_to_end(
    work: Work, network: str, data: Sequence[str | Path], folder: Path, settings: dict[str, Any], start: str = ""
) -> Fitted:
    """Trains, or goes on where an earlier sitting stopped; a training that others do already is waited for.

    Raises `KeyboardInterrupt` when asked to stop: the trainer saves its work and returns, which is not the end of it.
    """
    with _alone(work, folder):
        begun = checkpoints.newest(folder) is not None
        told = settings if begun or not start else {**settings, "start": start}
        done = fit(network, data, folder=folder, resume=begun, watcher=_Telling(work), **told)
    if done.outcome.asked:
        raise KeyboardInterrupt
    return done


@contextmanager
def _alone(work: Work, folder: Path) -> Iterator[None]:
    """Holds a folder that experiments side by side may share, once nobody else does."""
    folder.mkdir(parents=True, exist_ok=True)
    waiting = False
    while True:
        try:
            descriptor = open_alone(folder / "lock")
            break
        except BlockingIOError:
            if not waiting:
                work.say(f"waiting for another process that trains in '{folder}'")
            waiting = True
            time.sleep(_PATIENCE)
    try:
        yield
    finally:
        os.close(descriptor)


def play_to_end(work: Work, described: Settings, folder: Path, title: str) -> TournamentResult:
    """Plays what is missing of a tournament."""

    def run(director: Director) -> bool:
        def told(game: GameResult | None = None) -> None:
            work.moved(len(director.results.games) / max(1, director.schedule.total))

        told()
        director.on_game = told
        director.run()
        return False

    return play(described, folder, title=title, run=run)
