"""What matches and tournaments share, by command and in Python: run, show, interrupt, report."""

import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.live import Live

from tesuji.arena import tournament
from tesuji.arena.play.director import Director, Effort
from tesuji.arena.play.results import GameResult
from tesuji.arena.play.settings import Settings
from tesuji.arena.report.page import PAGE
from tesuji.arena.sprt import Sprt
from tesuji.arena.tournament import TournamentResult
from tesuji.base.quantities import counted
from tesuji.interfaces.terminal.arena_display import Progress, progress_line, progress_view, standings_table
from tesuji.interfaces.terminal.bars import console_here
from tesuji.interfaces.terminal.interrupts import ended_as_interrupt
from tesuji.interfaces.terminal.options import is_quiet
from tesuji.interfaces.terminal.plain_output import print_csv, print_json

_LINES = 30.0  # seconds between the lines that tell a notebook or a file how it goes


def play(
    settings: Settings,
    folder: Path | None,
    title: str,
    *,
    sprt: Sprt | None = None,
    effort: Effort | None = None,
    notes: Sequence[str] = (),
    quiet: bool = False,
    director: type[Director] = Director,
    on_game: Callable[[GameResult], None] = lambda game: None,
    guarded: bool = True,
) -> TournamentResult:
    """Plays what is missing of a tournament, shows it, and writes the report; Ctrl-C loses nothing.

    Where it is `guarded`, Ctrl-C returns what was played so far; else it is raised.
    """
    console = console_here(stderr=True, quiet=is_quiet(quiet))
    # Networks are loaded, engines tried and openings drawn before the first game: that may take a while, too.
    preparing = console.status("loading players, drawing openings")

    def run(running: Director) -> bool:
        preparing.stop()
        with _shown(running, console):
            if guarded:
                return _guarded(running)
            running.run()
        return False

    with preparing:
        return tournament.play(
            settings, folder, title=title, sprt=sprt, effort=effort, notes=notes, director=director, run=run,
            on_game=on_game,
        )  # fmt: skip


@contextlib.contextmanager
def _shown(director: Director, console: Console) -> Iterator[None]:
    """Meanwhile a table that moves on a terminal, and lines now and then elsewhere, in a notebook from the start."""
    if console.quiet or not director.schedule.due(director.results.games):
        yield
        return
    progress = Progress(director, time.monotonic())
    if not console.is_terminal:
        if Console().is_jupyter:
            console.print(progress_line(progress))
        with _every(_LINES, lambda: console.print(progress_line(progress))):
            yield
        return
    with (
        Live(progress_view(progress), console=console, refresh_per_second=2, transient=True) as live,
        _every(0.5, lambda: live.update(progress_view(progress))),
    ):
        yield


@contextlib.contextmanager
def _every(seconds: float, do: Callable[[], None]) -> Iterator[None]:
    """Meanwhile something is done again and again, in a thread of its own."""
    done = threading.Event()

    def work() -> None:
        while not done.wait(seconds):
            do()

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        yield
    finally:
        done.set()
        worker.join()


def _guarded(director: Director) -> bool:
    """True when it was interrupted, by Ctrl-C or by being told to end: either way no engine stays behind."""
    try:
        with ended_as_interrupt():
            director.run()
    except KeyboardInterrupt:
        return True
    return False


def show(outcome: TournamentResult, *, as_json: bool = False, as_csv: bool = False) -> None:
    """The final table, what is to be said about it, and where the report lies; or the same for programs."""
    if as_json:
        return print_json(outcome.to_dict())
    if as_csv:
        return print_csv(outcome.to_rows())
    console = Console(highlight=False)
    console.print(standings_table(outcome.standings))
    for note in outcome.notes:
        console.print(note, markup=False)
    for remark in outcome.standings.remarks():
        console.print(remark)
    forfeits = sum(line.forfeits for line in outcome.standings.lines)
    if forfeits:
        were = "was" if forfeits == 1 else "were"
        console.print(f"{counted(forfeits, 'game')} {were} lost by forfeit or on time; the report says why.")
    if outcome.folder:
        console.print(f"report: {outcome.folder / PAGE}", markup=False, soft_wrap=True)
    if outcome.interrupted:
        console.print("interrupted; the same command plays the rest.")
    return None


def default_folder(settings: Settings, root: str = "matches") -> Path:
    """Named after the players; other settings get another folder, the same ones find their games again."""
    names = [player.name for player in settings.players]
    text = "-vs-".join(names) if len(names) <= 2 else f"{settings.schedule}-{len(names)}"
    slug = re.sub(r"[^A-Za-z0-9.=-]+", "_", text)[:80].strip("_.") or "players"
    return Path(root) / f"{slug}-{settings.fingerprint()}"
