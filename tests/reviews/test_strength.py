"""How strong a player seems: the line, its error, and when nothing is said."""

import math
import random

import pytest

from tests.reviews.test_review import some_game
from tests.search.evaluators import Counting
from tesuji import BLACK, WHITE
from tesuji.reviews import strength as module
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.reviewer import review_game
from tesuji.reviews.strength import (
    Calibration,
    Played,
    Strength,
    calibrations,
    fit_strength,
    rank_number,
    rank_text,
    together,
)


def test_ranks_as_numbers_and_back() -> None:
    assert [rank_number(rank) for rank in ("30k", "1k", "1d", "9d")] == [1, 30, 31, 39]
    assert [rank_text(number) for number in (1, 30, 31, 39)] == ["30k", "1k", "1d", "9d"]
    assert rank_number("?") is None
    assert Strength(24.2, 3.6).text == "about 7k ± 4"


def test_the_fit_finds_the_line_and_its_error() -> None:
    chance = random.Random(1)
    samples = []
    for _ in range(400):
        played = Played(30, chance.uniform(0.1, 6), chance.uniform(0.2, 0.6))
        rank = 20 - 6 * math.log(played.points_a_move + 0.3) + 10 * played.first_choice + chance.gauss(0, 3)
        samples.append((round(rank), played))
    line = fit_strength(samples)
    assert line.weights == pytest.approx((20, -6, 10), abs=2)
    assert line.error == pytest.approx(3, abs=0.4)
    assert line.moves == 30


def test_several_games_are_surer_but_never_certain() -> None:
    assert together([]) is None
    several = together([Strength(20, 4)] * 4)
    assert several == Strength(20, 2)
    many = together([Strength(20, 4)] * 100)
    assert many is not None
    assert many.error == 1


def test_an_estimate_needs_its_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    review = review_game(some_game(), [Counting()], ReviewOptions(visits=8, critical=0, threads=1), network="test")
    assert review.strength(BLACK) is None
    assert review.summary(BLACK).strength is None
    line = Calibration((20.0, -4.0, 8.0), 4.0, 25.0, 5.0, 36.0, 100)
    monkeypatch.setattr(module, "calibrations", lambda: {f"test {review.game.size} 8": line})
    monkeypatch.setattr(module, "FEWEST_MOVES", 1)
    for color in (BLACK, WHITE):
        played, found = review.played(color), review.strength(color)
        assert found is not None
        assert 5 <= found.rank <= 36
        assert found.error == pytest.approx(4 * max(1, math.sqrt(25 / played.moves)))
        assert (review.summary(color).strength or "").startswith("about ")


def test_who_loses_more_seems_weaker() -> None:
    for name, line in calibrations().items():
        weak, strong = Played(30, 4.0, 0.3), Played(30, 0.8, 0.5)
        ranks = [sum(w * f for w, f in zip(line.weights, one.features, strict=True)) for one in (weak, strong)]
        assert ranks[0] < ranks[1], name
        assert 1 < line.error < 10
        assert line.players > 100
