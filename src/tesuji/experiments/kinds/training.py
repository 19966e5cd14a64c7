"""Tables and figures of trained networks: each row, or each cell, one network trained alike."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.experiments.accuracy_fit import fit_accuracy
from tesuji.experiments.figures import curves
from tesuji.experiments.kinds.by_hand import train_command
from tesuji.experiments.kinds.labels import axes, check_settings, filled, grid, whole
from tesuji.experiments.long_steps import train_to_end
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work, slug
from tesuji.networks.zoo.cost import parameters
from tesuji.networks.zoo.naming import parse
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.logs import CsvLog

SETTINGS = ("rows", "columns", "like_paper", "network", "what", "samples", "points", "train", "x", "size", "fit_shape")
WHATS = ("accuracy", "mse", "parameters", "loss-at", "samples-per-second")
POINTS = 8  # validations of a training whose recipe says nothing else


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Networks, settings of the training and measures must exist."""
    check_settings(recipe, settings, SETTINGS)
    check_training(recipe, settings)
    for _, _, words in grid(recipe, settings):
        parse(_network(recipe, settings, words))
        check_names([_what(recipe, settings, words)], WHATS, "measure of a training")


def check_training(recipe: Recipe, settings: Mapping[str, Any]) -> None:
    """What `train_network` reads."""
    whole(recipe, settings, "samples")
    whole(recipe, settings, "points", usual=POINTS)
    TrainConfig().changed(settings.get("train", {}))


def to_train(recipe: Recipe, settings: dict[str, Any], networks: Mapping[str, str]) -> list[str]:
    """Every network of the table: what is compared was trained alike."""
    return list(dict.fromkeys(_network(recipe, settings, words) for _, _, words in grid(recipe, settings)))


def run(recipe: Recipe, work: Work) -> Outcome:
    """Trains what the table needs, each network once."""
    settings, cells = work.settings, {}
    listed = list(grid(recipe, settings))
    names = to_train(recipe, dict(settings), work.networks)
    work.total = len(names)
    trained = {name: train_network(work, name) for name in names}
    for row, column, words in listed:
        told = trained[_network(recipe, settings, words)]
        cells[row, column] = measured(told, _what(recipe, settings, words), words["column"])
    rows, columns = axes(recipe, settings)
    labels = {_network(recipe, settings, words): row for row, _, words in listed}
    if settings.get("network"):  # a grid, in which a row has several networks
        labels = {name: name for name in names}
    notes = [f"{labels[name]}: {name}, {told['parameters']:,} parameters." for name, told in trained.items()]
    if settings.get("fit_shape"):
        notes += _fitted(trained)
    commands = [training_command(work, name) for name in names]
    return Outcome(cells, list(rows), list(columns), _figures(settings, trained, labels), notes, commands)


def train_network(work: Work, name: str) -> dict[str, Any]:
    """Trains a network as the settings say, or goes on where a kill stopped it; what is to be told of it."""
    told: dict[str, Any] = work.step(f"train {name}", lambda: _train(work, name))
    return told


def model_file(work: Work, name: str) -> Path:
    """Where the trained network lies."""
    return training_folder(work, name) / "best.onnx"


def training_command(work: Work, name: str) -> str:
    """What trains it by hand."""
    return train_command(training_folder(work, name), name, work.data, _settings(work))


def training_folder(work: Work, name: str) -> Path:
    """Where a network is trained: within the experiment, or where other experiments find the same training."""
    if work.trained is None:
        return work.folder / "runs" / slug(name)
    data = [[Path(path).name, Path(path).stat().st_size] for path in work.data]
    told = json.dumps([parse(name).name, _settings(work), data], sort_keys=True)  # one network, however it is written
    return work.trained / f"{slug(parse(name).name)}-{hashlib.sha256(told.encode()).hexdigest()[:10]}"


def _settings(work: Work) -> dict[str, Any]:
    """What the training is told."""
    points, size = int(work.settings.get("points", POINTS)), work.size or work.settings.get("size")
    samples = max(1, int(work.settings["samples"]) // points)
    options = {"epoch_samples": samples, "epochs": points, **work.settings.get("train", {})}
    return options | ({"size": size} if size else {})


def _train(work: Work, name: str) -> dict[str, Any]:
    folder = training_folder(work, name)
    done = train_to_end(work, name, work.data, folder, _settings(work))
    log = CsvLog(folder / "log.csv").rows()
    return {
        "network": name,
        "parameters": parameters(name, done.config.planes, done.config.size),
        "history": done.history,
        "losses": [[row["samples"], row.get("nine", row.get("value", math.nan)), row["loss"]] for row in log],
        "seconds": log[-1]["seconds"] if log else math.nan,
    }


def measured(told: Mapping[str, Any], what: str, column: str = "") -> Measured:
    """One number of a training, with its error where positions were drawn for it."""
    last = told["history"][-1]
    if what == "parameters":
        return Measured(float(told["parameters"]))
    if what == "accuracy":
        share, positions = last["top1"], max(1.0, last.get("positions", 1.0))
        return Measured(round(100 * share, 2), round(100 * math.sqrt(share * (1 - share) / positions), 2))
    if what == "samples-per-second":
        return Measured(round(last["samples"] / told["seconds"], 1) if told["seconds"] else math.nan)
    if what == "loss-at":
        return _loss_at(told["losses"], float(column))
    return Measured(round(last["value_mse"], 5))


def _loss_at(losses: list[list[float]], share: float) -> Measured:
    """The loss of the value, of the nine outputs where there are, in thousandths, at this share of the samples."""
    known = [(samples, value) for samples, value, _ in losses if value == value]
    if not known:
        return Measured(math.nan, text="-")
    mark = share * known[-1][0]
    return Measured(round(1000 * min(known, key=lambda pair: abs(pair[0] - mark))[1], 1))


def _network(recipe: Recipe, settings: Mapping[str, Any], words: dict[str, str]) -> str:
    return filled(recipe, settings.get("network", "{row}"), words)


def _what(recipe: Recipe, settings: Mapping[str, Any], words: dict[str, str]) -> str:
    return filled(recipe, settings.get("what", "{column}"), words)


def _figures(settings: Mapping[str, Any], trained: Mapping[str, Any], labels: Mapping[str, str]) -> list[str]:
    """Accuracy and squared error over the training, or at its end by parameters and family."""
    drawn = []
    for column, title, factor in (("top1", "policy accuracy, %", 100.0), ("value_mse", "value MSE", 1.0)):
        series: dict[str, list[tuple[float, float]]] = {}
        for name, told in trained.items():
            if settings.get("x") == "parameters":
                family = series.setdefault(parse(name).family.name, [])
                family.append((told["parameters"], factor * told["history"][-1][column]))
            else:
                series[labels[name]] = [(row["samples"], factor * row[column]) for row in told["history"]]
        across = settings.get("x", "samples")
        drawn.append(curves(title, {name: sorted(points) for name, points in series.items()}, across, title))
    return [figure for figure in drawn if figure]


def _fitted(trained: Mapping[str, Any]) -> list[str]:
    cells = {parse(name).shape: told for name, told in trained.items()}
    try:
        fit = fit_accuracy({shape: 100 * told["history"][-1]["top1"] for shape, told in cells.items()})
    except InputError as problem:
        return [f"No formula: {problem}."]
    return [f"The paper's formula on our networks: {fit.in_words()}."]
