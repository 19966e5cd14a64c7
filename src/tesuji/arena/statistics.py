"""What a number of games says: win rates with their errors, in the papers' form and in better ones."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import norm

from tesuji.base.errors import InputError

ELO_PER_NAT = 400 / math.log(10)
"""Elo points per unit of log odds."""


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of one side; a draw counts one half."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> "Tally":
        """Counts points per game: 1, 0.5 or 0."""
        listed = list(points)
        return cls(listed.count(1.0), listed.count(0.5), listed.count(0.0))

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def reversed(self) -> "Tally":
        """The same games seen by the opponent."""
        return Tally(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points per game; one half before the first game."""
        return self.points / self.games if self.games else 0.5

    @property
    def sigma(self) -> float:
        """The papers' sigma/sqrt(n): standard deviation of a game's points over the root of their number."""
        if not self.games:
            return 0.5
        second_moment = (self.wins + self.draws / 4) / self.games
        return math.sqrt(max(0.0, second_moment - self.rate**2) / self.games)

    def wilson(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval of the win rate; with draws it is a little wider than need be."""
        if not self.games:
            return 0.0, 1.0
        z, n, p = float(norm.ppf(0.5 + confidence / 2)), self.games, self.rate
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    @property
    def error(self) -> float:
        """One standard error that stays above 0 for the unbeaten: half of Wilson's interval of 68 %."""
        low, high = self.wilson(0.6827)
        return (high - low) / 2

    @property
    def superiority(self) -> float:
        """Likelihood that this side is the better one (normal approximation); one half at first."""
        decided = self.wins + self.losses
        return float(norm.cdf((self.wins - self.losses) / math.sqrt(decided))) if decided else 0.5

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}" if self.draws else f"{self.wins}-{self.losses}"


def elo_of(rate: float) -> float:
    """The Elo difference at which this share of the points is expected; infinite at 0 and 1."""
    if not 0 <= rate <= 1:
        raise InputError(f"a win rate lies between 0 and 1, not at {rate}")
    if rate in (0, 1):
        return math.copysign(math.inf, rate - 0.5)
    return ELO_PER_NAT * math.log(rate / (1 - rate))


def rate_of(elo: float) -> float:
    """The share of the points expected at this Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO_PER_NAT))
