"""The experiment behind Generalized PUCT: the best constant at each budget, and the (tau, c) that follows them all."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.report.standings import Standings
from tesuji.arena.statistics import Tally
from tesuji.base.errors import InputError

PAPER_BUDGETS = (16, 32, 64, 128, 256, 512)
PAPER_CONSTANTS = (0.05, 0.15, 0.2, 0.25, 0.3, 0.35)
PAPER_REFERENCE = 0.1
PAPER_TAU, PAPER_C = 0.737, 0.057  # its fit
_HIGH, _STEP, _WIDEST = 1.5, 0.001, 4.5

Floats = NDArray[np.float64]
Grid = Mapping[int, Mapping[float, Tally]]
"""Games of each constant at each budget, against one common opponent."""


@dataclass(frozen=True)
class BanditFit:
    """Constants of the bandit `Q + c * P * N**tau / (1 + n)`, with their spread when the games are drawn again."""

    tau: float
    c: float
    residual: float
    """The sum over budgets of |c d^tau - c_d d^0.5|."""
    tau_error: float = 0.0
    c_error: float = 0.0
    at_edge: bool = False
    """Whether tau lies at the end of what was searched: at 0, below which the search knows none, or at the far end."""


def fit(best: Mapping[int, float]) -> BanditFit:
    """The paper's argmin over (tau, c) of the sum over budgets d of |c d^tau - c_d d^0.5|.

    For a given tau the best c is a weighted median, so only tau has to be searched; the range grows while the best lies
    at its far end.
    """
    if len(best) < 2:
        raise InputError("fitting tau and c needs at least two budgets")
    budgets = np.array(sorted(best), dtype=np.float64)
    targets = np.array([best[int(d)] for d in budgets]) * np.sqrt(budgets)
    high = _HIGH
    while True:
        taus = np.round(np.arange(0.0, high + _STEP / 2, _STEP), 3)
        constants, residuals = _best_constants_of(taus, budgets, targets)
        found = int(np.argmin(np.round(residuals, 12)))  # the smallest tau among equals
        if found < len(taus) - 1 or high >= _WIDEST:
            at_edge = found in (0, len(taus) - 1)
            return BanditFit(float(taus[found]), float(constants[found]), float(residuals[found]), at_edge=at_edge)
        high += 1.0


def _best_constants_of(taus: Floats, budgets: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """The best c for each tau, and the sum that remains."""
    scale = budgets ** taus[:, None]
    ratios = targets / scale
    order = np.argsort(ratios, axis=1)
    weight = np.cumsum(np.take_along_axis(scale, order, axis=1), axis=1)
    middle = np.argmax(weight >= weight[:, -1:] / 2, axis=1)
    constants = np.take_along_axis(ratios, np.take_along_axis(order, middle[:, None], axis=1), axis=1)
    residuals: Floats = np.abs(constants * scale - targets).sum(axis=1)
    return constants[:, 0], residuals


def best_constants(grid: Grid, reference: float) -> dict[int, float]:
    """The constant that did best at each budget; the reference itself counts one half."""
    return {
        budget: max([(0.5, reference), *((tally.rate, c) for c, tally in row.items())])[1]
        for budget, row in grid.items()
    }


def fit_games(grid: Grid, reference: float, *, draws: int = 200, seed: int = 1) -> BanditFit:
    """The fit to played games; its errors come from drawing every cell's result anew (parametric bootstrap)."""
    plain = fit(best_constants(grid, reference))
    rng = np.random.default_rng(seed)
    again = [fit(best_constants(_redrawn(grid, rng), reference)) for _ in range(draws)]
    return BanditFit(
        plain.tau,
        plain.c,
        plain.residual,
        tau_error=float(np.std([one.tau for one in again])),
        c_error=float(np.std([one.c for one in again])),
        at_edge=plain.at_edge,
    )


def read_table(text: str, games: int) -> Grid:
    """A grid from CSV: the constants in the first line, then a budget and per cent won of `games` games for each."""
    cells = ([cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)))
    rows = [row for row in cells if any(row)]
    try:
        constants = [float(cell) for cell in rows[0][1:]]
        grid = {
            int(budget): {
                c: Tally(round(float(rate) / 100 * games), 0, games - round(float(rate) / 100 * games))
                for c, rate in zip(constants, rates, strict=True)
                if rate
            }
            for budget, *rates in rows[1:]
        }
    except (ValueError, IndexError) as fault:
        raise InputError(f"no table of win rates by budget and constant ({fault})") from None
    rates_given = [tally.wins for row in grid.values() for tally in row.values()]
    if len(grid) < 2 or not all(0 <= wins <= games for wins in rates_given):
        raise InputError("a table needs at least two budgets, and win rates between 0 and 100 per cent")
    return grid


def _redrawn(grid: Grid, rng: np.random.Generator) -> Grid:
    return {budget: {c: _redraw(tally, rng) for c, tally in row.items()} for budget, row in grid.items()}


def _redraw(tally: Tally, rng: np.random.Generator) -> Tally:
    counts = np.array([tally.wins, tally.draws, tally.losses])
    shares = (counts + 1 / 3) / (counts.sum() + 1)  # a cell of ten wins is not certain to win the eleventh
    return Tally(*map(int, rng.multinomial(tally.games, shares)))


def bandit_player(
    network: str, visits: int, c: float, tau: float | None = None, running: Mapping[str, str] = MappingProxyType({})
) -> PlayerDescription:
    """The network at this budget with PUCT, or with GPUCT where `tau` is given; one descent at a time, as in the paper.

    `running` tells its device and precision.
    GPUCT keeps its name where the fit found the tau of PUCT: it may meet PUCT with the same constant.
    """
    name = f"PUCT {c:g}" if tau is None else f"GPUCT {tau:g} {c:g}"
    options = {"visits": visits, "c": c, "tau": 0.5 if tau is None else tau, "choice": "search-2021"}
    return PlayerDescription(name, network, "", {**options, **running})


def cells(state: Standings, constants: Sequence[float], reference: str) -> dict[float, Tally]:
    """How PUCT with each constant did against the common opponent."""
    found = {c: state.matrix.get((f"PUCT {c:g}", reference)) for c in constants}
    return {c: tally for c, tally in found.items() if tally is not None}


def table_text(grid: Grid, constants: Sequence[float], corner: str = "d \\ c") -> str:
    """A grid in the layout of the paper's Tables 1 and 2: win rates in percent, with sigma/sqrt(n)."""
    head = [corner, *(f"{c:g}" for c in constants)]
    rows = [[str(budget), *(_cell(row.get(c)) for c in constants)] for budget, row in sorted(grid.items())]
    means = ["average", *(_mean([row[c].rate for row in grid.values() if c in row]) for c in constants)]
    lines = [head, ["---:"] * len(head), *rows, means]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(tally: Tally | None) -> str:
    return f"{100 * tally.rate:.2f} ± {100 * tally.sigma:.1f}" if tally else ""


def _mean(rates: Sequence[float]) -> str:
    return f"{100 * sum(rates) / len(rates):.2f}" if rates else ""
