"""What a budget scales down, told from the settings themselves so that it cannot be wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.settings import Settings
from tesuji.base.errors import InputError
from tesuji.experiments.kinds.labels import filled, grid, labelled
from tesuji.experiments.kinds.training import POINTS
from tesuji.experiments.outcome import plain
from tesuji.experiments.recipe import Recipe, match_table
from tesuji.networks.zoo.cost import parameters
from tesuji.training.run.config import TrainConfig

_APART = ("rows", "columns", "match", "games", "train", "samples", "points")  # told in lines of their own
_BY_SAMPLES = ("epochs", "epoch_samples")  # of a training; the recipe's samples and points decide them
_COUNTED = "parameters"
_CHECK = "Only a check that everything runs: the numbers say nothing of the paper's claims."


def scaled_down(recipe: Recipe, budget: str, settings: Mapping[str, Any], size: int | None = None) -> list[str]:
    """A line each for networks, rows left out, training and games in which these settings differ from the paper's.

    `settings` are those of the budget with whatever was changed; `size` is the board, where one was asked for.
    """
    paper, ours = recipe.at("paper"), dict(settings)
    if size:
        ours |= {"size": size} if "size" in paper else {}
        ours |= {"match": {**ours["match"], "size": size}} if "match" in paper else {}
    said = [*_networks(recipe, paper, ours)]
    if any(_COUNTED in line for line in said):
        said.append("Parameters are counted on the papers' boards; networks for smaller ones may have fewer.")
    said += _left_out(recipe, paper, ours)
    if "samples" in paper:
        said += _line("Training", _training(paper), _training(ours))
    if "games" in paper:
        said += _line("Games", _games(paper), _games(ours))
    others = [{key: value for key, value in one.items() if key not in _APART} for one in (paper, ours)]
    said += _line("Otherwise", *others)
    if said and budget == "minutes":
        said.append(_CHECK)
    return said + ([recipe.scaled(budget)] if recipe.scaled(budget) else [])


def _networks(recipe: Recipe, paper: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Rows, or cells of a grid of shapes, in whose place another network or another search stands."""
    theirs, own = _rows(recipe, paper), _rows(recipe, ours)
    planes = paper.get("train", {}).get("planes")
    for label, words in own.items():
        before = theirs.get(label, "")
        if before and words != before:
            name = "" if label == before else f"{label}: "
            yield f"{name}{_described(before, planes)} → {_described(words, planes)}."


def _rows(recipe: Recipe, settings: Mapping[str, Any]) -> dict[str, str]:
    """What stands behind each row; behind each cell, called by the paper's own network, where shapes make a grid."""
    if not _is_grid(settings):
        return labelled(settings.get("rows", recipe.table.rows if recipe.table else ()))
    pattern = settings["network"]
    return {
        filled(recipe, pattern, {"row": row, "column": column}): filled(recipe, pattern, words)
        for row, column, words in grid(recipe, settings)
    }


def _is_grid(settings: Mapping[str, Any]) -> bool:
    return all(part in str(settings.get("network", "")) for part in ("{row}", "{column}"))


def _described(words: str, planes: str | None) -> str:
    try:
        return f"{words} ({parameters(words, planes):,} {_COUNTED})"
    except InputError:  # no network, but a search or a number
        return words


def _left_out(recipe: Recipe, paper: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """What the paper has and this budget has not."""
    grid_of_shapes = _is_grid(paper)
    yield from _fewer("cells" if grid_of_shapes else "rows", _rows(recipe, paper), _rows(recipe, ours))
    if not grid_of_shapes:
        usual = recipe.table.columns if recipe.table else ()
        yield from _fewer("columns", labelled(paper.get("columns", usual)), labelled(ours.get("columns", usual)))


def _fewer(what: str, theirs: Mapping[str, str], own: Mapping[str, str]) -> Iterator[str]:
    missing = [label for label in theirs if label not in own]
    if missing:
        yield f"{len(theirs) - len(missing)} of {len(theirs)} {what}; left out: {'; '.join(missing)}."


def _training(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of a training, those that the schedule decides as well."""
    told = TrainConfig().changed(settings.get("train", {})).filled().table()
    whole = {"samples": settings["samples"], "points": settings.get("points", POINTS)}
    return whole | {key: value for key, value in told.items() if key not in _BY_SAMPLES}


def _games(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions of the games and options of all players, the usual ones too."""
    usual = {field.name: field.default for kind in (Conditions, Settings) for field in fields(kind)}
    known = {key: value for key, value in usual.items() if isinstance(value, str | int | float)}
    return known | match_table(settings)


def _line(what: str, paper: Mapping[str, Any], ours: Mapping[str, Any]) -> list[str]:
    """One sentence on all that differs; none where nothing does."""
    keys = dict.fromkeys([*paper, *ours])
    told = [
        f"{key} {_shown(ours.get(key))} in place of {_shown(paper.get(key))}"
        for key in keys
        if ours.get(key) != paper.get(key)
    ]
    return [f"{what}: {', '.join(told)}."] if told else []


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    if value == "":
        return "none"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_shown(inner)}" for key, inner in value.items())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return plain(value)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
