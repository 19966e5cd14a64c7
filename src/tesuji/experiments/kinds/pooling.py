"""Table 1 of the 2018 paper: spatial average pooling on a matrix of four by four."""

from typing import Any

import numpy as np

from tesuji.base.errors import InputError
from tesuji.experiments.kinds.labels import check_settings
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe
from tesuji.experiments.work import Work


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """The matrix must have an even number of rows and columns."""
    check_settings(recipe, settings, ("matrix",))
    try:
        shape = np.array(settings.get("matrix", ()), float).shape
    except (ValueError, TypeError):  # rows of different lengths, or words
        shape = ()
    if len(shape) != 2 or shape[0] % 2 or shape[1] % 2 or 0 in shape:
        raise InputError(f"the recipe {recipe.name}: matrix must be numbers in an even number of rows and columns")


def run(recipe: Recipe, work: Work) -> Outcome:
    """Pools the paper's matrix with the layer that the networks use."""
    import torch
    from torch import nn

    matrix = torch.tensor(work.settings["matrix"], dtype=torch.float32)
    pooled = nn.AvgPool2d(2, 2)(matrix[None, None])[0, 0]
    cells = {(str(i + 1), str(j + 1)): Measured(float(n)) for i, row in enumerate(pooled) for j, n in enumerate(row)}
    size = 19
    padded = [nn.AvgPool2d(2, 2, padding=1)(torch.zeros(1, 1, n, n)).shape[-1] for n in (size, 10)]
    notes = [
        f"With the paper's padding of one, {size}x{size} becomes {padded[0]}x{padded[0]}, then {padded[1]}x{padded[1]}."
    ]
    return Outcome(
        cells, [str(i + 1) for i in range(len(pooled))], [str(i + 1) for i in range(len(pooled[0]))], notes=notes
    )
