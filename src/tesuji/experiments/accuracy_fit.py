"""Accuracy from a network's shape: the 2021 paper's p + p1 ln(depth) + p2 ln(width), by least absolute errors."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from tesuji.base.errors import InputError

Cells = Mapping[tuple[int, int], float]
"""(depth, width) -> accuracy in percent."""


@dataclass(frozen=True)
class AccuracyFit:
    """The three constants, and the sum of absolute errors over the cells they were fitted to."""

    p: float
    p1: float
    p2: float
    error: float = 0.0
    cells: int = 0

    def accuracy(self, depth: float, width: float) -> float:
        """What the formula says of a network of this many blocks and this trunk."""
        return self.p + self.p1 * math.log(depth) + self.p2 * math.log(width)

    def total_error(self, cells: Cells) -> float:
        """The sum of absolute errors over these cells."""
        return sum(abs(self.accuracy(*shape) - seen) for shape, seen in cells.items())

    def in_words(self) -> str:
        """The formula, its error and how many networks it rests on."""
        each = f", {self.error / self.cells:.3f} each" if self.cells else ""
        terms = "".join(
            f" {'-' if factor < 0 else '+'} {abs(factor):.2f} ln({of})"
            for factor, of in ((self.p1, "depth"), (self.p2, "width"))
        )
        return f"accuracy = {self.p:.2f}{terms}; absolute error {self.error:.2f} over {self.cells} networks{each}"


PAPER_FIT = AccuracyFit(32.2, 2.7, 3.45, error=2.70, cells=21)
"""As the 2021 paper gives it."""


def fit_accuracy(cells: Cells) -> AccuracyFit:
    """The exact minimum of the paper's sum of absolute errors, as a linear program.

    Raises `ValueError` where fewer than three shapes, or shapes of one depth or one width, leave it open.
    """
    depths, widths = ({shape[axis] for shape in cells} for axis in (0, 1))
    if len(cells) < 3 or len(depths) < 2 or len(widths) < 2:
        raise InputError("the fit needs at least three networks, of two depths and two widths")
    shapes = list(cells)
    formula = np.array([[1.0, math.log(depth), math.log(width)] for depth, width in shapes])
    seen = np.array([cells[shape] for shape in shapes])
    # Unknowns: the three constants, then one bound for each error; |formula - seen| <= bound, bounds least.
    bound = np.eye(len(shapes))
    found = linprog(
        np.concatenate([np.zeros(3), np.ones(len(shapes))]),
        A_ub=np.block([[formula, -bound], [-formula, -bound]]),
        b_ub=np.concatenate([seen, -seen]),
        bounds=[(None, None)] * 3 + [(0, None)] * len(shapes),
    )
    p, p1, p2 = map(float, found.x[:3])
    return AccuracyFit(p, p1, p2, error=float(found.fun), cells=len(shapes))


def extrapolated(cells: Cells, fit: AccuracyFit, depths: Iterable[int], widths: Iterable[int]) -> list[list[str]]:
    """Rows by width of cells by depth, as Table 8: what was seen, and in brackets what the formula says."""
    columns = list(depths)
    return [
        [
            f"{cells[depth, width]:.2f}" if (depth, width) in cells else f"({fit.accuracy(depth, width):.2f})"
            for depth in columns
        ]
        for width in widths
    ]
