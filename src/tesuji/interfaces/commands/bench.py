"""`tesuji bench`: how fast every part is here, and one signature of behaviour."""

import importlib
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.measuring import Measurement
from tesuji.base.pixels import check_plot
from tesuji.base.quantities import number
from tesuji.base.settings import check_names, did_you_mean
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.terminal import speed_table
from tesuji.interfaces.terminal.devices import MeasuredDevice, devices
from tesuji.interfaces.terminal.options import AsCsv, AsJson, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins
from tesuji.interfaces.terminal.speed_table import SpeedOptions
from tesuji.networks import library
from tesuji.networks.devices import PRECISIONS
from tesuji.networks.evaluators.factory import Running, evaluator, load
from tesuji.networks.evaluators.speed import BATCHES, USUAL, USUAL_LARGE, model

# Part -> module with `measure(seconds, ...) -> list[Measurement]`; networks fill a table of their own.
PARTS = {
    "board": "tesuji.go.bench",
    "data": "tesuji.training.data.bench",
    "networks": "",
    "search": "tesuji.search.bench",
    "selfplay": "tesuji.learning.selfplay.bench",
}

EXAMPLES = examples(
    ("everything, a few minutes", "tesuji bench"),
    ("the rules alone, for a program", "tesuji bench board --json"),
    ("two networks by board and batch", "tesuji bench networks default-9x9 se.8.192.48 --size 9 --size 19"),
)


def main(
    part: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(PARTS)}. All when left out.")] = None,
    names: Annotated[
        list[str] | None, typer.Argument(help="Networks, after `networks`; a packed file of 19x19 games, after `data`.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each line.")] = 1.0,
    batch: Annotated[list[int] | None, typer.Option(help="Batch sizes of networks; repeat it.")] = None,
    size: Annotated[list[int] | None, typer.Option(help="Board sizes of networks; 9 when left out; repeat it.")] = None,
    threads: Annotated[list[int] | None, typer.Option(min=1, help="Threads of networks; repeat it.")] = None,
    callers: Annotated[int, typer.Option(min=1, help="Evaluations of networks side by side.")] = 1,
    device: MeasuredDevice = "cpu",
    precision: Annotated[
        str, typer.Option(help="Of networks and in the search: fp32, int8, bf16, auto, or all that a file holds.")
    ] = "all",
    plot: Annotated[Path | None, typer.Option(help="Draw the networks' speeds into this file.")] = None,
    plugin: Plugins = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Measures speed and prints one deterministic signature of behaviour."""
    if part is not None and part not in PARTS:
        raise InputError(f"no part '{part}' to measure{did_you_mean(part, PARTS)}")
    if names and (part not in {"networks", "data"} or (part == "data" and len(names) > 1)):
        raise InputError("names are for `tesuji bench networks`, and one packed file is for `tesuji bench data`")
    if part != "networks" and (batch or size or threads or callers > 1 or plot):
        raise InputError("--batch, --size, --threads, --callers and --plot are for `tesuji bench networks`")
    _check_running(part, device, precision)
    check_form(as_json, as_csv)
    check_plot(plot)
    load_plugins(plugin)
    told = Console(stderr=True, quiet=is_quiet(quiet))
    console = Console(quiet=as_json or as_csv)
    rows: list[dict[str, object]] = []
    where = devices([device], "auto")
    for name in [part] if part else PARTS:
        if name == "networks":
            options = SpeedOptions(
                size or [9], batch or BATCHES, threads or [1], callers, seconds / 3, ",".join(where), precision
            )
            measured = speed_table.measured(told, names or _usual(), options)
            if not names and not size:
                measured += speed_table.measured(told, USUAL_LARGE, replace(options, sizes=[19]))
            console.print("networks")
            speed_table.show(console, measured, options, plot)
            rows += [{"part": name, **speed.row()} for speed in measured]
        else:
            running = [Running.on(each, "auto" if precision == "all" else precision) for each in where]
            lines = _measured(told, name, seconds, names or [], running)
            console.print(_table(name, lines))
            rows += [{"part": name, "name": line.name, "value": line.value, "unit": line.unit} for line in lines]
    console.print(f"signature {signature()}", highlight=False)
    if as_json:
        print_json({"signature": signature(), "lines": rows})
    elif as_csv:
        print_csv(rows)


def _usual() -> list[str]:
    """Without torch, which builds the zoo, the built-in model alone."""
    return [name for name in USUAL if find_spec("torch") or name in library.names()]


def _check_running(part: str | None, device: str, precision: str) -> None:
    if part not in {None, "networks", "search"} and (device != "cpu" or precision != "all"):
        why = "selfplay measures the CPU in both precisions" if part == "selfplay" else f"{part} runs none"
        raise InputError(f"--device and --precision are for networks and the search; {why}")
    check_names([precision], [*PRECISIONS, "all"], "precision")


def _measured(told: Console, name: str, seconds: float, files: list[str], running: list[Running]) -> list[Measurement]:
    with told.status(f"measuring {name}"):
        measure = importlib.import_module(PARTS[name]).measure
        subjects: Iterable[object] = _networks_of_search(running) if name == "search" else map(Path, files)
        return list(measure(seconds, *subjects))


def _table(name: str, lines: list[Measurement]) -> Table:
    table = Table(title=name, title_justify="left", show_header=False, box=None)
    for line in lines:
        table.add_row(line.name, number(line.value, 1 if line.unit.startswith("%") else 0), line.unit)
    return table


def _networks_of_search(running: list[Running]) -> tuple[Evaluator, list[Evaluator]]:
    """The search may not know networks: it is given one to record answers of, and one a device, two at least."""
    integers = any(one.precision == "int8" for one in running)
    name = "se.8.192.48" if find_spec("torch") and not integers else "default-9x9"
    data = model(name, size=9)
    side_by_side = running * 2 if len(running) == 1 else running
    return load("default-9x9"), [evaluator(data, name, one) for one in side_by_side]


def signature() -> str:
    """Rules, ladders, planes and search in two words: the first tells of the rules alone."""
    from tesuji.go import bench
    from tesuji.search.signature import signature as search_signature

    return f"{bench.signature()}-{search_signature()}"
