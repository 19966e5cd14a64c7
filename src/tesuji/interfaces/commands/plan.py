"""`tesuji plan`: the network to train for this machine and a time per move."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.quantities import number
from tesuji.experiments.accuracy_fit import PAPER_FIT
from tesuji.experiments.plan import plan
from tesuji.experiments.runs import fit_of, read_run
from tesuji.interfaces.terminal.bars import console_here, moving_line
from tesuji.interfaces.terminal.options import AsCsv, AsJson, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json

EXAMPLES = examples(
    ("what to train for five seconds a move on 9x9", "tesuji plan --seconds 5"),
    ("for 19x19, fitted to runs of one's own", "tesuji plan --size 19 --runs runs/a --runs runs/b --runs runs/c"),
)


def main(
    seconds: Annotated[float, typer.Option(help="time for a move")] = 1.0,
    size: Annotated[int, typer.Option(min=2, max=25, help="lines of the board")] = 9,
    parameters: Annotated[int, typer.Option(min=1, help="most parameters")] = 1_000_000,
    cores: Annotated[int, typer.Option(min=1, help="cores that search")] = 1,
    runs: Annotated[list[Path] | None, typer.Option(help="own runs to fit accuracy to; repeat it")] = None,
    best: Annotated[int, typer.Option(min=1, help="how many to show")] = 10,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Ranks networks by what they should play like here: measured speed, the accuracy formula, Elo by descents."""
    fit = fit_of([read_run(folder) for folder in runs]) if runs else PAPER_FIT
    if fit is None:
        raise InputError("these runs fit no formula: it takes three networks, of two depths and two widths")
    check_form(as_json, as_csv)
    with moving_line(console_here(stderr=True, quiet=is_quiet(quiet))) as line:
        task = line.add_task("counting networks", total=None, text="")

        def tell(name: str, done: int, total: int) -> None:
            line.update(task, description="measuring networks", completed=done, total=total, text=name)

        found = plan(seconds, size, most_parameters=parameters, fit=fit, cores=cores, progress=tell)[:best]
    if as_json:
        return print_json([asdict(one) for one in found])
    if as_csv:
        return print_csv([asdict(one) for one in found])
    table = Table("network", box=None, pad_edge=False)
    for head in ("parameters", "positions/s", "descents a move", "accuracy, %", "Elo"):
        table.add_column(head, justify="right")
    for one in found:
        table.add_row(
            one.name, f"{one.parameters:,}", number(one.speed), f"{one.descents:,.0f}", f"{one.accuracy:.1f}",
            f"{one.elo:+.0f}",
        )  # fmt: skip
    console = Console(highlight=False)
    console.print(table)
    console.print(
        f"{fit.in_words()}. Elo against the first, a rough guide: lines in accuracy and in doublings of descents."
    )
    console.print(f"tesuji train RUN --network {found[0].name} --data FILE")
    return None
