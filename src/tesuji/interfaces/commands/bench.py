"""`tesuji bench`: how fast every part is here, and one signature of behaviour."""

import importlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.terminal import speed_table
from tesuji.interfaces.terminal.speed_table import SpeedOptions
from tesuji.networks import library
from tesuji.networks.evaluators.factory import evaluator, load
from tesuji.networks.evaluators.speed import BATCHES, USUAL, model

# Part -> module with `measure(seconds, ...) -> list[Measurement]`; networks fill a table of their own.
PARTS = {
    "board": "tesuji.go.bench",
    "data": "tesuji.training.data.bench",
    "networks": "",
    "search": "tesuji.search.bench",
    "selfplay": "tesuji.learning.selfplay.bench",
}


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
    plot: Annotated[Path | None, typer.Option(help="Draw the networks' speeds into this file.")] = None,
) -> None:
    """Measures speed and prints one deterministic signature of behaviour."""
    if part is not None and part not in PARTS:
        raise InputError(f"no part '{part}' to measure; known: {', '.join(PARTS)}")
    if names and (part not in {"networks", "data"} or (part == "data" and len(names) > 1)):
        raise InputError("names are for `tesuji bench networks`, and one packed file is for `tesuji bench data`")
    if part != "networks" and (batch or size or threads or callers > 1 or plot):
        raise InputError("--batch, --size, --threads, --callers and --plot are for `tesuji bench networks`")
    console = Console()
    for name in [part] if part else PARTS:
        if name == "networks":
            options = SpeedOptions(size or [9], batch or BATCHES, threads or [1], callers, seconds / 3)
            console.print("networks")
            speed_table.show(console, names or _usual(), options, plot)
        else:
            _show(console, name, seconds, names or [])
    console.print(f"signature {signature()}", highlight=False)


def _usual() -> list[str]:
    """Without torch, which builds the zoo, the built-in model alone."""
    return [name for name in USUAL if find_spec("torch") or name in library.names()]


def _show(console: Console, name: str, seconds: float, files: list[str]) -> None:
    table = Table(title=name, title_justify="left", show_header=False, box=None)
    with console.status(f"measuring {name}"):
        measure = importlib.import_module(PARTS[name]).measure
        subjects: Iterable[object] = _networks_of_search() if name == "search" else map(Path, files)
        for line in measure(seconds, *subjects):
            digits = 1 if line.unit.startswith("%") else 0
            table.add_row(line.name, f"{line.value:,.{digits}f}".replace(",", " "), line.unit)
    console.print(table)


def _networks_of_search() -> tuple[Evaluator, list[Evaluator]]:
    """The search may not know networks: it is given one to record answers of, and two to use side by side."""
    pair = "se.8.192.48" if find_spec("torch") else "default-9x9"
    data = model(pair, size=9)
    return load("default-9x9"), [evaluator(data, pair) for _ in range(2)]


def signature() -> str:
    """Rules, ladders, planes and search in two words: the first tells of the rules alone."""
    from tesuji.go import bench
    from tesuji.search.signature import signature as search_signature

    return f"{bench.signature()}-{search_signature()}"
