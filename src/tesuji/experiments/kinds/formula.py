"""Table 8 of the 2021 paper: accuracies extrapolated by a formula fitted to those that were measured."""

from typing import Any

from tesuji.experiments.accuracy_fit import PAPER_FIT, fit_accuracy
from tesuji.experiments.kinds.labels import axes, check_settings, grid
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.paper_table import paper_accuracies
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Nothing but rows and columns to say."""
    check_settings(recipe, settings, ("rows", "columns"))


def run(recipe: Recipe, work: Work) -> Outcome:
    """The exact fit to Table 6; cells that the paper measured stay as they are, others in brackets."""
    seen = paper_accuracies()
    fit = fit_accuracy(seen)
    cells = {}
    for row, column, _ in grid(recipe, work.settings):
        shape = int(column), int(row)
        value = seen.get(shape, PAPER_FIT.accuracy(*shape))
        exact = fit.accuracy(*shape)
        text = f"{value:.2f}" if shape in seen else f"({value:.2f})"
        cells[row, column] = Measured(round(value, 2), text=f"{text}, exact fit ({exact:.2f})")
    rows, columns = axes(recipe, work.settings)
    notes = [
        f"At the paper's constants (p 32.2, p1 2.7, p2 3.45) the error over the {len(seen)} cells of Table 6 is "
        f"{PAPER_FIT.total_error(seen):.3f}; the paper says 2.70.",
        f"The exact minimum: {fit.in_words()}.",
    ]
    return Outcome(cells, list(rows), list(columns), notes=notes)
