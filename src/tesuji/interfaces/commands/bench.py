"""`tesuji bench`: how fast every part is here, and one signature of behaviour."""

import importlib
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

# Part -> module with `measure(seconds) -> list[Measurement]`.
PARTS = {
    "board": "tesuji.go.bench",
    "data": "tesuji.training.bench",
    "networks": "tesuji.networks.bench",
    "search": "tesuji.search.bench",
    "selfplay": "tesuji.learning.bench",
}


def main(
    part: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(PARTS)}. All when left out.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each line.")] = 1.0,
) -> None:
    """Measures speed and prints one deterministic signature of behaviour."""
    from tesuji.networks.evaluator import load

    if part is not None and part not in PARTS:
        raise ValueError(f"no part '{part}' to measure; known: {', '.join(PARTS)}")
    console = Console()
    for name in [part] if part else PARTS:
        table = Table(title=name, title_justify="left", show_header=False, box=None)
        with console.status(f"measuring {name}"):
            measure = importlib.import_module(PARTS[name]).measure
            # The search may not know networks: it is given the one whose answers it records.
            lines = measure(seconds, load("default-9x9")) if name == "search" else measure(seconds)
            for line in lines:
                table.add_row(line.name, f"{line.value:,.0f}".replace(",", " "), line.unit)
        console.print(table)
    console.print(f"signature {signature()}", highlight=False)


def signature() -> str:
    """Rules, ladders, planes and search in two words: the first tells of the rules alone."""
    from tesuji.go import bench
    from tesuji.search.signature import signature as search_signature

    return f"{bench.signature()}-{search_signature()}"
