"""`tesuji data`: packs game records into one file, and tells what a packed file holds."""

import os
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console, Group
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tesuji._core import Rules
from tesuji.base.files import write_atomically
from tesuji.base.pixels import check_plot
from tesuji.base.quantities import counted
from tesuji.interfaces.terminal.options import OUT, AsJson, Quiet, examples, group_examples, is_quiet
from tesuji.interfaces.terminal.plain_output import print_json
from tesuji.training.data.packing import Filter, PackReport, Rejection, export_games_data, pack

app = typer.Typer(
    cls=group_examples(
        ("some thousands of 9x9 games to start with", "tesuji data sample"),
        ("everything in a folder as one file", "tesuji data pack games -o all.games"),
        ("what it holds", "tesuji data info all.games"),
    ),
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Packs game records; tells what is in a file; gives some to start with.",
)

Output = Annotated[Path, typer.Option(*OUT, help="The file to write.")]


@app.command(
    "pack",
    cls=examples(
        ("everything in a folder", "tesuji data pack games -o all.games"),
        ("9x9 games of dan players from an archive", "tesuji data pack kgs.zip --size 9 --min-rating 1d -o dan.games"),
        ("the course's file", "tesuji data pack games.data -o train.games"),
    ),
)
def pack_command(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="SGF files, folders, zip/tar/gz/xz/bz2 archives, one-game-per-line text, games.data, teacher .npz."
        ),
    ],
    out: Output,
    size: Annotated[int | None, typer.Option(help="Only boards of this size.")] = None,
    min_komi: Annotated[float | None, typer.Option(help="Least komi; games without komi are dropped.")] = None,
    max_komi: Annotated[float | None, typer.Option(help="Most komi; games without komi are dropped.")] = None,
    rules: Annotated[str | None, typer.Option(help="Only games under these rules, such as chinese.")] = None,
    result: Annotated[bool, typer.Option("--result", help="Only games whose winner is known, or draws.")] = False,
    min_moves: Annotated[int, typer.Option(min=0, help="Fewest moves.")] = 0,
    min_rating: Annotated[str | None, typer.Option(help="Of the weaker player: 5k, 3d, 9p or 2300.")] = None,
    max_rating: Annotated[str | None, typer.Option(help="Of the weaker player, too.")] = None,
    not_by: Annotated[
        list[str] | None,
        typer.Option(help="A player whose moves are not to be learned, such as a bot; '*' for all named. Repeatable."),
    ] = None,
    min_handicap: Annotated[int, typer.Option(min=0, help="Fewest handicap stones.")] = 0,
    max_handicap: Annotated[int | None, typer.Option(min=0, help="Most handicap stones; 0 = even games.")] = None,
    min_year: Annotated[int | None, typer.Option(help="Earliest year; games without a date are dropped.")] = None,
    max_year: Annotated[int | None, typer.Option(help="Latest year; games without a date are dropped.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="Keep so many games from the end alone.")] = None,
    duplicates: Annotated[bool, typer.Option("--duplicates", help="Keep duplicates, also turned ones.")] = False,
    rejects: Annotated[Path | None, typer.Option(help="Names every dropped record and why, in this file.")] = None,
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 for all cores.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Packs games of any kind into one file that training reads at memory speed."""
    wanted = _filter(
        size=size, min_komi=min_komi, max_komi=max_komi, rules=None if rules is None else Rules.named(rules),
        result_known=result, min_moves=min_moves, min_rating=min_rating, min_handicap=min_handicap,
        max_handicap=max_handicap, min_year=min_year, max_year=max_year, max_rating=max_rating, not_by=not_by,
    )  # fmt: skip
    refused: list[Rejection] = []
    if rejects:
        _write_rejects(rejects, refused)  # a file that cannot be written is better known now than after the work
    try:
        with _progress(is_quiet(quiet)) as bar:
            task = bar.add_task("", total=1.0, games=0)
            report = pack(
                sources, out, wanted, threads or None, drop_duplicates=not duplicates, last=last,
                progress=lambda so_far: bar.update(task, completed=so_far.done, games=so_far.read),
                rejected=refused.append if rejects else lambda rejection: None,
            )  # fmt: skip
    finally:
        if rejects:  # most of all where nothing was left to pack
            _write_rejects(rejects, refused)
    if not is_quiet(quiet):
        Console().print(_account(report, out))


def _filter(**wanted: object) -> Filter:
    """A filter of what was asked for; None asks for nothing."""
    chosen = Filter()
    for name, value in wanted.items():
        if value is not None:
            setattr(chosen, name, value)
    return chosen


def _progress(quiet: bool) -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("packing"), BarColumn(), TextColumn("{task.fields[games]:,} games"), TimeRemainingColumn(),
        console=console, transient=True, disable=quiet or not console.is_terminal,
    )  # fmt: skip


def _write_rejects(path: Path, refused: list[Rejection]) -> None:
    lines = (f"{one.name}\t{one.reason}\t{' '.join(one.detail.split())}\n" for one in refused)
    write_atomically(path, "".join(lines))


def _titled(file: Path, table: Table) -> Group:
    """A table below the name of its file, which may be wider."""
    return Group(Text(f"{file} ({os.path.getsize(file):,} bytes)", style="italic"), table)


def _account(report: PackReport, output: Path) -> Group:
    table = Table(show_header=False, box=None)
    table.add_column(justify="right")
    for count, noun, what in ((report.read, "record", "read"), (report.kept, "game", "kept")):
        amount, _, name = counted(count, noun).partition(" ")
        table.add_row(amount, f"{name} {what}")
    for reason, count in report.dropped.most_common():
        table.add_row(f"{count:,}", f"dropped: {reason}")
    return _titled(output, table)


@app.command(
    "info",
    cls=examples(
        ("what a file holds", "tesuji data info train.games"),
        ("for a program, and as a picture", "tesuji data info train.games --json --plot train.png"),
    ),
)
def info_command(
    file: Annotated[Path, typer.Argument(help="A packed file.")],
    plot: Annotated[Path | None, typer.Option(help="Also draws it, as this PNG, SVG or PDF.")] = None,
    as_json: AsJson = False,
) -> None:
    """Counts, sizes, komi, results and lengths of a packed file; every byte of it is checked."""
    from tesuji.training.data.packed_summary import summary

    check_plot(plot)
    with Console(stderr=True).status(f"reading {file}"):
        facts = summary(file)
    if plot is not None:
        facts.draw(plot)
    if as_json:
        return print_json(facts.to_dict())
    table = Table(show_header=False, box=None)
    for name, text in facts.lines():
        table.add_row(name, text)
    Console().print(_titled(file, table))
    return None


@app.command(
    "sample",
    cls=examples(
        ("some thousands of 9x9 games", "tesuji data sample"),
        ("smaller boards, for a first training within minutes", "tesuji data sample --size 7 -o seven.games"),
    ),
)
def sample_command(
    out: Annotated[Path, typer.Option(*OUT, help="The file to write.")] = Path("sample.games"),
    size: Annotated[int, typer.Option(help="Lines of the board: 7 or 9.")] = 9,
) -> None:
    """Games to start with, as a packed file: of Tesuji against itself, quickly played."""
    from tesuji.training.data.sample_games import sample_games

    games = sample_games(out, size)
    console = Console(highlight=False)
    console.print(f"{counted(len(games), 'game')} of {size}x{size} in {out}", markup=False)
    console.print(f"tesuji train runs/first --network se.4.64.32 --data {out} --minutes 5", markup=False)


@app.command(
    "export",
    cls=examples(("for the course library", "tesuji data export train.games -o games.data")),
)
def export_command(
    file: Annotated[Path, typer.Argument(help="A packed file of 19x19 games.")],
    out: Output,
) -> None:
    """Writes a packed file as the course library's games.data."""
    from tesuji.training.data.game_set import GameSet

    games = GameSet(file, size=19)
    table = games.table()
    fits = np.isin(table["winner"], (1, 2)) & (table["setup"] == 0)
    count = export_games_data((games.record(int(game)) for game in table["game"][fits]), out)
    Console().print(
        f"{count:,} games written, {len(games) - count:,} left out: no winner, or setup stones", highlight=False
    )
