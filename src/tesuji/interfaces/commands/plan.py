"""`tesuji plan`: the network to train for this machine and a time per move."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.experiments.accuracy_fit import PAPER_FIT
from tesuji.experiments.plan import plan
from tesuji.experiments.runs import fit_of, read_run
from tesuji.interfaces.terminal.network_list import number


def main(
    seconds: Annotated[float, typer.Option(help="time for a move")] = 1.0,
    size: Annotated[int, typer.Option(min=2, max=25, help="lines of the board")] = 9,
    parameters: Annotated[int, typer.Option(min=1, help="most parameters")] = 1_000_000,
    cores: Annotated[int, typer.Option(min=1, help="cores that search")] = 1,
    runs: Annotated[list[Path] | None, typer.Option(help="own runs to fit accuracy to; repeat it")] = None,
    best: Annotated[int, typer.Option(min=1, help="how many to show")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="plain numbers as JSON")] = False,
) -> None:
    """Ranks networks by what they should play like here: measured speed, the accuracy formula, Elo by descents."""
    fit = fit_of([read_run(folder) for folder in runs]) if runs else PAPER_FIT
    if fit is None:
        raise InputError("these runs fit no formula: it takes three networks, of two depths and two widths")
    found = plan(seconds, size, most_parameters=parameters, fit=fit, cores=cores)[:best]
    if as_json:
        print(json.dumps([asdict(one) for one in found], indent=1))
        return
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
