"""`tesuji league FOLDER`: the weekly tournament of a class among the networks it handed in."""

import csv
import datetime
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import CONCURRENT, Effort
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import NETWORK_OPTIONS, parse_player
from tesuji.arena.players.network_player import search_defaults
from tesuji.arena.presets import PRESETS, Preset, preset
from tesuji.arena.season import write_index
from tesuji.arena.submissions import PARAMETER_LIMIT, Refusal, admit
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.quantities import counted
from tesuji.base.settings import check_names
from tesuji.go.rules import usual_komi
from tesuji.interfaces.terminal.arena_run import play, show
from tesuji.interfaces.terminal.devices import PlayersDevice, PlayersPrecision, tell_idle_gpu_of
from tesuji.interfaces.terminal.options import OUT, Komi, Quiet, assignments, examples
from tesuji.interfaces.terminal.strange_text import shown

EXAMPLES = examples(
    ("the networks of this week, without search", "tesuji league submissions"),
    (
        "by a course's conditions, with GNU Go as guest",
        "tesuji league submissions --preset dauphine-2026 --guest gnugo",
    ),
)


def main(
    folder: Annotated[Path, typer.Argument(help="submitted networks: .onnx, Keras .h5 or .keras")],
    out: Annotated[Path, typer.Option(*OUT, help="where the weekly reports are kept")] = Path("league"),
    week: Annotated[str, typer.Option(help="name of this round; the calendar week by default")] = "",
    course: Annotated[str, typer.Option("--preset", help=f"a course's conditions: {', '.join(PRESETS)}")] = "",
    limit: Annotated[int | None, typer.Option(help="most parameters; the preset's or 1,000,000")] = None,
    guest: Annotated[list[str] | None, typer.Option(help="further players, as in `tesuji match`")] = None,
    games: Annotated[int, typer.Option(help="games per meeting of two players")] = 20,
    schedule: Annotated[str, typer.Option(help="round-robin or swiss")] = "round-robin",
    rounds: Annotated[int, typer.Option(help="rounds of a Swiss tournament")] = 7,
    visits: Annotated[int, typer.Option(help="descents a move; 0 plays the policy")] = 0,
    seconds: Annotated[float | None, typer.Option(help="time a move in place of descents; the preset's")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="a search option of all networks (c=0.2)")] = None,
    size: Annotated[int | None, typer.Option(help="lines of the board; the preset's or 19")] = None,
    komi: Komi = None,
    device: PlayersDevice = None,
    precision: PlayersPrecision = None,
    threads: Annotated[int, typer.Option(help="threads; 0 for all cores")] = 0,
    quiet: Quiet = False,
) -> None:
    """Plays all admitted networks against each other; says who was refused and why; keeps every week's report."""
    year, number, _ = datetime.date.today().isocalendar()
    week = week or f"{year}-W{number:02d}"
    target = out / week
    asked = preset(course) if course else Preset(PARAMETER_LIMIT, 0.0, "")
    limit = asked.limit if limit is None else limit
    size = size or asked.size
    seconds = seconds if seconds is not None or visits else asked.seconds or None
    defaults = dict(search_defaults(visits, seconds))
    if seconds and course:
        defaults["clock"] = "processor"  # equal for all, whatever else the machine does
    if "policy" in defaults:
        defaults["choice"] = "policy-2021"
    options = assignments(change or [])
    check_names(options, NETWORK_OPTIONS, "option of a network")
    running = {"device": device, "precision": precision}
    defaults |= {key: value for key, value in running.items() if value is not None} | options
    guests = [parse_player(line, defaults) for line in guest or []]
    effort = Effort(threads=threads, concurrent=CONCURRENT)
    conditions = Conditions(size=size, komi=usual_komi(size) if komi is None else komi)
    admission = admit(folder, size, defaults, limit, out / "models", asked.planes)
    _show_refusals(admission.refused)
    if not (target / "results.jsonl").exists():
        _write_refusals(admission.refused, target)
    players = [*admission.players, *guests]
    if len(players) < 2:
        raise InputError(f"{folder}: {counted(len(players), 'player')} admitted, a league needs two")
    settings = Settings(players, conditions, schedule, games, rounds)
    tell_idle_gpu_of(players)
    notes = [f"Refused: {refusal.file}: {refusal.reason}" for refusal in admission.refused]
    outcome = play(
        settings,
        target,
        f"League, {week}",
        effort=effort,
        notes=notes,
        quiet=quiet,
    )
    _write_refusals(admission.refused, target)  # only now: a league that is refused leaves the week's list alone
    write_index(out)
    show(outcome)
    if outcome.interrupted:
        raise typer.Exit(130)


def _write_refusals(refused: Sequence[Refusal], target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(["file", "reason"])
    writer.writerows([refusal.file, refusal.reason] for refusal in refused)
    write_atomically(target / "refused.csv", lines.getvalue())


def _show_refusals(refused: Sequence[Refusal]) -> None:
    if refused:
        table = Table("refused", "why", box=None, pad_edge=False)
        for refusal in refused:
            table.add_row(Text(shown(refusal.file)), Text(shown(refusal.reason)))
        Console(stderr=True, highlight=False).print(table)
