"""The Pareto front of the papers' accuracies over speeds measured here."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tesuji.experiments.figures import scatter
from tesuji.experiments.kinds.by_hand import networks_command
from tesuji.experiments.kinds.labels import check_settings
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.paper_table import paper_accuracies
from tesuji.experiments.pareto import Front, Point, front
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.zoo.naming import parse

SETTINGS = ("size", "batch", "seconds", "residual", "dominated")
SPEED = "positions/s here"


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """The residual networks and those the paper calls dominated must exist."""
    check_settings(recipe, settings, SETTINGS, ("residual", "dominated"))
    for name in [*settings["residual"], *settings["dominated"]]:
        parse(name)


def run(recipe: Recipe, work: Work) -> Outcome:
    """Measures every network of Table 6 and tells who is dominated here and in the paper."""
    accuracies = {f"se.{depth}.{width}": accuracy for (depth, width), accuracy in paper_accuracies().items()}
    accuracies |= work.settings["residual"]
    work.total = len(accuracies)
    size = work.size or work.settings.get("size")
    speeds = {name: speed_of(work, name, name, size) for name in accuracies}
    found = front([Point(name, speeds[name], accuracy) for name, accuracy in accuracies.items()])
    quality = {name: Measured(accuracy) for name, accuracy in accuracies.items()}
    outcome = told(work.settings, "accuracy (paper)", quality, speeds, found)
    return replace(outcome, commands=[speed_command(work, list(accuracies), size)])


def speed_of(work: Work, name: str, model: str, size: int | None = None) -> float:
    """Positions a second of a network, in floats, measured once."""
    batch, seconds = int(work.settings.get("batch", 32)), float(work.settings.get("seconds", 0.3))
    asked = partial(measure, model, size=size, batches=[batch], seconds=seconds, precision="fp32")
    return float(work.step(f"speed of {name}", lambda: next(iter(asked())).positions))


def speed_command(work: Work, models: Sequence[str], size: int | None = None) -> str:
    """The same measurements by hand."""
    batch, seconds = int(work.settings.get("batch", 32)), float(work.settings.get("seconds", 0.3))
    return networks_command(models, [batch], size, seconds, "fp32")


def told(
    settings: Mapping[str, Any], what: str, quality: Mapping[str, Measured], speeds: Mapping[str, float], found: Front
) -> Outcome:
    """The table, fastest first, the figure of the front, and how far it dominates whom it does in the paper."""
    theirs = [name for name in settings["dominated"] if name in quality]
    cells = {}
    for name, measured in quality.items():
        cells[name, what] = measured
        cells[name, SPEED] = Measured(speeds[name])
        cells[name, "dominated here"] = _truth(name in found.dominated)
        cells[name, "dominated in the paper"] = _truth(name in theirs)
    points = {
        "on the front": [(speeds[name], quality[name].value) for name in found.best],
        "dominated": [(speeds[name], quality[name].value) for name in found.dominated],
    }
    rows = sorted(quality, key=lambda name: -speeds[name])
    columns = [what, SPEED, "dominated here", "dominated in the paper"]
    figure = scatter(f"{what} against speed", points, "positions a second", what, joined=["on the front"])
    words = _words(set(found.dominated), set(theirs))
    return Outcome(cells, rows, columns, [figure], agreement=words)


def _truth(value: bool) -> Measured:
    return Measured(float(value), text="yes" if value else "no")


def _words(ours: set[str], theirs: set[str]) -> list[str]:
    return [
        f"{len(ours & theirs)} of the {len(theirs)} networks that the paper calls dominated are dominated here, too.",
        f"Dominated in both: {', '.join(sorted(ours & theirs)) or 'none'}.",
        f"Only here: {', '.join(sorted(ours - theirs)) or 'none'}. Only in the paper: "
        f"{', '.join(sorted(theirs - ours)) or 'none'}.",
    ]
