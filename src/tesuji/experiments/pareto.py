"""Pareto fronts: the networks that no other beats in both speed and quality."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """One network: what it costs or how fast it is, and how good."""

    name: str
    speed: float
    """More is better."""
    quality: float
    """More is better; turn an error round."""


@dataclass(frozen=True)
class Front:
    """Who stands on the front, fastest first, and who is dominated by whom."""

    best: tuple[str, ...]
    dominated: dict[str, str]
    """Each dominated network, and the best of those that dominate it."""

    def in_words(self, what: str) -> str:
        """Both lists in a sentence each."""
        beaten = ", ".join(f"{name} (by {by})" for name, by in self.dominated.items()) or "none"
        return f"{what}, fastest first: {', '.join(self.best)}. Dominated: {beaten}."


def front(points: Sequence[Point]) -> Front:
    """Splits the points; of two alike in both, neither dominates the other."""
    dominated = {}
    for point in points:
        above = [other for other in points if _dominates(other, point)]
        if above:
            dominated[point.name] = max(above, key=lambda other: (other.quality, other.speed)).name
    best = sorted((point for point in points if point.name not in dominated), key=lambda point: -point.speed)
    return Front(tuple(point.name for point in best), dominated)


def _dominates(one: Point, other: Point) -> bool:
    no_worse = one.speed >= other.speed and one.quality >= other.quality
    return no_worse and (one.speed > other.speed or one.quality > other.quality)
