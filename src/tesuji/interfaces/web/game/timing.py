"""The time of people at the board: what was agreed, and clocks that run while it is their turn.

The engine has its own measure (its level), so only people have clocks. A clock is kind unless the players want it
strict: it tells that the time is up and lets them go on.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from tesuji import BLACK, WHITE, Color
from tesuji.interfaces.web.words.words import WordedError
from tesuji.search.clock import Clock, TimeLossError

Kind = Literal["none", "move", "byoyomi", "fischer"]
KINDS: tuple[Kind, ...] = ("none", "move", "byoyomi", "fischer")
MOST_SECONDS = 86_400.0


@dataclass(frozen=True)
class TimeControl:
    """How much time people have."""

    kind: Kind = "none"
    main: float = 300.0
    """Seconds for the game before overtime; not where each move has its own time."""
    period: float = 30.0
    """Seconds for a move; those of a byoyomi period; those that Fischer adds."""
    periods: int = 5
    strict: bool = False
    """Whether who oversteps loses the game."""

    def __post_init__(self) -> None:
        sane = 1 <= self.period <= MOST_SECONDS and 0 <= self.main <= MOST_SECONDS and 1 <= self.periods <= 100
        if self.kind not in KINDS or not sane:
            raise WordedError("new_game.bad_time")

    @property
    def clock(self) -> Clock | None:
        """A clock as it stands at the beginning."""
        if self.kind == "move":
            return Clock.byoyomi(0.0, self.period, 1)
        if self.kind == "byoyomi":
            return Clock.byoyomi(self.main, self.period, self.periods)
        if self.kind == "fischer":
            return Clock.fischer(self.main + self.period, self.period)
        return None


class Clocks:
    """The clocks of both people; at most one of them runs. Time goes by as `now` tells."""

    def __init__(self, control: TimeControl, now: Callable[[], float] = time.monotonic) -> None:
        self.control = control
        self._now = now
        self.running: Color | None = None
        self._since = 0.0
        self._moves = 0
        start = control.clock
        self._clocks: dict[Color, Clock] = {} if start is None else {BLACK: start, WHITE: start}

    def __bool__(self) -> bool:
        return bool(self._clocks)

    def run_for(self, color: Color | None, moves: int) -> None:
        """From now on it is this player's time, None: nobody's; so many moves were made.

        Whose time ran so far has moved if there are more of them now; else the turn is only interrupted.
        """
        if color == self.running or not self._clocks:
            return
        if self.running is not None and moves > self._moves:
            self._settle(self.running)
        else:
            self.pause()
        self.running, self._since, self._moves = color, self._now(), moves

    def pause(self) -> None:
        """Nobody is there: time stands still, and the turn under way goes on with what is left of it."""
        if self.running is not None:
            clock, spent = self._clocks[self.running], self._now() - self._since
            self._clocks[self.running] = _spent_without_move(clock, spent)
            self.running = None

    def _settle(self, color: Color) -> None:
        try:
            self._clocks[color] = self._clocks[color].after(self._now() - self._since)
        except TimeLossError:
            self.forgive(color)

    def left(self) -> float | None:
        """Seconds until the running clock has run out; None where none runs."""
        if self.running is None:
            return None
        return self._clocks[self.running].left - (self._now() - self._since)

    def forgive(self, color: Color) -> None:
        """The time is up, and the game goes on: a last period again and again, or what Fischer adds."""
        clock = self._clocks[color]
        if clock.period > 0:
            self._clocks[color] = replace(clock, main=0.0, periods=1, period_left=clock.period)
        else:
            self._clocks[color] = replace(clock, main=clock.increment)
        self._since = self._now()

    def shown(self, color: Color) -> dict[str, Any] | None:
        """What the browser counts down from."""
        clock = self._clocks.get(color)
        if clock is None:
            return None
        spent = self._now() - self._since if self.running == color else 0.0
        return {
            "main": round(clock.main, 1),
            "period": clock.period,
            "periodLeft": clock.period_left,
            "periods": clock.periods,
            "spent": round(spent, 1),
            "running": self.running == color,
        }

    def as_list(self) -> list[list[float | None]]:
        """What is left, Black's first; for the file on disk."""
        kept = (self._clocks[color] for color in (BLACK, WHITE)) if self._clocks else ()
        return [[clock.main, float(clock.periods), clock.period_left] for clock in kept]

    def restore(self, kept: list[list[float | None]]) -> None:
        """Sets the clocks to what `as_list` gave."""
        for color, (main, periods, period_left) in zip((BLACK, WHITE), kept, strict=False):
            if color in self._clocks:
                clock, left = self._clocks[color], None if period_left is None else float(period_left)
                self._clocks[color] = replace(clock, main=float(main or 0), periods=int(periods or 0), period_left=left)


def _spent_without_move(clock: Clock, spent: float) -> Clock:
    """The clock of a turn that is interrupted after so many seconds."""
    if clock.period_left is None and spent <= clock.main:
        return replace(clock, main=clock.main - spent)
    if clock.period <= 0:
        return replace(clock, main=0.0)
    over = spent - (clock.main if clock.period_left is None else 0.0)
    left = (clock.period if clock.period_left is None else clock.period_left) - over
    periods = clock.periods
    while left <= 0 and periods > 1:
        left, periods = left + clock.period, periods - 1
    return replace(clock, main=0.0, periods=periods, period_left=max(0.1, left))
