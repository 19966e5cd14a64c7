"""Training curves in the manner of the papers' figures: policy accuracy and value error by epoch, runs side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.training.run.logs import Table

# What each panel shows: validation column, title, factor.
_PANELS = (
    ("top1", "policy accuracy, %", 100.0),
    ("value_mse", "value MSE", 1.0),
    ("cross_entropy", "policy cross entropy", 1.0),
    ("value_accuracy", "value accuracy, %", 100.0),
    ("calibration", "calibration error", 1.0),
)


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
            axes.plot(xs, [factor * row[column] for row in validation], marker="o", markersize=3, label=label)
            _dress(axes, title)
        loss = panels[len(_PANELS)]
        loss.plot([row["epoch"] for row in training], [row["loss"] for row in training], linewidth=1, label=label)
        _dress(loss, "training loss")
    panels[0].legend(fontsize="small")
    partial = picture.with_name(f".{picture.name}.partial{picture.suffix}")
    figure.savefig(partial, dpi=110)
    partial.replace(picture)


def _curves(run: Path) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    if not run.is_dir():
        raise InputError(f"no run '{run}': there is no such folder")
    training, validation = Table(run / "log.csv").rows(), Table(run / "validation.csv").rows()
    if not training and not validation:
        raise InputError(f"'{run}' holds no log.csv or validation.csv with rows: nothing to draw yet")
    return training, validation


def _dress(axes: Any, title: str) -> None:
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel("epoch")
    axes.grid(alpha=0.3)
