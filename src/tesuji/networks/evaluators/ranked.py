"""Networks that imitate people: which of them, told as the rank of the player to move."""

from collections.abc import Sequence

import numpy as np

from tesuji._core import rank_inputs
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Evaluator, Floats, Wrapper
from tesuji.features.planes import plane_set

EYES = "default-9x9"
"""Whose value, score and ownership go with the moves of a person, who cannot be asked for them."""


def rank_channels(planes: str) -> int:
    """How many of the last channels of a plane set tell the rank; 0 where none does."""
    return sum(name.startswith("rank near ") for name in plane_set(planes).channel_names)


class Ranked(Wrapper):
    """A network that is told one rank for whoever is to move."""

    def __init__(self, inner: Evaluator, rank: str) -> None:
        """Raises `ValueError` for what is no rank, and for networks that ask for none."""
        super().__init__(inner)
        self.rank, told = rank_inputs(rank)
        self._told = np.array(told, np.float32)
        if rank_channels(inner.planes) != len(self._told):
            raise InputError(f"the network {inner.name} asks for no rank; leave out @{rank[:20]}")
        self.name = f"{inner.name}@{self.rank}"

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        shown = np.array(planes, np.float32)
        shown[:, -len(self._told) :] = self._told[:, None, None]
        return self.inner(shown, komi)
