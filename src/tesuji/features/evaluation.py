"""What a network says of positions, in one form: the border between networks, search and everything above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tesuji.base.field_help import with_field_help

Floats = NDArray[np.float32]


@with_field_help
@dataclass(frozen=True)
class Evaluation:
    """One evaluation of a batch of `B` positions on boards of `N x N`."""

    policy: Floats
    """`[B, N*N + 1]` probabilities, pass last; the pass entry is 0 where the network has none."""
    value: Floats
    """`[B]` win probability of the player to move; a draw counts one half."""
    black_score: Floats | None = None
    """`[B]` expected lead of Black in points on the board, komi not taken off."""
    black_ownership: Floats | None = None
    """`[B, N, N]` from -1 (White's) to 1 (Black's)."""
    komi_curve: Floats | None = None
    """`[B, K]` Black's win probability at each komi of the evaluator's `komi_grid`."""
    score_stdev: Floats | None = None
    """`[B]` standard deviation of the final score, in points."""
    value_error: Floats | None = None
    """`[B]` how far `value` is expected to move within the next few moves: the network's own doubt."""
    score_error: Floats | None = None
    """`[B]` the same of the score, in points."""


@with_field_help
@dataclass(frozen=True, kw_only=True)
class NetworkInfo:
    """What is known of a network beside its judgements. No search needs it; people ask for it."""

    size: int = 0
    """The board size it was made for; 0 where none is its own."""
    parameters: int = 0
    operations: int = 0
    """Floating-point operations for one position at `size`; 0 where nobody counted."""
    precision: str = "fp32"
    """What it calculates with: `fp32`, or `int8` for integers."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: data, steps, accuracy, whatever the trainer wrote."""


@runtime_checkable
class Evaluator(Protocol):
    """Anything that judges positions. Safe to call from several threads."""

    name: str
    planes: str
    """The plane set it reads, by name."""
    has_pass: bool
    """Whether its policy speaks of passing; where not, the search gives pass its prior by rule."""
    komi_grid: Floats | None
    """`[K]` the komi of `Evaluation.komi_curve`, which is a straight line between them; None without a curve."""

    @property
    def info(self) -> NetworkInfo:
        """What is known of the network."""
        ...

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        ...

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        ...


class ConstantEvaluator:
    """Says the same of every position: equal chances everywhere. For tests, and for search without a network."""

    def __init__(self, value: float = 0.5, planes: str = "golois-21", has_pass: bool = True) -> None:
        self.name = "constant"
        self.planes = planes
        self.has_pass = has_pass
        self.komi_grid: Floats | None = None
        self.info = NetworkInfo()
        self.value = value

    def plays(self, size: int) -> bool:
        """Any board will do."""
        return size > 0

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` without looking."""
        batch, area = len(planes), planes.shape[-1] ** 2
        policy = np.full((batch, area + 1), 1 / (area + self.has_pass), np.float32)
        policy[:, area] *= self.has_pass
        return Evaluation(policy, np.full(batch, self.value, np.float32))


class Wrapper:
    """An evaluator around another one, of which it keeps all but the judgement."""

    def __init__(self, inner: Evaluator) -> None:
        self.inner = inner
        self.name = inner.name
        self.planes = inner.planes
        self.has_pass = inner.has_pass
        self.komi_grid = inner.komi_grid
        self.info = inner.info

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        return self.inner.plays(size)
