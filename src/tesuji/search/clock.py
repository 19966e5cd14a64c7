"""Clocks of every kind servers use, and how much of them to spend on a move."""

import math
from dataclasses import dataclass, replace

from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help


class TimeLossError(InputError):
    """A move took longer than the clock had."""


@with_field_help
@dataclass(frozen=True)
class Clock:
    """One player's time. All seconds; `after` gives the clock as it stands once a move was made."""

    main: float
    """Main time left."""
    increment: float = 0.0
    """Fischer: added after every move."""
    cap: float = math.inf
    """Fischer: the most the main time may grow to."""
    period: float = 0.0
    """Length of an overtime period; 0 where there is no overtime."""
    stones: int = 0
    """Canadian: moves to make in each period; 0 for byoyomi, where every move has a period of its own."""
    periods: int = 0
    """Byoyomi: periods left, the current one included."""
    period_left: float | None = None
    """Time left in the current period; None while the main time lasts."""
    stones_left: int = 0
    """Canadian: moves still to make in the current period."""

    @classmethod
    def absolute(cls, main: float) -> "Clock":
        """So much for the whole game."""
        return cls(main)

    @classmethod
    def fischer(cls, main: float, increment: float, cap: float = math.inf) -> "Clock":
        """Every move made earns the increment."""
        return cls(main, increment=increment, cap=cap)

    @classmethod
    def canadian(cls, main: float, period: float, stones: int) -> "Clock":
        """After the main time, `stones` moves in every `period`."""
        if stones < 1 or period <= 0:
            raise InputError(f"Canadian overtime needs stones and seconds, not {stones} in {period:g} s")
        return cls(main, period=period, stones=stones)

    @classmethod
    def byoyomi(cls, main: float, period: float, periods: int) -> "Clock":
        """After the main time, `periods` periods, each lost only when a move takes longer than it."""
        if periods < 1 or period <= 0:
            raise InputError(f"byoyomi needs periods and seconds, not {periods} of {period:g} s")
        return cls(main, period=period, periods=periods)

    @property
    def left(self) -> float:
        """Seconds until the flag falls, if this player does not move."""
        if self.period <= 0:
            return max(self.main, 0.0)
        first = self.period if self.period_left is None else self.period_left
        main = max(self.main, 0.0) if self.period_left is None else 0.0
        return main + first + self.period * max(self.periods - 1, 0)

    def after(self, spent: float) -> "Clock":
        """The clock after a move that took `spent` seconds; raises `TimeLossError` when that was too long."""
        if spent > self.left:
            raise TimeLossError(f"{spent:.2f} s spent with {self.left:.2f} s left")
        if self.period_left is None and spent <= self.main:
            return replace(self, main=min(self.main - spent + self.increment, max(self.cap, self.main - spent)))
        over = spent - (self.main if self.period_left is None else 0.0)
        if self.stones:
            return self._after_canadian(over)
        first = self.period if self.period_left is None else self.period_left
        lost = 0 if over <= first else math.ceil((over - first) / self.period)
        return replace(self, main=0.0, periods=self.periods - lost, period_left=self.period)

    def _after_canadian(self, over: float) -> "Clock":
        left = (self.period if self.period_left is None else self.period_left) - over
        stones = (self.stones if self.period_left is None else self.stones_left) - 1
        if stones == 0:
            return replace(self, main=0.0, period_left=self.period, stones_left=self.stones)
        return replace(self, main=0.0, period_left=left, stones_left=stones)


@dataclass(frozen=True)
class TimeOptions:
    """How a player spends its time."""

    overhead: float = 0.2
    """Seconds lost on every move outside the search: the network line, the client, the last batch."""
    horizon: float = 0.7
    """Share of the board's points a game is expected to last, as moves of both players together."""
    floor: float = 0.01
    """The least a move is given: enough for the network's first impression."""


def allowance(clock: Clock, size: int, played: int, options: TimeOptions) -> float:
    """Seconds to search this move, so that the clock lasts whatever the opponent does."""
    mine = max((options.horizon * size * size - played) / 2, 0.25 * size * size)
    least = min(options.floor, 0.05 * clock.left)
    if clock.period > 0 and clock.period_left is not None:
        # In byoyomi the spare periods are for accidents; the current one must not be overstepped.
        share = clock.period_left / max(clock.stones_left, 1) if clock.stones else clock.period_left
        return max(share - options.overhead, least)
    if clock.period > 0:
        overtime = clock.period / max(clock.stones, 1)
        share = max(clock.main / mine, min(overtime, clock.main + overtime)) - options.overhead
        return max(min(share, clock.main + overtime - 2 * options.overhead), least)
    # Put the overhead of the moves to come aside first: it is spent whether or not anything is left to think with.
    reserve = max(options.overhead * mine - clock.increment * mine, 2 * options.overhead)
    share = (clock.main - reserve) / mine + 0.8 * clock.increment - (options.overhead if clock.increment else 0.0)
    return max(min(share, 0.5 * (clock.main - 2 * options.overhead)), least)
