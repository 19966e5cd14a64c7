"""The Pareto front of the papers' accuracies over speeds measured here."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from tesuji.experiments.figures import scatter
from tesuji.experiments.kinds.labels import check_settings
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.paper_table import paper_accuracies
from tesuji.experiments.pareto import Point, front
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.zoo.naming import parse

SETTINGS = ("size", "batch", "seconds", "residual", "dominated", "most_parameters")


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """The residual networks and those the paper calls dominated must exist."""
    check_settings(recipe, settings, SETTINGS)
    for name in [*settings["residual"], *settings["dominated"]]:
        parse(name)


def run(recipe: Recipe, work: Work) -> Outcome:
    """Measures every network of Table 6 and tells who is dominated here and in the paper."""
    settings = work.settings
    accuracies = {f"se.{depth}.{width}": accuracy for (depth, width), accuracy in paper_accuracies().items()}
    accuracies |= settings["residual"]
    work.total = len(accuracies)
    speeds = {name: float(work.step(f"speed of {name}", partial(_speed, work, name))) for name in accuracies}
    found = front([Point(name, speeds[name], accuracy) for name, accuracy in accuracies.items()])
    cells = {}
    for name, accuracy in accuracies.items():
        cells[name, "accuracy (paper)"] = Measured(accuracy)
        cells[name, "positions/s here"] = Measured(speeds[name])
        cells[name, "dominated here"] = _truth(name in found.dominated)
        cells[name, "dominated in the paper"] = _truth(name in settings["dominated"])
    points = {
        "on the front": [(speeds[name], accuracies[name]) for name in found.best],
        "dominated": [(speeds[name], accuracies[name]) for name in found.dominated],
    }
    rows = sorted(accuracies, key=lambda name: -speeds[name])
    columns = ["accuracy (paper)", "positions/s here", "dominated here", "dominated in the paper"]
    figure = scatter("accuracy against speed", points, "positions a second", "accuracy, %", joined=["on the front"])
    return Outcome(cells, rows, columns, [figure], _words(found.dominated, settings), ["tesuji networks --speed"])


def _speed(work: Work, name: str) -> float:
    settings = work.settings
    size, batch = work.size or settings.get("size"), int(settings.get("batch", 32))
    return next(iter(measure(name, size=size, batches=[batch], seconds=float(settings.get("seconds", 0.3))))).positions


def _truth(value: bool) -> Measured:
    return Measured(float(value), text="yes" if value else "no")


def _words(dominated: Mapping[str, str], settings: Mapping[str, Any]) -> list[str]:
    theirs, ours = set(settings["dominated"]), set(dominated)
    return [
        f"Dominated in both: {', '.join(sorted(ours & theirs)) or 'none'}.",
        f"Only here: {', '.join(sorted(ours - theirs)) or 'none'}. Only in the paper: "
        f"{', '.join(sorted(theirs - ours)) or 'none'}.",
        f"{len(ours & theirs)} of the paper's {len(theirs)} dominated networks are dominated on this machine, too.",
    ]
