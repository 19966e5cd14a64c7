"""`tesuji match A B`: games between two players, each opening twice with colours swapped."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji.arena.play.director import CONCURRENT, Effort
from tesuji.arena.play.settings import Settings, settings_from
from tesuji.arena.report.idea_log import Idea, add_idea, check_log
from tesuji.arena.report.paper_tables import check_layout, paper_table
from tesuji.arena.sprt import Sprt
from tesuji.arena.statistics import elo_of
from tesuji.arena.tournament import TournamentResult
from tesuji.base.quantities import counted
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

PLAYER_HELP = (
    "a network with options ('default-9x9 visits=64 choice=lcb', 'run/best.onnx policy'), or a GTP engine by its "
    "command ('gnugo', 'gnugo --level 5 --mode gtp', 'gtp:./engine --flag'); docs/arena.md has the whole language"
)

EXAMPLES = examples(
    ("100 games against GNU Go", "tesuji match default-9x9 gnugo"),
    (
        "the same network with two constants, until it is decided",
        "tesuji match 'default-9x9 c=0.3' default-9x9 --sprt 'elo0=0 elo1=30'",
    ),
    ("for a program", "tesuji match a.onnx b.onnx --games 20 --visits 0 --quiet --json"),
)


def main(
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER_HELP)],
    b: Annotated[str, typer.Argument(metavar="B", help="the other player, in the same words")],
    games: Annotated[int, typer.Option(help="games to play")] = 100,
    visits: Visits = None,
    seconds: Seconds = None,
    size: Annotated[int, typer.Option(help="lines of the board")] = 9,
    komi: Komi = None,
    rules: Annotated[str, typer.Option(help="rule set with area scoring")] = "chinese",
    openings: Annotated[
        str, typer.Option(help="none, random[:MOVES], a folder of SGFs or a packed game file [:MOVES]")
    ] = "auto",
    colors: Annotated[str, typer.Option(help="both, or a-black / b-black as the papers' Table 10")] = "both",
    sprt: Annotated[str, typer.Option(help="stop early: 'elo0=0 elo1=30 alpha=0.05 beta=0.05'")] = "",
    adjudicate: Annotated[str, typer.Option(help="end decided games early: agree or referee")] = "",
    referee: Annotated[str, typer.Option(help="network that settles disputes; default A's or B's")] = "",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="a search option of both (c=0.2) or a condition (move_limit=200)"),
    ] = None,
    device: PlayersDevice = None,
    precision: PlayersPrecision = None,
    parallel: Parallel = 0,
    threads: Threads = 0,
    concurrent: Concurrent = CONCURRENT,
    seed: Annotated[int, typer.Option(help="of openings and random choices")] = 1,
    out: Annotated[Path | None, typer.Option(*OUT, help="folder of results and report")] = None,
    layout: Annotated[str, typer.Option("--as", help="also print as table-9, table-10, ...")] = "",
    log: Annotated[Path | None, typer.Option(help="append the result to this table of ideas, .csv or .md")] = None,
    note: Annotated[str, typer.Option(help="words for the log")] = "",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Plays A against B and rates them. The same command again plays only what is missing."""
    check_layout(layout)
    check_form(as_json, as_csv)
    check_log(log)
    given = {"visits": visits, "seconds": seconds, "komi": komi, "size": size, "rules": rules, "seed": seed}
    given |= {"games": games, "colors": colors, "openings": openings, "adjudicate": adjudicate, "referee": referee}
    given |= {"device": device, "precision": precision}
    table = {key: value for key, value in given.items() if value is not None} | assignments(change or [])
    settings = settings_from([a, b], table)
    players = settings.players
    tell_idle_gpu_of(players)
    outcome = play(
        settings,
        out or default_folder(settings),
        f"{players[0].name} against {players[1].name}",
        sprt=Sprt.parse(sprt) if sprt else None,
        effort=Effort(parallel, threads, concurrent),
        quiet=quiet,
    )
    show(outcome, as_json=as_json, as_csv=as_csv)
    if layout:
        typer.echo(paper_table(layout, outcome.standings, players[1].name))
    if log and not outcome.interrupted:
        add_idea(log, _idea(outcome, settings, note))
    if outcome.interrupted:
        raise typer.Exit(130)


def _idea(outcome: TournamentResult, settings: Settings, note: str) -> Idea:
    """The match as a line of the log: A is the idea, B what it has to beat."""
    a, b = outcome.players
    tally, conditions = outcome.standings.matrix[a, b], settings.conditions
    elo = f", {elo_of(tally.rate):+.0f} Elo" if 0 < tally.rate < 1 else ""
    test = outcome.test
    ratio = f", LLR {test.ratio:+.2f}" if test else ""
    return Idea(
        idea=a,
        against=b,
        test=f"{counted(tally.games, 'game')}, {conditions.size}x{conditions.size}, komi {conditions.komi:g}",
        result=f"{tally.rate:.1%} ± {100 * tally.sigma:.1f}{elo}{ratio}",
        verdict=(test.verdict or "undecided") if test else "",
        note=note,
    )
