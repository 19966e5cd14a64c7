"""Which network to train for a machine and a time per move: speed here, the accuracy formula, the strength curve."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tesuji.arena.statistics import elo_of
from tesuji.base.errors import InputError
from tesuji.experiments.accuracy_fit import PAPER_FIT, AccuracyFit
from tesuji.experiments.paper_table import RECIPES, paper_accuracies, read_table
from tesuji.networks.zoo.description import Description, describe
from tesuji.networks.zoo.known_facts import KnownFacts

DEPTHS = (2, 4, 6, 8, 12, 16, 24, 32, 48)
WIDTHS = (16, 24, 32, 48, 64, 96, 128, 192)
ELO_OF_A_DOUBLING = 123.0
"""What twice the descents are worth: levels of 12, 50 and 200 descents of one network are 258 and 246 Elo apart."""


Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Candidate:
    """A network that could be trained, and what is expected of it."""

    name: str
    parameters: int
    speed: float
    """Positions a second here, on one core."""
    descents: float
    """In the time of a move, on all cores given."""
    accuracy: float
    """By the formula, in percent, after a training as long as those it was fitted to."""
    elo: float
    """Against the strongest of the list, which has 0."""


def elo_of_a_percent() -> float:
    """Elo for each percent of accuracy at equal descents: a line through the 2021 paper's Tables 6 and 10."""
    accuracies, table = paper_accuracies(), read_table(RECIPES / "2021-table-10.csv")
    points = []
    for row in table.rows:
        family, *numbers = row.split(".")
        rate = table.number(row, "Winrate")
        if family == "se" and rate is not None:
            points.append((accuracies[int(numbers[0]), int(numbers[-1])], elo_of(rate)))
    slope, _ = np.polyfit([accuracy for accuracy, _ in points], [elo for _, elo in points], 1)
    return float(slope)


def plan(
    seconds: float, size: int = 9, *, most_parameters: int = 1_000_000, fit: AccuracyFit = PAPER_FIT, cores: int = 1,
    depths: Sequence[int] = DEPTHS, widths: Sequence[int] = WIDTHS, facts: KnownFacts | None = None,
    progress: Progress = lambda name, done, total: None,
) -> list[Candidate]:  # fmt: skip
    """Networks `se.depth.width` within the limit, the strongest for this time per move first.

    `progress` hears which network is measured, and how many of how many are done; each is measured once and remembered.
    Strength is a line in accuracy plus a line in the doublings of descents: enough to choose by, no prophecy.
    """
    if not 0 < seconds < math.inf:
        raise InputError(f"--seconds={seconds:g}: a move needs some time")
    percent = elo_of_a_percent()
    found = []
    known = facts or KnownFacts()
    grid = list(_allowed(size, most_parameters, depths, widths, known))
    if not grid:
        raise InputError(f"no network of the grid has at most {most_parameters:,} parameters; allow more")
    for done, (about, shape, parameters, operations) in enumerate(grid):
        progress(about.name, done, len(grid))
        wanted = about.name, about.planes, size, operations
        speed = known.speed(*wanted) or known.measure(about.name, *wanted)
        descents = max(1.0, speed * seconds * cores)
        accuracy = fit.accuracy(*shape)
        elo = percent * accuracy + ELO_OF_A_DOUBLING * math.log2(descents)
        found.append(Candidate(about.name, parameters, speed, descents, accuracy, elo))
    best = max(one.elo for one in found)
    ranked = sorted(found, key=lambda one: -one.elo)
    return [Candidate(o.name, o.parameters, o.speed, o.descents, o.accuracy, o.elo - best) for o in ranked]


def _allowed(
    size: int, most: int, depths: Sequence[int], widths: Sequence[int], facts: KnownFacts
) -> Iterator[tuple[Description, tuple[int, int], int, int]]:
    """Networks of the grid within the limit: what they are, depth and width, parameters, operations."""
    for depth in depths:
        for width in sorted(widths):
            about = describe(f"se.{depth}.{width}", size=size)
            parameters, operations = facts.cost(about)
            if parameters > most:
                break  # wider ones have more, and take seconds to count
            yield about, (depth, width), parameters, operations
