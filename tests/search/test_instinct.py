"""Moves drawn from a policy: softly, anywhere, or after a glance."""

import random
from collections import Counter

import pytest

from tesuji import PASS
from tesuji.search.choice import choice_named
from tesuji.search.instinct import as_people_play, by_instinct, people_temperature
from tesuji.search.options import SearchOptions
from tesuji.search.result import RootMove


def drawn(moves: list[RootMove], **options: object) -> Counter[int]:
    settings = SearchOptions(**options)  # type: ignore[arg-type]
    chance = random.Random(1)
    return Counter(choice_named(settings.choice)(moves, settings, 5, chance).move for _ in range(2000))


def move(point: int, prior: float, value: float = 0.5, visits: int = 3, proven: bool | None = None) -> RootMove:
    return RootMove(point, visits, value, prior, 0.1, None, proven, (point,))


def test_people_play_moves_as_often_as_the_policy_says() -> None:
    count = drawn([move(0, 0.6), move(1, 0.3), move(2, 0.1)], **as_people_play("15k"))
    assert count[0] / 2000 == pytest.approx(0.6, abs=0.04)
    assert count[2] / 2000 == pytest.approx(0.1, abs=0.03)


def test_a_glance_makes_blunders_rare_and_keeps_habits() -> None:
    habits = [move(0, 0.5, 0.30), move(1, 0.4, 0.60), move(2, 0.1, 0.58)]
    count = drawn(habits, **as_people_play("15k", visits=16))
    assert count[0] / 2000 < 0.12  # thirty points of win rate: e to the -3 of its share
    assert count[1] > 3 * count[2] > 0  # both good: by habit


def test_a_glance_draws_only_what_was_looked_at_and_not_lost() -> None:
    count = drawn(
        [move(0, 0.5, visits=0), move(1, 0.3), move(2, 0.2, proven=False)], **as_people_play("15k", visits=16)
    )
    assert set(count) == {1}


def test_a_pass_is_played_where_it_is_the_favourite_and_never_by_chance() -> None:
    for options in (as_people_play("15k"), as_people_play("15k", visits=16), by_instinct(7.0, anywhere=True)):
        assert set(drawn([move(PASS, 0.6), move(1, 0.4)], **options)) == {PASS}
        assert set(drawn([move(PASS, 0.4), move(1, 0.6)], **options)) == {1}


def test_anywhere_means_more_than_twelve_favourites() -> None:
    moves = [move(n, 0.9 * 0.5**n) for n in range(20)]
    assert max(drawn(moves, **by_instinct(7.0))) == 11
    assert max(drawn(moves, **by_instinct(7.0, anywhere=True))) == 19


def test_stronger_people_are_steadier() -> None:
    ranks = ("30k", "15k", "12k", "6k", "1d", "9d")
    assert [people_temperature(rank) for rank in ranks] == pytest.approx([1.4, 1, 0.9, 0.7, 0.4333, 0.3], abs=1e-4)
    assert people_temperature("12 kyu") == people_temperature("12k")
    with pytest.raises(ValueError, match="no rank 'x'"):
        people_temperature("x")
