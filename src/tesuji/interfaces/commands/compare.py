"""`tesuji compare RUN...`: training runs side by side, their Pareto fronts, and the accuracy formula fitted to them."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.quantities import number
from tesuji.base.settings import check_names
from tesuji.experiments.accuracy_fit import AccuracyFit, extrapolated
from tesuji.experiments.runs import Row, Run, accuracies, families_of, fit_of, fronts, read_run, row_of
from tesuji.interfaces.terminal.devices import Precision
from tesuji.interfaces.terminal.options import AsCsv, AsJson, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins
from tesuji.networks.devices import PRECISIONS

SORTS = ("parameters", "speed", "accuracy", "mse", "name")

EXAMPLES = examples(
    ("all runs of a folder, the most accurate first", "tesuji compare runs/* --sort accuracy"),
    ("for a spreadsheet, without measuring speeds", "tesuji compare runs/* --seconds 0 --csv"),
)


def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of `tesuji train`.", metavar="RUN...")],
    sort: Annotated[str, typer.Option(help=f"order of the rows: {', '.join(SORTS)}")] = "parameters",
    batch: Annotated[int, typer.Option(min=1, help="positions of one evaluation, for the speed")] = 8,
    seconds: Annotated[float, typer.Option(min=0.0, help="time to measure each speed; 0 for none")] = 0.3,
    device: Annotated[str, typer.Option(help="cpu, cuda, ... for the speed")] = "cpu",
    precision: Precision = "auto",
    epochs: Annotated[bool, typer.Option("--epochs", help="also accuracy and MSE at every validation")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
    plugin: Plugins = None,
) -> None:
    """Parameters, operations, speed here, accuracy and MSE; who is dominated; the paper's formula fitted to them."""
    if sort not in SORTS:
        raise InputError(f"--sort={sort}: one of {', '.join(SORTS)}")
    check_names([precision], PRECISIONS, "precision")
    check_form(as_json, as_csv)
    load_plugins(plugin)
    read = [read_run(folder) for folder in runs]
    rows = []
    with Console(stderr=True, quiet=is_quiet(quiet)).status("measuring") as status:
        for run in read:
            status.update(f"measuring {run.name}")
            rows.append(
                row_of(run, batch=batch, seconds=seconds, device=device, precision=precision, speed=seconds > 0)
            )
    rows.sort(key=lambda row: _rank(row, sort))
    fit = fit_of(read)
    if as_json:
        return print_json(_plain(rows, fit, families_of(read)))
    if as_csv:
        return print_csv([row.plain() for row in rows])
    console = Console(highlight=False)
    console.print(_table(rows, f"batch {batch}, {device}"))
    if epochs:
        for column, title, factor in (("top1", "accuracy, %", 100.0), ("value_mse", "MSE", 1.0)):
            console.print(_by_epoch(read, column, title, factor))
    for what, found in fronts(rows).items():
        console.print(found.in_words(f"Pareto front of {what} and speed"), markup=False)
    if fit:
        console.print(fit.in_words() + _mixed(families_of(read)), markup=False)
        console.print(_grid(read, fit))
    return None


def _rank(row: Row, sort: str) -> tuple[bool, Any]:
    """What rows are sorted by, the best first; who has no such number stands last."""
    value = getattr(row, sort)
    return value != value, -value if sort in {"speed", "accuracy"} else value


def _mixed(families: list[str]) -> str:
    """A warning where one formula was fitted to several families."""
    listed = ", ".join(families)
    return f"; of several families ({listed}), which one formula need not fit" if len(families) > 1 else ""


def _plain(rows: list[Row], fit: AccuracyFit | None, families: list[str]) -> dict[str, object]:
    found = fronts(rows)
    constants = fit and {"p": fit.p, "p1": fit.p1, "p2": fit.p2, "error": fit.error, "networks": fit.cells}
    return {
        "runs": [row.plain() for row in rows],
        "fronts": {what: {"best": list(one.best), "dominated": one.dominated} for what, one in found.items()},
        "fit": constants and {**constants, "families": families},
    }


def _table(rows: list[Row], how: str) -> Table:
    precisions = dict.fromkeys(row.precision for row in rows if row.precision)
    how = ", ".join([how, *precisions]) if len(precisions) == 1 else how
    caption = f"positions/s: {how}" if precisions else ""
    table = Table("run", "network", box=None, pad_edge=False, caption=caption, caption_justify="left")
    for head in ("parameters", "MFLOP", "positions/s", "samples", "accuracy, %", "MSE"):
        table.add_column(head, justify="right")
    for row in rows:
        speed = _shown(row.speed, number)
        speed += f" {row.precision}" if len(precisions) > 1 else ""
        table.add_row(
            row.name, row.network, f"{row.parameters:,}", f"{row.operations / 1e6:,.1f}", speed, f"{row.samples:,}",
            _shown(row.accuracy, "{:.2f}".format), _shown(row.mse, "{:.4f}".format),
        )  # fmt: skip
    return table


def _shown(value: float, form: Callable[[float], str]) -> str:
    """A number in this form; nothing where there is none, as the accuracy of a network without a policy."""
    return "" if value != value else form(value)


def _by_epoch(runs: list[Run], column: str, title: str, factor: float) -> Table:
    table = Table("samples", *(run.name for run in runs), title=title, title_justify="left", box=None)
    marks = sorted({int(row["samples"]) for run in runs for row in run.history})
    for mark in marks:
        found = [next((row for row in run.history if int(row["samples"]) == mark), None) for run in runs]
        table.add_row(f"{mark:,}", *(_shown(factor * row[column], "{:.4g}".format) if row else "" for row in found))
    return table


def _grid(runs: list[Run], fit: AccuracyFit) -> Table:
    """Accuracies by width and depth as in the paper's Table 8, extrapolated ones in brackets."""
    cells = accuracies(runs)
    depths, widths = (sorted({shape[axis] for shape in cells}) for axis in (0, 1))
    depths, widths = [*depths, 2 * depths[-1]], [*widths, 2 * widths[-1]]
    table = Table("w \\ d", *map(str, depths), box=None, pad_edge=False)
    for width, line in zip(widths, extrapolated(cells, fit, depths, widths), strict=True):
        table.add_row(str(width), *line)
    return table
