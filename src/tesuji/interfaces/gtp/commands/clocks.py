"""Clocks of every kind, as each server tells them."""

import math
from collections.abc import Callable
from dataclasses import replace

from tesuji import BLACK, WHITE
from tesuji.base.errors import InputError
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command
from tesuji.search.clock import Clock

_MOST = 1e8  # seconds: three years


class ClockCommands(Conversation):
    """Time settings, and the time left, which is believed whatever was computed here."""

    @command("time_settings")
    def time_settings(self, arguments: Arguments) -> str:
        main, period = _seconds(arguments), _seconds(arguments)
        stones = arguments.integer("stones", 0, 10**6)
        if period > 0 and stones > 0:
            self._set(Clock.canadian(main, period, stones))
        else:
            # Overtime without stones means no limit; and nobody plays a game of no time at all.
            self._set(Clock.absolute(main) if main > 0 and period == 0 else None)
        return ""

    @command("time_left")
    def time_left(self, arguments: Arguments) -> str:
        color = arguments.color()
        left = _seconds(arguments)
        stones = arguments.integer("stones", -1, 10**6) if arguments else 0
        clock = self.clocks.get(color) or Clock.absolute(left)
        if stones > 0 and clock.period > 0:
            clock = replace(clock, main=0.0, period_left=left)
            # KGS and gtp2ogs send the periods left in place of the stones.
            clock = replace(clock, stones_left=stones) if clock.stones else replace(clock, periods=stones)
        else:
            clock = replace(clock, main=left, period_left=None)
        self.clocks[color] = clock
        return ""

    @command("kgs-time_settings")
    def kgs_time_settings(self, arguments: Arguments) -> str:
        self._set(_system(arguments, ("none", "absolute", "canadian", "byoyomi")))
        return ""

    @command("kata-time_settings")
    def kata_time_settings(self, arguments: Arguments) -> str:
        self._set(_system(arguments, tuple(_SYSTEMS)))
        return ""

    @command("kata-list_time_settings")
    def kata_list_time_settings(self, arguments: Arguments) -> str:
        return " ".join(_SYSTEMS)

    def _set(self, clock: Clock | None) -> None:
        self.time_system = clock
        self.clocks = {} if clock is None else dict.fromkeys((BLACK, WHITE), clock)


def _seconds(arguments: Arguments) -> float:
    # A server that is a little late may tell a time below zero.
    return max(0.0, arguments.number("seconds", -_MOST, _MOST))


def _system(arguments: Arguments, known: tuple[str, ...]) -> Clock | None:
    word = arguments.word("a time system")
    if word.lower() not in known:
        raise GtpError("syntax error", f"no time system '{shown(word)}'; known: {', '.join(known)}")
    try:
        return _SYSTEMS[word.lower()](arguments)
    except GtpError:
        raise
    except InputError as fault:
        raise GtpError("syntax error", str(fault)) from None


def _no_clock(arguments: Arguments) -> Clock | None:
    return None


def _absolute(arguments: Arguments) -> Clock:
    return Clock.absolute(_seconds(arguments))


def _byoyomi(arguments: Arguments) -> Clock:
    return Clock.byoyomi(_seconds(arguments), _seconds(arguments), arguments.integer("periods", 0, 10**6))


def _canadian(arguments: Arguments) -> Clock:
    return Clock.canadian(_seconds(arguments), _seconds(arguments), arguments.integer("stones", 0, 10**6))


def _fischer(arguments: Arguments) -> Clock:
    return Clock.fischer(_seconds(arguments), _seconds(arguments))


def _capped_fischer(arguments: Arguments) -> Clock:
    """Initial time, increment, most main time and most time for a move; -1 for no such limit."""
    main, increment = _seconds(arguments), _seconds(arguments)
    cap = arguments.number("most main time", -1, _MOST)
    arguments.number("most time for a move", -1, _MOST)  # a limit above what the clock allows anyway
    return Clock.fischer(main, increment, math.inf if cap < 0 else cap)


_SYSTEMS: dict[str, Callable[[Arguments], Clock | None]] = {
    "none": _no_clock,
    "absolute": _absolute,
    "byoyomi": _byoyomi,
    "canadian": _canadian,
    "fischer": _fischer,
    "fischer-capped": _capped_fischer,
}
