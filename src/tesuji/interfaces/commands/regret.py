"""`tesuji regret`: what players lose per move, by a judge's word, in the same undecided positions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import TaskID
from rich.table import Table
from rich.text import Text

from tesuji.arena.play.settings import settings_from
from tesuji.arena.players.description import parse_player
from tesuji.arena.regret.positions import Choosing
from tesuji.arena.regret.regret import BLUNDER, Estimate, PlayerRegret, regret
from tesuji.arena.report.idea_log import Idea, add_idea, check_log
from tesuji.interfaces.commands.match import PLAYER_HELP
from tesuji.interfaces.terminal.bars import moving_line
from tesuji.interfaces.terminal.devices import PlayersDevice, PlayersPrecision, tell_idle_gpu_of
from tesuji.interfaces.terminal.options import OUT, AsCsv, AsJson, Komi, Quiet, assignments, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json

_WIDE = 160

EXAMPLES = examples(
    ("two networks in the same 300 positions", "tesuji regret mine.onnx default-9x9 --source games.games"),
    (
        "by a stronger judge",
        "tesuji regret a.onnx b.onnx --source g.games --judge 'k.bin.gz visits=400'",
    ),
)


def main(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help=PLAYER_HELP)],
    source: Annotated[str, typer.Option(help="games to take positions from: packed, SGF, a folder, an archive")],
    judge: Annotated[
        str, typer.Option(help="a network with visits, far stronger than the players")
    ] = "default-9x9 visits=800",
    positions: Annotated[int, typer.Option(help="undecided positions, one of a game")] = 300,
    visits: Annotated[int | None, typer.Option(help="budget of players that name none, 64; 0: policy")] = None,
    seconds: Annotated[float | None, typer.Option(help="seconds a move instead")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="a search option of all players that do not name it (c=0.2)")
    ] = None,
    size: Annotated[int, typer.Option(help="lines of the board")] = 9,
    komi: Komi = None,
    device: PlayersDevice = None,
    precision: PlayersPrecision = None,
    first: Annotated[int, typer.Option(help="moves played at least")] = Choosing.first,
    last: Annotated[int, typer.Option(help="moves played at most; 0: two thirds of the points")] = Choosing.last,
    margin: Annotated[float, typer.Option(help="distance of the win rate from one half, at most")] = Choosing.margin,
    seed: Annotated[int, typer.Option(help="of the choice of positions")] = Choosing.seed,
    blunder: Annotated[float, typer.Option(help="win rate lost from which a move is a blunder")] = BLUNDER,
    threads: Annotated[int, typer.Option(min=0, help="positions searched side by side; 0: one a core")] = 0,
    out: Annotated[Path, typer.Option(*OUT, help="folder where all answers are kept")] = Path("regret"),
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    log: Annotated[Path | None, typer.Option(help="append what was found to this table, .csv or .md")] = None,
    note: Annotated[str, typer.Option(help="words for the log")] = "",
    quiet: Quiet = False,
) -> None:
    """Strength without games. Judge and players are asked once; the same command again asks only what is missing."""
    check_log(log)
    check_form(as_json, as_csv)
    given = {"visits": visits, "seconds": seconds, "komi": komi, "size": size}
    running = {key: text for key, text in (("device", device), ("precision", precision)) if text is not None}
    table = {key: value for key, value in given.items() if value is not None} | running | assignments(change or [])
    settings = settings_from(players, table)
    choosing = Choosing(source, seed, first, last, margin)
    described = parse_player(judge, running)
    tell_idle_gpu_of([*settings.players, described])
    with _Bars(is_quiet(quiet)) as bars:
        try:
            found = regret(
                settings.players, described, choosing, positions=positions, conditions=settings.conditions,
                folder=out, blunder=blunder, threads=threads, progress=bars,
            )  # fmt: skip
        except KeyboardInterrupt:
            typer.echo("interrupted; the same command goes on.", err=True)
            raise typer.Exit(130) from None
    _show(found, as_json, as_csv, blunder)
    if log:
        for player in found[1:] or found:
            add_idea(log, _idea(player, found[0], f"regret, {positions} positions, judge {described.name}", note))


def _show(found: Sequence[PlayerRegret], as_json: bool, as_csv: bool, blunder: float) -> None:
    rows = [player.row() for player in found]
    if as_json:
        print_json(rows)
        return
    if as_csv:
        print_csv(rows)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("player", overflow="fold", min_width=14)
    for name in ("loss", "points", f"over {blunder:.0%}", "agrees", "s/move", "than first"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        table.add_row(
            Text(one.player),
            _percent(one.winrate),
            f"{one.points.mean:.2f} ± {one.points.error:.2f}" if one.points else "",
            _percent(one.blunders),
            f"{one.agreement:.0%}",
            f"{one.seconds:.2g}",
            _percent(one.than_first, sign="+") if one.than_first else "",
        )
    console = Console(highlight=False)
    # A file has no width: nothing is cut off where nobody looks.
    (console if console.is_terminal else Console(highlight=False, width=_WIDE)).print(table)


def _percent(estimate: Estimate, sign: str = "") -> str:
    return f"{100 * estimate.mean:{sign}.1f} ± {100 * estimate.error:.1f} %"


def _idea(player: PlayerRegret, first: PlayerRegret, test: str, note: str) -> Idea:
    result = f"loss {_percent(player.winrate)}, blunders {_percent(player.blunders)}"
    difference = player.than_first
    if difference is None:
        return Idea(player.player, "", test, result, "", note)
    sure = abs(difference.mean) > 2 * difference.error
    verdict = ("better" if difference.mean < 0 else "worse") if sure else "no difference seen"
    result += f"; {_percent(difference, sign='+')} than the first"
    return Idea(player.player, first.player, test, result, verdict, note)


class _Bars:
    """A bar for each stage, on stderr."""

    def __init__(self, quiet: bool) -> None:
        self._progress = moving_line(Console(stderr=True), disable=quiet)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, text="")
        self._progress.update(self._tasks[what], completed=done, total=total)
