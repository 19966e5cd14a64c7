"""Tables that are counted, not measured: parameters, operations, layers, sizes of files."""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import nn

from tesuji.base.settings import check_names
from tesuji.experiments.kinds.labels import axes, check_settings, filled, grid
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work
from tesuji.networks.zoo.cost import operations_of, outline
from tesuji.networks.zoo.layers import size_as_keras
from tesuji.networks.zoo.naming import parse
from tesuji.networks.zoo.network import Network

SETTINGS = ("rows", "columns", "network", "what", "like_paper")


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Every network must exist, everything counted must be known."""
    check_settings(recipe, settings, SETTINGS)
    for _, _, words in grid(recipe, settings):
        parse(_network(recipe, settings, words))
        check_names([_what(recipe, settings, words)], COUNTS, "count")


def run(recipe: Recipe, work: Work) -> Outcome:
    """Counts every cell."""
    cells, settings = {}, work.settings
    listed = list(grid(recipe, settings))
    work.total = len(listed)
    for row, column, words in listed:
        network, what = _network(recipe, settings, words), _what(recipe, settings, words)
        value = work.step(f"{network} {what}", partial(count, network, what))
        cells[row, column] = Measured(float(value))
    rows, columns = axes(recipe, settings)
    names = dict.fromkeys(_network(recipe, settings, words) for _, _, words in listed)
    return Outcome(cells, list(rows), list(columns), commands=[f"tesuji networks {' '.join(names)}"])


def count(network: str, what: str) -> int:
    """One number of a network on its paper's planes and board."""
    return COUNTS[what](outline(network))


def _network(recipe: Recipe, settings: Any, words: dict[str, str]) -> str:
    return filled(recipe, settings.get("network", "{row}"), words)


def _what(recipe: Recipe, settings: Any, words: dict[str, str]) -> str:
    return filled(recipe, settings.get("what", "{column}"), words)


def _layers(part: nn.Module | None) -> int:
    """Layers with weights, batch norms not counted, as AlphaGo Zero's paper counts them."""
    return sum(isinstance(layer, nn.Conv2d | nn.Linear) for layer in part.modules()) if part is not None else 0


def _policy_outputs(network: Network) -> int:
    about = network.description
    return about.size**2 + about.has_pass


COUNTS: dict[str, Callable[[Network], int]] = {
    "parameters": size_as_keras,
    "operations": operations_of,
    "planes": lambda network: network.description.channels,
    "trunk-layers": lambda network: _layers(network.trunk),
    "policy-layers": lambda network: _layers(network.policy),
    "value-layers": lambda network: _layers(network.value),
    "policy-outputs": _policy_outputs,
    # Torch 7 stores each weight and its gradient as four bytes each.
    "torch7-bytes": lambda network: 8 * size_as_keras(network),
}
