"""`tesuji reproduce`: the papers' tables and figures on this machine, one command each."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.experiments.recipe import BUDGETS, recipes
from tesuji.experiments.reproduce import NEEDS_DATA, reproduce
from tesuji.experiments.work import Told


def main(
    name: Annotated[str, typer.Argument(help="the table or figure; a list of all when left out")] = "",
    budget: Annotated[str, typer.Option(help=f"{', '.join(BUDGETS)}: how much of the paper's effort")] = "small",
    data: Annotated[list[Path] | None, typer.Option(help="packed games to train on; repeat it")] = None,
    size: Annotated[int | None, typer.Option(help="lines of the board; the recipe's when left out")] = None,
    networks: Annotated[
        list[str] | None,
        typer.Option(help="ROW=FILE: a trained network for a row; one FILE alone: the network of a table of matches"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="folder of the work and the page")] = None,
    quiet: Annotated[bool, typer.Option(help="no progress")] = False,
) -> None:
    """Runs an experiment of the papers: the paper's numbers, ours, agreement in words. A killed run goes on."""
    if not name:
        _list()
        return
    check_names([budget], BUDGETS, "budget")
    console = Console(stderr=True, highlight=False, quiet=quiet)

    def tell(told: Told) -> None:
        left = "" if told.seconds_left is None else f", about {_duration(told.seconds_left)} left"
        console.print(f"{told.done + 1} of {told.total}: {told.doing}{left}", markup=False)

    try:
        found = reproduce(
            name, budget=budget, data=data or [], networks=_files(networks or []), size=size, folder=out, tell=tell
        )
    except KeyboardInterrupt:
        console.print("interrupted; the same command goes on.")
        raise typer.Exit(130) from None
    print(found.markdown())
    for sentence in [*found.verdict, *found.outcome.notes]:
        print(sentence)
    print(f"page: {found.page}")


def _list() -> None:
    table = Table("experiment", "shows", "also shows", "needs", box=None, pad_edge=False)
    for one in recipes().values():
        needs = "--data" if one.kind in NEEDS_DATA else ""
        table.add_row(one.name, one.title, ", ".join(one.covers), needs)
    Console(highlight=False).print(table)


def _files(texts: list[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        row, sign, path = text.partition("=")
        row, path = (row, path) if sign else ("network", text)
        if not row or not path:
            raise InputError(f"--networks takes ROW=FILE or FILE, not '{text}'")
        found[row] = path
    return found


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{max(minutes, 1)} min"
