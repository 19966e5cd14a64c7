"""Training curves in the manner of the papers' figures: accuracy and error by epoch, samples, time or parameters."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.base.toml import read_toml
from tesuji.training.run.logs import CsvLog, validations

# What each panel shows: validation column, title, factor.
_PANELS = (
    ("top1", "policy accuracy, %", 100.0),
    ("value_mse", "value MSE", 1.0),
    ("cross_entropy", "policy cross entropy", 1.0),
    ("value_accuracy", "value accuracy, %", 100.0),
    ("calibration", "calibration error", 1.0),
)
MEASURES = {column: (column, title, factor) for column, title, factor in _PANELS} | {
    "accuracy": _PANELS[0],
    "mse": _PANELS[1],
}
# What runs may be drawn over: column of the tables and factor.
_ACROSS = {"epoch": ("epoch", 1.0), "samples": ("samples", 1.0), "time": ("seconds", 1 / 60)}
X = (*_ACROSS, "parameters")


def draw_one(runs: Sequence[Path], picture: Path, x: str = "epoch", y: str = "accuracy") -> None:
    """One panel: a measure of the validations over epochs, samples, minutes, or at the end by parameters.

    Raises `ValueError` for names that are none, and for folders without a run.
    """
    check_names([x], X, "axis")
    check_names([y], MEASURES, "measure")
    column, title, factor = MEASURES[y]
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.subplots()
    points: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        validation = _validations_with(run, [column, *([_ACROSS[x][0]] if x in _ACROSS else [])])
        label = run.resolve().name
        if x == "parameters":
            family, size = _size(run)
            points.setdefault(family, []).append((size, factor * validation[-1][column]))
            axes.annotate(label, points[family][-1], fontsize="x-small")
        else:
            across, unit = _ACROSS[x]
            points[label] = [(unit * row[across], factor * row[column]) for row in validation]
    for label, listed in points.items():
        axes.plot(*zip(*sorted(listed), strict=True), marker="o", markersize=3, label=label)
    _dress(axes, title, "minutes" if x == "time" else x)
    axes.legend(fontsize="small")
    _save(figure, picture)


def _size(run: Path) -> tuple[str, int]:
    """The family and the parameters of a run's network."""
    from tesuji.networks.zoo.cost import parameters
    from tesuji.networks.zoo.naming import parse

    told = read_toml(run / "config.toml")
    return parse(told["network"]).family.name, parameters(told["network"], told.get("planes"), told.get("size"))


def draw(runs: Sequence[Path], picture: Path) -> None:
    """Draws the curves of one or more run folders into one picture.

    Raises `ValueError` when a folder holds no run, or a run nothing to draw yet.
    """
    tables = {run: _curves(run) for run in runs}
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 7.5), layout="constrained")
    panels = figure.subplots(2, 3).ravel()
    for run, (training, validation) in tables.items():
        label = run.resolve().name
        for axes, (column, title, factor) in zip(panels, _PANELS, strict=False):
            xs = [row["epoch"] for row in validation]
            axes.plot(
                xs, [factor * row.get(column, math.nan) for row in validation], marker="o", markersize=3, label=label
            )
            _dress(axes, title)
        loss = panels[len(_PANELS)]
        loss.plot([row["epoch"] for row in training], [row["loss"] for row in training], linewidth=1, label=label)
        _dress(loss, "training loss")
    panels[0].legend(fontsize="small")
    _save(figure, picture)


def _validated(run: Path) -> list[dict[str, float]]:
    """The validations; those of a folder without settings are drawn over epochs only."""
    return validations(run) if (run / "config.toml").exists() else CsvLog(run / "validation.csv").rows()


def _save(figure: Any, picture: Path) -> None:
    partial = picture.with_name(f".{picture.name}.partial{picture.suffix}")
    figure.savefig(partial, dpi=110)
    partial.replace(picture)


def _curves(run: Path) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    if not run.is_dir():
        raise InputError(f"no run '{run}': there is no such folder")
    training, validation = CsvLog(run / "log.csv").rows(), _validated(run)
    if not training and not validation:
        raise InputError(f"'{run}' holds no log.csv or validation.csv with rows: nothing to draw yet")
    return training, validation


def _validations_with(run: Path, columns: Sequence[str]) -> list[dict[str, float]]:
    """The validations of a run that tells these columns."""
    _, validation = _curves(run)
    if not validation:
        raise InputError(f"the run in '{run}' has no validation yet; train on, or leave it out")
    missing = [column for column in columns if column not in validation[0]]
    if missing:
        raise InputError(f"validation.csv in '{run}' has no column {missing[0]}; it tells {', '.join(validation[0])}")
    return validation


def _dress(axes: Any, title: str, across: str = "epoch") -> None:
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(across)
    axes.grid(alpha=0.3)
