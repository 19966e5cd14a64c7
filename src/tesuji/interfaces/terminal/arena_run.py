"""What `tesuji match`, `tournament`, `league` and `fit-bandit` share: run, show, interrupt, report."""

import re
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tesuji.arena.play.director import Director, Effort
from tesuji.arena.play.openings import EMPTY
from tesuji.arena.play.results import ResultsFile
from tesuji.arena.play.settings import OpeningBook, Settings
from tesuji.arena.players.hall import Hall, Load
from tesuji.arena.report.page import Report
from tesuji.arena.report.standings import Standings, standings
from tesuji.arena.sprt import Sprt
from tesuji.interfaces.terminal.arena_display import Progress, progress_view, standings_table, verdict_line
from tesuji.networks.evaluators.factory import load


@dataclass(frozen=True)
class Outcome:
    """What became of a tournament."""

    standings: Standings
    folder: Path
    page: Path
    interrupted: bool
    notes: tuple[str, ...]


def play(
    settings: Settings,
    folder: Path,
    title: str,
    *,
    sprt: Sprt | None = None,
    effort: Effort | None = None,
    notes: Sequence[str] = (),
    quiet: bool = False,
    load_network: Load = load,
    make: type[Director] = Director,
) -> Outcome:
    """Plays what is missing of a tournament, shows it, and writes the report; Ctrl-C loses nothing."""
    console = Console(stderr=True, highlight=False)
    results = ResultsFile(folder / "results.jsonl")
    for line in results.damaged:
        console.print(Text(line, "yellow"))
    hall = Hall(settings.players, settings.conditions, load_network)
    hall.check_engines()
    openings = OpeningBook(settings, hall).openings(folder / "openings.json")
    schedule = settings.make_schedule(openings)
    with results:
        results.begin(settings.record(), {name: hall.record(name) for name in hall.players})
        tournament = make(hall, schedule, results, sprt=sprt, effort=effort)
        interrupted = _run(tournament, None if quiet else console)
    state = standings(list(results), tournament.players)
    told = [*notes, *([verdict_line(tournament.test, tournament.players)] if tournament.test else [])]
    if 1 < len(openings) * 2 < settings.games and settings.colors == "both" and openings != [EMPTY]:
        told.append(f"Only {len(openings)} different openings were found; they were played several times.")
    report = Report(title, state, list(results), settings.record(), results.players, told)
    page = report.write(folder)
    return Outcome(state, folder, page, interrupted, tuple(told))


def _run(tournament: Director, console: Console | None) -> bool:
    """Runs it with a live table; True when it was interrupted."""
    progress = Progress(tournament, time.monotonic())
    if console is None or not tournament.schedule.due(tournament.results.games):
        return _guarded(tournament)
    with Live(progress_view(progress), console=console, refresh_per_second=2, transient=True) as live:
        done = threading.Event()

        def refresh() -> None:
            while not done.wait(0.5):
                live.update(progress_view(progress))

        watcher = threading.Thread(target=refresh, daemon=True)
        watcher.start()
        try:
            return _guarded(tournament)
        finally:
            done.set()
            watcher.join()


def _guarded(tournament: Director) -> bool:
    """True when it was interrupted, by Ctrl-C or by being told to end: either way no engine stays behind."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt) if _in_main_thread() else None
    try:
        tournament.run()
    except KeyboardInterrupt:
        return True
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
    return False


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def show(outcome: Outcome) -> None:
    """The final table, what is to be said about it, and where the report lies."""
    console = Console(highlight=False)
    console.print(standings_table(outcome.standings))
    for note in outcome.notes:
        console.print(note, markup=False)
    if outcome.standings.repeated:
        console.print(f"{outcome.standings.repeated} games repeat another one move by move and say nothing new.")
    forfeits = sum(line.forfeits for line in outcome.standings.lines)
    if forfeits:
        console.print(f"{forfeits} games were lost by forfeit or on time; the report says why.")
    console.print(f"report: {outcome.page}", markup=False, soft_wrap=True)
    if outcome.interrupted:
        console.print("interrupted; the same command plays the rest.")


def default_folder(settings: Settings, root: str = "matches") -> Path:
    """Named after the players; other settings get another folder, the same ones find their games again."""
    names = [player.name for player in settings.players]
    text = "-vs-".join(names) if len(names) <= 2 else f"{settings.schedule}-{len(names)}"
    slug = re.sub(r"[^A-Za-z0-9.=-]+", "_", text)[:80].strip("_.") or "players"
    return Path(root) / f"{slug}-{settings.fingerprint()}"
