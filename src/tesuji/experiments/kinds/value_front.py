"""The Pareto front of our own networks' value errors over speeds measured here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tesuji.experiments.kinds.labels import check_settings, labelled
from tesuji.experiments.kinds.pareto_front import speed_command, speed_of, told
from tesuji.experiments.kinds.training import check_training, measured, model_file, train_network, training_command
from tesuji.experiments.outcome import Outcome
from tesuji.experiments.pareto import Point, front
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work
from tesuji.networks.zoo.naming import parse

SETTINGS = ("rows", "samples", "points", "train", "size", "batch", "seconds", "dominated")


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Networks and training must be possible; whom the paper calls dominated must be a row of it."""
    check_settings(recipe, settings, SETTINGS, ("rows", "dominated"))
    check_training(recipe, settings)
    for name in [*labelled(settings["rows"]).values(), *settings["dominated"]]:
        parse(name)


def to_train(recipe: Recipe, settings: dict[str, Any], networks: Mapping[str, str]) -> list[str]:
    """Every network of the front."""
    return list(dict.fromkeys(labelled(settings["rows"]).values()))


def run(recipe: Recipe, work: Work) -> Outcome:
    """Trains the networks of the table, then measures the trained files, on the board they were trained for."""
    names = labelled(work.settings["rows"])
    work.total = 2 * len(names)
    errors = {label: measured(train_network(work, name), "mse") for label, name in names.items()}
    speeds = {label: speed_of(work, name, str(model_file(work, name))) for label, name in names.items()}
    found = front([Point(label, speeds[label], -error.value) for label, error in errors.items()])
    outcome = told(work.settings, "value MSE", errors, speeds, found)
    notes = [*outcome.notes, *(f"{label}: {name}." for label, name in names.items() if label != name)]
    commands = [training_command(work, name) for name in to_train(recipe, dict(work.settings), {})]
    commands.append(speed_command(work, [str(model_file(work, name)) for name in dict.fromkeys(names.values())]))
    return replace(outcome, notes=notes, commands=commands)
