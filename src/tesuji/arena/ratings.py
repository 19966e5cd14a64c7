"""Ratings of many players from all their games: Bradley-Terry with draws, colours and standard errors."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from tesuji.arena.statistics import ELO_PER_NAT
from tesuji.base.errors import InputError

PRIOR_ELO = 1000.0
"""Standard deviation of the prior around the field's mean; a player who never lost stays finite by it."""

Array = NDArray[np.float64]
Outcome = tuple[str, str, float]
"""Black, White, and Black's points: 1, 0.5 or 0."""


@dataclass(frozen=True)
class Rating:
    """One player's strength relative to the mean of the field."""

    elo: float
    error: float
    """Standard error."""


@dataclass(frozen=True)
class Ratings:
    """The strengths of a field, and how sure they are."""

    players: tuple[str, ...]
    elo: Array
    """`[n]`, mean zero."""
    covariance: Array
    """`[n, n]` of `elo`."""
    black_advantage: Rating
    """What the colour is worth; fixed at zero unless asked for."""
    draw_parameter: float
    """Davidson's nu: the odds of a draw against a win between equals are nu to 1; 0 without draws."""

    def __getitem__(self, player: str) -> Rating:
        index = self.players.index(player)
        return Rating(float(self.elo[index]), math.sqrt(max(0.0, float(self.covariance[index, index]))))

    def difference(self, first: str, second: str) -> Rating:
        """How much stronger `first` is than `second`, with the error of that difference."""
        i, j = self.players.index(first), self.players.index(second)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return Rating(float(self.elo[i] - self.elo[j]), math.sqrt(max(0.0, float(variance))))

    def superiority(self, first: str, second: str) -> float:
        """Likelihood that `first` is stronger than `second`."""
        apart = self.difference(first, second)
        return float(norm.cdf(apart.elo / apart.error)) if apart.error else 0.5

    def ranking(self) -> list[str]:
        """The players, strongest first."""
        order = np.argsort(-self.elo, kind="stable")
        return [self.players[i] for i in order]


def rate(
    outcomes: Iterable[Outcome],
    players: Sequence[str] = (),
    *,
    colors: bool | None = None,
    prior: float = PRIOR_ELO,
) -> Ratings:
    """Fits strengths to games by maximum (penalised) likelihood.

    The model is Davidson's: with `d` the difference in log odds, win : draw : loss are as exp(d/2) : nu :
    exp(-d/2); without draws it is Bradley and Terry's. It is concave, so Newton's steps find the one maximum.
    The colour's worth is fitted where all who met had both colours (`colors=None`), else it cannot be told
    from strength. `prior=inf` turns the prior off; then the games must connect all players both ways.
    """
    counts = Counter(outcomes)
    if colors is None:
        met = {(black, white) for black, white, _ in counts}
        colors = bool(met) and all((white, black) in met for black, white in met)
    names = tuple(dict.fromkeys([*players, *(name for black, white, _ in counts for name in (black, white))]))
    if len(names) < 2:
        raise InputError("ratings need at least two players")
    model = _Model(names, counts, colors, 0.0 if math.isinf(prior) else (ELO_PER_NAT / prior) ** 2)
    theta, information = model.fit()
    n = len(names)
    covariance = np.linalg.pinv(information)
    centre = np.eye(n) - 1 / n
    return Ratings(
        players=names,
        elo=centre @ theta[:n] * ELO_PER_NAT,
        covariance=centre @ covariance[:n, :n] @ centre * ELO_PER_NAT**2,
        black_advantage=Rating(float(theta[n]) * ELO_PER_NAT, math.sqrt(covariance[n, n]) * ELO_PER_NAT)
        if colors
        else Rating(0.0, 0.0),
        draw_parameter=float(np.exp(theta[-1])) if model.draws else 0.0,
    )


class _Model:
    """Log likelihood of the games with its derivatives; parameters: strengths, colour advantage, log nu."""

    def __init__(self, names: Sequence[str], counts: Mapping[Outcome, int], colors: bool, penalty: float) -> None:
        index = {name: i for i, name in enumerate(names)}
        self.n = len(names)
        self.colors, self.penalty = colors, penalty
        self.draws = any(points == 0.5 for _, _, points in counts)
        self.design = np.zeros((len(counts), self.n + 2))  # row @ theta = d, without nu's column
        self.points = np.array([points for _, _, points in counts], dtype=float)
        self.weight = np.array(list(counts.values()), dtype=float)
        for row, (black, white, _) in zip(self.design, counts, strict=True):
            row[index[black]] += 1
            row[index[white]] -= 1
            row[self.n] = 1

    def fit(self) -> tuple[Array, Array]:
        """The maximum, and the negative second derivative there."""
        theta = np.zeros(self.n + 2)
        for _ in range(200):
            gradient, information = self._derivatives(theta)
            step = np.linalg.pinv(information) @ gradient
            largest = float(np.abs(step).max())
            # A long step may overshoot where the likelihood is flat.
            theta += step * min(1.0, 2.0 / largest if largest else 1.0)
            if largest < 1e-10:
                break
        return theta, self._derivatives(theta)[1]

    def _derivatives(self, theta: Array) -> tuple[Array, Array]:
        d = self.design @ theta
        nu = math.exp(theta[-1]) if self.draws else 0.0
        win, loss = np.exp(d / 2), np.exp(-d / 2)
        total = win + loss + nu
        p_win, p_loss, p_draw = win / total, loss / total, nu / total
        # Sufficient statistics of one game: half the difference of points along d, "drawn" along log nu.
        slope = self.weight * ((self.points - 0.5) - (p_win - p_loss) / 2)
        drawn = self.weight * ((self.points == 0.5) - p_draw)
        var_d = self.weight * ((p_win + p_loss) / 4 - (p_win - p_loss) ** 2 / 4)
        var_nu = self.weight * p_draw * (1 - p_draw)
        cov = self.weight * -(p_win - p_loss) / 2 * p_draw
        gradient = self.design.T @ slope
        gradient[-1] = drawn.sum()
        information = self.design.T @ (self.design * var_d[:, None])
        information[-1, :] = information[:, -1] = self.design.T @ cov
        information[-1, -1] = var_nu.sum()
        return self._penalise(theta, gradient, information)

    def _penalise(self, theta: Array, gradient: Array, information: Array) -> tuple[Array, Array]:
        strengths = np.arange(self.n + 1)
        gradient[strengths] -= self.penalty * theta[strengths]
        information[strengths, strengths] += self.penalty
        fixed = ([] if self.colors else [self.n]) + ([] if self.draws else [self.n + 1])
        for column in fixed:
            gradient[column] = 0
            information[column, :] = information[:, column] = 0
        return gradient, information
