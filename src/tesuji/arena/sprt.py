"""The sequential test: stops a match as soon as "elo0 or elo1?" is answered at the stated error rates."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.optimize import brentq

from tesuji.arena.statistics import rate_of
from tesuji.base.errors import InputError


@dataclass(frozen=True)
class Sprt:
    """A test of H1 "A is `elo1` stronger than B" against H0 "A is `elo0` stronger"."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    """Probability to accept H1 when H0 holds."""
    beta: float = 0.05
    """Probability to accept H0 when H1 holds."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise InputError(f"sprt: elo0={self.elo0:g} must be below elo1={self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InputError(f"sprt: alpha={self.alpha:g} and beta={self.beta:g} must lie between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """From `elo0=0 elo1=30 alpha=0.05 beta=0.05`, separated by blanks or commas."""
        given: dict[str, float] = {}
        for word in re.split(r"[\s,]+", text.strip()):
            key, _, value = word.partition("=")
            if key not in ("elo0", "elo1", "alpha", "beta"):
                raise InputError(f"sprt: '{word}' is none of elo0=, elo1=, alpha=, beta=")
            try:
                given[key] = float(value)
            except ValueError:
                raise InputError(f"sprt: {key}='{value}' is not a number") from None
        return cls(**given)

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)


class SequentialTest:
    """The test as it runs, fed one score of A after the other in the order of the schedule.

    A score is the mean of the points of one opening's games: games of one opening are not independent, pairs
    are. The order matters: taken as they finish, short games come first and bias the test.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.counts: Counter[float] = Counter()
        self.ratio = 0.0
        """The log likelihood ratio of H1 to H0."""
        self.verdict = ""
        """`H1`, `H0`, or empty while undecided."""

    @property
    def count(self) -> int:
        """Pairs (or single games) taken into account."""
        return sum(self.counts.values())

    def in_words(self, player: str) -> str:
        """Where the test stands, `player` being A."""
        bounds = f"({self.sprt.lower:.2f}, {self.sprt.upper:.2f})"
        where = f"LLR {self.ratio:+.2f} of {bounds} after {self.count} pairs"
        if self.verdict == "H1":
            return f"SPRT: '{player}' is stronger (elo1={self.sprt.elo1:g} accepted); {where}"
        if self.verdict == "H0":
            return f"SPRT: '{player}' is not stronger (elo0={self.sprt.elo0:g} accepted); {where}"
        return f"SPRT undecided: {where}"

    def add(self, score: float) -> str:
        """Takes one more score into account and returns the verdict, which is final."""
        if not self.verdict:
            self.counts[score] += 1
            self.ratio = log_likelihood_ratio(self.counts, rate_of(self.sprt.elo0), rate_of(self.sprt.elo1))
            decided = {self.ratio >= self.sprt.upper: "H1", self.ratio <= self.sprt.lower: "H0"}
            self.verdict = decided.get(True, "")
        return self.verdict


def log_likelihood_ratio(counts: Counter[float], rate0: float, rate1: float) -> float:
    """Of the two best explanations of these scores whose means are `rate1` and `rate0`.

    With won and lost games alone this is Wald's ratio for two Bernoulli hypotheses, exactly.
    """
    # A result not seen yet keeps a trace of weight, else a first streak would be taken for certain.
    weights = {score: float(counts[score]) for score in counts} | {
        score: 1e-3 for score in (0.0, 1.0) if not counts[score]
    }
    scores = sorted(weights)
    total = sum(weights.values())
    shares = [weights[score] / total for score in scores]
    low, high = _tilted(scores, shares, rate0), _tilted(scores, shares, rate1)
    return sum(weights[score] * math.log(q1 / q0) for score, q0, q1 in zip(scores, low, high, strict=True))


def _tilted(scores: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean that fits the observed shares best: p / (1 + t (score - mean))."""
    edge = 1e-9
    lowest, highest = -1 / (scores[-1] - mean), -1 / (scores[0] - mean)

    def excess(t: float) -> float:
        return sum(p * (s - mean) / (1 + t * (s - mean)) for s, p in zip(scores, shares, strict=True))

    t = brentq(excess, lowest + edge * abs(lowest), highest - edge * abs(highest), xtol=1e-13)
    return [p / (1 + t * (s - mean)) for s, p in zip(scores, shares, strict=True)]
