"""One call plays a tournament: for the command line, Python, the gate of a learning run and a cluster alike."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.arena.play.director import Director, Effort
from tesuji.arena.play.opening_book import OpeningBook
from tesuji.arena.play.openings import EMPTY, Opening
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.hall import Hall, Load
from tesuji.arena.report.page import Report
from tesuji.arena.report.standings import Standings, standings
from tesuji.arena.sprt import SequentialTest, Sprt
from tesuji.base.field_help import with_field_help
from tesuji.base.frames import frame_of
from tesuji.networks.evaluators.factory import load

if TYPE_CHECKING:
    import pandas


@with_field_help
@dataclass(frozen=True)
class TournamentResult:
    """What became of a tournament, as plain data."""

    players: tuple[str, ...]
    standings: Standings
    """`standings.lines` has a line per player, strongest first; `standings.matrix` who did what against whom."""
    games: tuple[GameResult, ...]
    test: SequentialTest | None
    """The sequential test where there was one: its `verdict` and `ratio`."""
    notes: tuple[str, ...]
    """What a reader should know: the test in words, openings played twice, damaged lines."""
    folder: Path | None = None
    interrupted: bool = False

    def to_rows(self) -> list[dict[str, str | int | float]]:
        """The standings as plain names and numbers, a row per player, strongest first."""
        return [line.row() for line in self.standings.lines]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())

    def to_dict(self) -> dict[str, Any]:
        """All of it but the games as plain data, for JSON."""
        test = self.test and {"verdict": self.test.verdict, "log_likelihood_ratio": self.test.ratio}
        return {
            "players": list(self.players),
            "games": len(self.games),
            "standings": self.to_rows(),
            "test": test,
            "notes": [*self.notes, *self.standings.remarks()],
            "folder": None if self.folder is None else str(self.folder),
            "interrupted": self.interrupted,
        }

    def __str__(self) -> str:
        """The standings as people read them."""
        lines = [f"{line.player}: {line.in_words()}" for line in self.standings.lines]
        return "\n".join([*lines, *self.notes, *self.standings.remarks()])


def play(
    settings: Settings, folder: Path | None = None, *, title: str = "", sprt: Sprt | None = None,
    effort: Effort | None = None, load: Load = load, director: type[Director] = Director,
    run: Callable[[Director], bool] | None = None, notes: Sequence[str] = (),
    on_game: Callable[[GameResult], None] = lambda game: None,
) -> TournamentResult:  # fmt: skip
    """Plays what is missing of a tournament and adds up its games; with a title it writes a report, too.

    `director` is the kind of director, such as one that plays on a cluster. `run` takes the place of its `run`, to
    show what happens, and returns whether it was interrupted.
    """
    with _kept(folder) as place:
        results = ResultsFile(place / "results.jsonl")
        hall = Hall(settings.players, settings.conditions, load)
        hall.check_engines()
        book = OpeningBook(settings, hall)
        openings = book.openings(place / "openings.json")
        schedule = settings.make_schedule(openings)
        with results:
            results.begin(settings.record(), {name: hall.record(name) for name in hall.players})
            running = director(hall, schedule, results, sprt=sprt, effort=effort, on_game=on_game)
            interrupted = (run or _run)(running)
        told = [*results.damaged, *notes, *book.notes, *_notes(settings, openings, running)]
        result = TournamentResult(
            players=tuple(running.players),
            standings=standings(list(results), running.players),
            games=tuple(results),
            test=running.test,
            notes=tuple(told),
            folder=folder,
            interrupted=interrupted,
        )
        if folder and title:
            Report(title, result.standings, result.games, settings.record(), results.players, told).write(folder)
    return result


def _run(director: Director) -> bool:
    director.run()
    return False


@contextlib.contextmanager
def directors(ray: str | None = None) -> Iterator[type[Director]]:
    """Who has the games played: this machine, or the cluster at `ray`, connected meanwhile."""
    if ray is None:
        yield Director
        return
    from tesuji.arena.ray import RayDirector
    from tesuji.base.cluster import connected

    with connected(ray):
        yield RayDirector


@contextlib.contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    """The folder of the games, or one for as long as they are played."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory() as passing:
        yield Path(passing)


def _notes(settings: Settings, openings: Sequence[Opening], running: Director) -> Iterator[str]:
    if running.test:
        yield running.test.in_words(running.players[0])
    if 1 < len(openings) * 2 < settings.games and settings.colors == "both" and openings != [EMPTY]:
        yield f"Only {len(openings)} different openings were found; they were played several times."
