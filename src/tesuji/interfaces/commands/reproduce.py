"""`tesuji reproduce`: the papers' tables and figures on this machine, one command each."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.quantities import duration
from tesuji.base.settings import check_names
from tesuji.experiments.recipe import BUDGETS, broken_recipes, recipe, recipes
from tesuji.interfaces.terminal.interrupts import ended_as_interrupt
from tesuji.interfaces.terminal.options import OUT, Quiet, examples, is_quiet

if TYPE_CHECKING:
    from tesuji.experiments.work import Told

EXAMPLES = examples(
    ("what there is", "tesuji reproduce"),
    ("parameters of the papers' networks, counted at once", "tesuji reproduce 2021-table-4"),
)

_WIDE = 160
_TRAINED = "folder in which experiments share trained networks; reproduce/trained where --out is left out"


def main(
    name: Annotated[str, typer.Argument(help="the table or figure; a list of all when left out")] = "",
    budget: Annotated[str, typer.Option(help=f"{', '.join(BUDGETS)}: how much of the paper's effort")] = "small",
    data: Annotated[list[Path] | None, typer.Option(help="packed games to train on; repeat it")] = None,
    size: Annotated[int | None, typer.Option(help="lines of the board; the recipe's when left out")] = None,
    networks: Annotated[
        list[str] | None,
        typer.Option(help="ROW=FILE: a trained network for a row; one FILE alone: the network of a table of matches"),
    ] = None,
    out: Annotated[Path | None, typer.Option(*OUT, help="folder of the work and the page")] = None,
    trained: Annotated[Path | None, typer.Option(help=_TRAINED)] = None,
    quiet: Quiet = False,
) -> None:
    """Runs an experiment of the papers: the paper's numbers, ours, agreement in words. A killed run goes on."""
    if not name:
        _list()
        return
    recipe(name)
    check_names([budget], BUDGETS, "budget")
    from tesuji.experiments.reproduce import reproduce  # brings torch: what is misspelt is told at once

    console = Console(stderr=True, highlight=False, quiet=is_quiet(quiet))

    def tell(told: "Told") -> None:
        left = "" if told.seconds_left is None else f", about {duration(told.seconds_left)} left"
        share = f", {told.share:.0%} done" if told.share else ""
        console.print(f"{told.done + 1} of {told.total}: {told.doing}{share}{left}", markup=False)

    given = _files(networks or [])
    try:
        with ended_as_interrupt():
            found = reproduce(
                name, budget=budget, data=data or [], networks=given, size=size, folder=out, trained=trained, tell=tell
            )
    except KeyboardInterrupt:
        console.print("interrupted; the same command goes on.")
        raise typer.Exit(130) from None
    print(found.markdown())
    for sentence in [*found.verdict, *found.outcome.notes]:
        print(sentence)
    print(f"page: {found.page}")


def _list() -> None:
    table = Table("experiment", "shows", "needs", box=None, pad_edge=False)
    for one in recipes().values():
        also = f" (with {', '.join(one.covers)})" if one.covers else ""
        table.add_row(one.name, one.title + also, "--data" if one.needs_data else "")
    console = Console(highlight=False)
    # A file has no width: there every experiment has one line, for whoever searches it.
    (console if console.is_terminal else Console(highlight=False, width=_WIDE)).print(table)
    for problem in broken_recipes().values():
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"left out: {problem}", markup=False)


def _files(texts: list[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        row, sign, path = text.partition("=")
        row, path = (row, path) if sign else ("network", text)
        if not row or not path:
            raise InputError(f"--networks takes ROW=FILE or FILE, not '{text}'")
        found[row] = path
    return found
