"""Everything a review may vary, a line under each field."""

import math
from dataclasses import dataclass

from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help


@with_field_help
@dataclass(frozen=True)
class ReviewOptions:
    """How to review a game."""

    visits: int = 64
    """Visits of every position in the first pass."""
    deep_visits: int = 0
    """Visits of the second look at critical moves; 0: four times the first."""
    critical: int = 12
    """Moves that are looked at twice, at most: those that seem to lose most."""
    least_points: float = 2.0
    """Points lost from which a move is a mistake."""
    least_winrate: float = 0.06
    """The same of the win rate, where the network tells no score."""
    budget: float | None = None
    """Seconds for the whole game; visits and second looks are cut to fit. None for no limit."""
    threads: int = 0
    """Threads that search; 0: all cores."""

    def __post_init__(self) -> None:
        if not 1 <= self.visits <= 1_000_000:
            raise InputError(f"cannot review with {self.visits} visits a move; from 1 to 1000000")
        if not 0 <= self.deep_visits <= 10_000_000:
            raise InputError(f"cannot look again with {self.deep_visits} visits; 0 means four times the first")
        if self.critical < 0 or self.threads < 0:
            raise InputError("moves looked at twice and threads are counted from 0")
        if not (0 < self.least_points < math.inf and 0 < self.least_winrate <= 1):
            raise InputError("a mistake loses more than 0 points, and more than 0 of the win rate")
        if self.budget is not None and not 0 < self.budget < math.inf:
            raise InputError(f"a budget of {self.budget:g} s; it must be longer than nothing")

    @property
    def second_visits(self) -> int:
        """Visits of the second look."""
        return self.deep_visits or 4 * self.visits
