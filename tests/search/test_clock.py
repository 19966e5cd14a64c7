"""Clocks count as servers count, and no simulated game is lost on time."""

import random

import pytest

from tesuji import Clock
from tesuji.search.clock import TimeLossError, TimeOptions, allowance


def test_absolute_time_runs_out() -> None:
    clock = Clock.absolute(10).after(4)
    assert clock.left == 6
    with pytest.raises(TimeLossError):
        clock.after(6.1)


def test_fischer_adds_after_the_move_up_to_its_cap() -> None:
    assert Clock.fischer(10, 5).after(3).main == 12
    assert Clock.fischer(10, 5, cap=11).after(3).main == 11
    with pytest.raises(TimeLossError):
        Clock.fischer(10, 5).after(10.5)


def test_byoyomi_loses_a_period_only_when_a_move_outlasts_it() -> None:
    clock = Clock.byoyomi(5, 10, 3)
    assert clock.left == 35
    clock = clock.after(14)  # the main time and nine seconds of the first period
    assert (clock.periods, clock.period_left) == (3, 10)
    clock = clock.after(10.5)
    assert (clock.periods, clock.period_left) == (2, 10)
    with pytest.raises(TimeLossError):
        clock.after(20.5)


def test_canadian_counts_stones() -> None:
    clock = Clock.canadian(1, 30, 3).after(11)
    assert (clock.stones_left, clock.period_left) == (2, 20)
    clock = clock.after(5).after(5)
    assert (clock.stones_left, clock.period_left) == (3, 30)
    with pytest.raises(TimeLossError):
        clock.after(31)


CLOCKS = {
    "absolute": Clock.absolute(60),
    "blitz": Clock.absolute(5),
    "fischer": Clock.fischer(20, 2),
    "fischer-capped": Clock.fischer(10, 1, cap=15),
    "byoyomi": Clock.byoyomi(10, 3, 3),
    "byoyomi-only": Clock.byoyomi(0, 1, 1),
    "canadian": Clock.canadian(10, 20, 10),
    "canadian-only": Clock.canadian(0, 25, 25),
}


# Five seconds do not even cover the overhead of a long game on 19x19.
@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for name in CLOCKS for size in (9, 19) if (name, size) != ("blitz", 19)]
)
def test_no_game_is_lost_on_time(name: str, size: int) -> None:
    """Games of any length, every move with an overhead of its own up to what the options expect."""
    for seed in range(30):
        chance = random.Random(seed)
        overhead = chance.choice((0.0, 0.02, 0.05))
        clock = CLOCKS[name]
        length = chance.randrange(size, int(1.3 * size * size))
        options = TimeOptions(overhead=0.05)
        spent = 0.0
        for played in range(0, length, 2):
            seconds = allowance(clock, size, played, options)
            assert seconds > 0
            clock = clock.after(seconds + overhead * chance.random())  # raises when the flag falls
            spent += seconds
        assert spent > 0.0


def test_the_clock_is_used_not_hoarded() -> None:
    clock, spent = Clock.absolute(60), 0.0
    for played in range(0, 60, 2):
        seconds = allowance(clock, 9, played, TimeOptions(overhead=0.0))
        clock = clock.after(seconds)
        spent += seconds
    assert spent > 40
    assert allowance(Clock.byoyomi(0, 10, 3).after(1), 19, 100, TimeOptions(overhead=0.2)) > 9


def test_overtime_needs_its_numbers() -> None:
    with pytest.raises(ValueError, match="byoyomi needs periods"):
        Clock.byoyomi(10, 10, 0)
    with pytest.raises(ValueError, match="Canadian overtime needs"):
        Clock.canadian(10, 0, 5)
