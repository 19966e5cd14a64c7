"""`tesuji tournament`: round robin, gauntlet or Swiss among any number of players, from a file or from words."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.arena.play.conditions import Conditions, usual_komi
from tesuji.arena.play.director import CONCURRENT, Effort
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import PlayerDescription, check_options, parse_player, player_from_table
from tesuji.arena.players.network_player import NETWORK_OPTIONS, search_defaults
from tesuji.arena.report.paper_tables import paper_table
from tesuji.base.errors import InputError
from tesuji.interfaces.terminal.arena_run import default_folder, play, show
from tesuji.interfaces.terminal.settings import assignments, read_toml
from tesuji.learning.selfplay.workforces import tournaments

_CONDITIONS = {field.name: field.type for field in fields(Conditions)}
_SETTINGS = ("schedule", "games", "rounds", "colors", "openings")
_BUDGET = ("visits", "seconds")


def main(
    players: Annotated[
        list[str], typer.Argument(metavar="FILE.toml | PLAYER...", help="a tournament file, or the players")
    ],
    games: Annotated[int | None, typer.Option(help="games per meeting of two players")] = None,
    schedule: Annotated[str | None, typer.Option(help="round-robin, gauntlet (first against all), swiss")] = None,
    rounds: Annotated[int | None, typer.Option(help="rounds of a Swiss tournament")] = None,
    visits: Annotated[
        int | None, typer.Option(help="budget of networks that name none, 64 if no time is given; 0: policy")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="seconds a move instead, for networks")] = None,
    size: Annotated[int | None, typer.Option(help="lines of the board")] = None,
    komi: Annotated[float | None, typer.Option(help="points given to White; 7 up to 9x9, else 7.5")] = None,
    openings: Annotated[str | None, typer.Option(help="none, random[:MOVES], or a source of games")] = None,
    colors: Annotated[str | None, typer.Option(help="both, a-black or b-black")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="any other key=value of the file")] = None,
    parallel: Annotated[int, typer.Option(help="games with engines side by side; 0 chooses")] = 0,
    threads: Annotated[int, typer.Option(help="threads for games among networks; 0 for all cores")] = 0,
    concurrent: Annotated[int, typer.Option(help="games that share batches in one thread")] = CONCURRENT,
    out: Annotated[Path | None, typer.Option(help="folder of results and report")] = None,
    layout: Annotated[str, typer.Option("--as", help="also print as table-9, table-10, table-11")] = "",
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="on a Ray cluster; `local` starts one")] = None,
    quiet: Annotated[bool, typer.Option(help="no live table")] = False,
) -> None:
    """Plays a tournament and rates its players. The same command again plays only what is missing."""
    options = {"games": games, "schedule": schedule, "rounds": rounds, "visits": visits, "seconds": seconds}
    options |= {"size": size, "komi": komi, "openings": openings, "colors": colors}
    table, lines = _read(players)
    table |= {key: value for key, value in options.items() if value is not None}
    table |= assignments(change or [])
    settings = settings_from(table, lines)
    title = str(table.get("title", "Tournament"))
    folder = out or (Path(str(table["out"])) if "out" in table else default_folder(settings, "tournaments"))
    with tournaments(ray) as make:
        outcome = play(settings, folder, title, effort=Effort(parallel, threads, concurrent), quiet=quiet, make=make)
    show(outcome)
    if layout:
        typer.echo(paper_table(layout, outcome.standings, settings.players[0].name))
    if outcome.interrupted:
        raise typer.Exit(130)


def _read(players: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    if len(players) == 1 and players[0].endswith(".toml"):
        return read_toml(Path(players[0])), []
    return {}, list(players)


def settings_from(table: Mapping[str, Any], lines: Sequence[str]) -> Settings:
    """A tournament from a table, with players from its `player` tables and from lines."""
    known = {*_CONDITIONS, *_SETTINGS, *_BUDGET, "player", "players", "title", "out"}
    check_options(table, known, "tournament file")
    defaults = search_defaults(_number(table, "visits", int, None), _number(table, "seconds", float, None))
    described: list[PlayerDescription] = [
        player_from_table(entry, defaults, NETWORK_OPTIONS) for entry in table.get("player", [])
    ]
    described += [parse_player(line, defaults, NETWORK_OPTIONS) for line in [*table.get("players", []), *lines]]
    given = {key: _typed(key, table[key]) for key in _CONDITIONS if key in table}
    conditions = Conditions(**{"komi": usual_komi(given.get("size", 9)), **given})
    chosen = {key: table[key] for key in ("schedule", "colors", "openings") if key in table}
    numbers = {key: _number(table, key, int, None) for key in ("games", "rounds") if key in table}
    return Settings(described, conditions, **{"games": 40, **numbers, **chosen})


def _typed(key: str, value: Any) -> Any:
    """The value in the type of its field; the command line hands over text."""
    kind = {"int": int, "float": float}.get(str(_CONDITIONS[key]).removeprefix("<class '").removesuffix("'>"), str)
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise InputError(f"{key}={value} is no number") from None


def _number(table: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    if key not in table:
        return default
    try:
        return kind(table[key])
    except (TypeError, ValueError):
        raise InputError(f"{key}={table[key]} is no number") from None
