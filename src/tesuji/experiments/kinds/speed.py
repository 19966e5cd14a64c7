"""Speeds on this machine: evaluation by batch size, and steps of training."""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tesuji.base.settings import check_names
from tesuji.experiments.kinds.by_hand import networks_command
from tesuji.experiments.kinds.labels import axes, check_settings, filled, grid, whole
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work
from tesuji.networks.evaluators.speed import measure
from tesuji.networks.zoo.naming import parse

SETTINGS = ("rows", "columns", "network", "batch", "what", "size", "seconds", "like_paper", "relative")
WHATS = ("positions", "batches", "training")


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Networks and batch sizes must be such."""
    check_settings(recipe, settings, SETTINGS)
    for _, _, words in grid(recipe, settings):
        parse(filled(recipe, settings.get("network", "{row}"), words))
        whole(recipe, {"batch": filled(recipe, str(settings.get("batch", 8)), words)}, "batch")
        check_names([filled(recipe, settings.get("what", "positions"), words)], WHATS, "speed")


def run(recipe: Recipe, work: Work) -> Outcome:
    """Measures every cell."""
    settings, cells, given = work.settings, {}, []
    listed = list(grid(recipe, settings))
    work.total = len(listed)
    for row, column, words in listed:
        network = filled(recipe, settings.get("network", "{row}"), words)
        batch = int(filled(recipe, str(settings.get("batch", 8)), words))
        what = filled(recipe, settings.get("what", "positions"), words)
        name = f"{network} {what} batch {batch}"
        given += [(network, batch)] if what != "training" else []
        cells[row, column] = Measured(float(work.step(name, partial(rate, work, network, what, batch))))
    rows, columns = axes(recipe, settings)
    return Outcome(
        cells, list(rows), list(columns), notes=list(_ratios(recipe, settings, cells)),
        commands=_commands(work, given),
    )  # fmt: skip


def _commands(work: Work, given: Sequence[tuple[str, int]]) -> list[str]:
    """What measures the same by hand; there is no command for the speed of training."""
    if not given:
        return []
    networks, batches = (list(dict.fromkeys(column)) for column in zip(*given, strict=True))
    size, seconds = work.size or work.settings.get("size"), float(work.settings.get("seconds", 0.5))
    return [networks_command(networks, batches, size, seconds)]


def rate(work: Work, network: str, what: str, batch: int) -> float:
    """Positions or batches a second; for training the seconds of a hundred steps."""
    seconds, size = float(work.settings.get("seconds", 0.5)), work.size or work.settings.get("size")
    if what == "training":
        return training_seconds(network, batch, size, seconds)
    found = next(iter(measure(network, size=size, batches=[batch], seconds=seconds)))
    return found.positions / (batch if what == "batches" else 1)


def training_seconds(network: str, batch: int, size: int | None, seconds: float) -> float:
    """Seconds of a hundred steps of gradient descent on random positions, data not counted."""
    import torch

    from tesuji.networks.zoo.network import create

    net = create(network, size=size)
    about = net.description
    planes = torch.rand(batch, about.channels, about.size, about.size)
    komi = torch.full((batch,), 7.5)
    descent = torch.optim.SGD(net.parameters(), lr=1e-4)
    times: list[float] = []
    while len(times) < 2 or sum(times) < seconds:
        started = time.process_time()
        descent.zero_grad()
        outputs = net(planes, komi)
        heads = [output for output in (outputs.policy, outputs.nine, outputs.value) if output is not None]
        torch.autograd.backward([head.square().mean() for head in heads])
        descent.step()
        times.append(time.process_time() - started)
    return 100 * min(times)


def _ratios(recipe: Recipe, settings: Mapping[str, Any], cells: Any) -> list[str]:
    """Machines differ: so what is comparable is how the rows stand to each other."""
    pair = settings.get("relative")
    if not pair or recipe.table is None:
        return []
    said = []
    first, second = pair
    for column in axes(recipe, settings)[1]:
        theirs = [recipe.table.number(row, column) for row in pair]
        if all((row, column) in cells for row in pair):
            ours = cells[first, column].value / cells[second, column].value
            known = theirs[0] is not None and theirs[1]
            paper = f", in the paper {(theirs[0] or 0) / (theirs[1] or 1):.2f}" if known else ""
            said.append(f"{column}: {first} to {second} is {ours:.2f} here{paper}.")
    return said
