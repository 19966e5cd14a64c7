"""`tesuji tournament`: round robin, gauntlet or Swiss among any number of players, from a file or from words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.arena.play.director import CONCURRENT, Effort
from tesuji.arena.play.settings import settings_from
from tesuji.arena.players.description import Player
from tesuji.arena.report.paper_tables import check_layout, paper_table
from tesuji.arena.tournament import directors
from tesuji.base.toml import read_toml
from tesuji.interfaces.terminal.arena_run import default_folder, play, show
from tesuji.interfaces.terminal.devices import PlayersDevice, PlayersPrecision, tell_idle_gpu_of
from tesuji.interfaces.terminal.options import (
    OUT,
    AsCsv,
    AsJson,
    Concurrent,
    Komi,
    Parallel,
    Quiet,
    Seconds,
    Threads,
    Visits,
    assignments,
    examples,
)
from tesuji.interfaces.terminal.plain_output import check_form

EXAMPLES = examples(
    ("everyone against everyone", "tesuji tournament a.onnx b.onnx 'gnugo --level 5' --games 20"),
    (
        "the first against all others, without search",
        "tesuji tournament new.onnx a.onnx b.onnx --schedule gauntlet --visits 0",
    ),
    ("as a file says", "tesuji tournament class.toml"),
)


def main(
    players: Annotated[
        list[str], typer.Argument(metavar="FILE.toml | PLAYER...", help="a tournament file, or the players")
    ],
    games: Annotated[int | None, typer.Option(help="games per meeting of two players")] = None,
    schedule: Annotated[str | None, typer.Option(help="round-robin, gauntlet (first against all), swiss")] = None,
    rounds: Annotated[int | None, typer.Option(help="rounds of a Swiss tournament")] = None,
    visits: Visits = None,
    seconds: Seconds = None,
    size: Annotated[int | None, typer.Option(help="lines of the board")] = None,
    komi: Komi = None,
    openings: Annotated[str | None, typer.Option(help="none, random[:MOVES], or a source of games")] = None,
    colors: Annotated[str | None, typer.Option(help="both, a-black or b-black")] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="key=value of the file, or a search option of all networks (c=0.2)"),
    ] = None,
    device: PlayersDevice = None,
    precision: PlayersPrecision = None,
    parallel: Parallel = 0,
    threads: Threads = 0,
    concurrent: Concurrent = CONCURRENT,
    out: Annotated[Path | None, typer.Option(*OUT, help="folder of results and report")] = None,
    layout: Annotated[str, typer.Option("--as", help="also print as table-9, table-10, table-11")] = "",
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="on a Ray cluster; `local` starts one")] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Plays a tournament and rates its players. The same command again plays only what is missing."""
    check_layout(layout)
    check_form(as_json, as_csv)
    options = {"games": games, "schedule": schedule, "rounds": rounds, "visits": visits, "seconds": seconds}
    options |= {"size": size, "komi": komi, "openings": openings, "colors": colors}
    options |= {"device": device, "precision": precision}
    table, described = _read(players)
    table |= {key: value for key, value in options.items() if value is not None}
    table |= assignments(change or [])
    title, chosen = str(table.pop("title", "Tournament")), table.pop("out", None)
    settings = settings_from(described, {"games": 40, **table})
    tell_idle_gpu_of(settings.players)
    folder = out or (Path(str(chosen)) if chosen else default_folder(settings, "tournaments"))
    effort = Effort(parallel, threads, concurrent)
    with directors(ray) as director:
        outcome = play(settings, folder, title, effort=effort, quiet=quiet, director=director)
    show(outcome, as_json=as_json, as_csv=as_csv)
    if layout:
        typer.echo(paper_table(layout, outcome.standings, settings.players[0].name))
    if outcome.interrupted:
        raise typer.Exit(130)


def _read(words: Sequence[str]) -> tuple[dict[str, Any], list[Player]]:
    """The settings of a tournament file with its players, or the players named."""
    if len(words) != 1 or not words[0].endswith(".toml"):
        return {}, list(words)
    table = read_toml(Path(words[0]))
    return table, [*table.pop("player", []), *table.pop("players", [])]
