"""Training runs as rows to compare: what the network costs, how fast it is here, and how well it learned."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.toml import read_toml
from tesuji.experiments.accuracy_fit import AccuracyFit, Cells, fit_accuracy
from tesuji.experiments.pareto import Front, Point, front
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.zoo.naming import parse
from tesuji.training.run.logs import validations


@dataclass(frozen=True)
class Run:
    """One training run, read from its folder."""

    name: str
    folder: Path
    network: str
    planes: str | None
    size: int | None
    history: tuple[Mapping[str, float], ...]
    """One row for each validation."""

    @property
    def shape(self) -> tuple[int, int]:
        """Depth and width of the network."""
        return parse(self.network).shape

    @property
    def model(self) -> str:
        """What its speed is measured of: the trained file, integers and all, or the name where there is none yet."""
        best = self.folder / "best.onnx"
        return str(best) if best.is_file() else self.network


@dataclass(frozen=True)
class Row:
    """A run with its costs; accuracy in percent, speed in positions a second."""

    name: str
    network: str
    parameters: int
    operations: int
    speed: float
    precision: str
    """What the network calculated with while its speed was measured; empty where none was."""
    samples: int
    seconds: float
    accuracy: float
    mse: float

    def plain(self) -> dict[str, Any]:
        """For JSON and CSV."""
        return {key: None if _is_nan(value) else value for key, value in asdict(self).items()}


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def read_run(folder: Path) -> Run:
    """The run in a folder of `tesuji train`. Raises `ValueError` where there is none, or nothing validated yet."""
    if not (folder / "config.toml").is_file():
        raise InputError(f"no training run in '{folder}': there is no config.toml")
    history = validations(folder)
    if not history:
        raise InputError(f"the run in '{folder}' has no validation yet; train on, or leave it out")
    told = read_toml(folder / "config.toml")
    size, network = told.get("size"), str(told.get("network", ""))
    try:
        parse(network)
    except ValueError as fault:
        raise InputError(
            f"the run in '{folder}' trained '{network}', no network that is known by name; "
            "--plugin reads a file that registers one"
        ) from fault
    return Run(
        folder.resolve().name, folder, network, told.get("planes"),
        None if size is None else int(size), tuple(history),
    )  # fmt: skip


def row_of(
    run: Run, *, batch: int = 8, seconds: float = 0.3, device: str = "cpu", precision: str = "auto", speed: bool = True
) -> Row:
    """What there is to compare; the last validation counts, and speed is measured here with one thread."""
    from tesuji.networks.zoo.cost import operations, parameters  # brings torch: `--help` of the commands needs none

    last = run.history[-1]
    rate, calculated = math.nan, ""
    if speed:
        how: dict[str, Any] = {"batches": [batch], "seconds": seconds, "device": device, "precision": precision}
        found = next(measure(run.model, planes=run.planes, size=run.size, **how))
        rate, calculated = found.positions, found.precision
    return Row(
        name=run.name,
        network=run.network,
        parameters=parameters(run.network, run.planes, run.size),
        operations=operations(run.network, run.planes, run.size),
        speed=rate,
        precision=calculated,
        samples=int(last.get("samples", 0)),
        seconds=last.get("seconds", math.nan),
        accuracy=100 * last["top1"],
        mse=last["value_mse"],
    )


def fronts(rows: Sequence[Row]) -> dict[str, Front]:
    """The Pareto fronts of accuracy and of squared error against speed, each of the networks that have both."""
    points = {
        "accuracy": [Point(row.name, row.speed, row.accuracy) for row in rows],
        "MSE": [Point(row.name, row.speed, -row.mse) for row in rows],
    }
    known = {
        what: [one for one in listed if not math.isnan(one.speed + one.quality)] for what, listed in points.items()
    }
    return {what: front(listed) for what, listed in known.items() if len(listed) > 1}


def accuracies(runs: Sequence[Run]) -> Cells:
    """The accuracy in percent of each shape that has a policy; of runs of equal shape the best counts."""
    cells: dict[tuple[int, int], float] = {}
    for run in _with_policy(runs):
        accuracy = 100 * run.history[-1]["top1"]
        cells[run.shape] = max(cells.get(run.shape, 0.0), accuracy)
    return cells


def _with_policy(runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if not math.isnan(run.history[-1]["top1"])]


def fit_of(runs: Sequence[Run]) -> AccuracyFit | None:
    """The 2021 paper's formula fitted to these runs, where their shapes allow it."""
    try:
        return fit_accuracy(accuracies(runs))
    except InputError:
        return None


def families_of(runs: Sequence[Run]) -> list[str]:
    """Families of the networks that have a policy, each once: one formula of accuracy need not fit several."""
    return list(dict.fromkeys(parse(run.network).family.name for run in _with_policy(runs)))
