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
    strength,
)


def test_ranks_as_numbers_and_back() -> None:
    assert [rank_number(rank) for rank in ("30k", "1k", "1d", "9d")] == [1, 30, 31, 39]
    assert [rank_text(number) for number in (1, 30, 31, 39)] == ["30k", "1k", "1d", "9d"]
    assert rank_number("?") is None
    assert Strength(24.2, 3.6).text == "about 7k ± 4"


def some_players(count: int, noise: float) -> list[tuple[int, Played]]:
    chance = random.Random(1)
    found = []
    for _ in range(count):
        rank = chance.uniform(5, 36)
        lost = math.exp((20 - rank + chance.gauss(0, noise)) / 6) - 0.3
        found.append((round(rank), Played(30, lost, chance.uniform(0.2, 0.6))))
    return found


def test_the_fit_is_right_for_weak_and_strong_alike() -> None:
    samples = some_players(600, 6)
    line = fit_strength(samples)
    assert line.error == pytest.approx(6, abs=1)
    assert line.moves == 30
    for low, high in ((5, 15), (15, 26), (26, 37)):
        off = [
            sum(w * f for w, f in zip(line.weights, played.features, strict=True)) - rank
            for rank, played in samples
            if low <= rank < high
        ]
        assert abs(sum(off) / len(off)) < 1.5


def test_games_move_the_estimate_away_from_the_usual_player(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Calibration((20.0, -6.0, 0.0), 8.0, 30.0, 24.0, 8.0, 100)
    monkeypatch.setattr(module, "calibrations", lambda: {"net 9 64": line})
    strong = Played(30, math.exp(-2) - 0.0, 0.5)
    rank = 20 - 6 * math.log(strong.points_a_move + 0.3)
    one, many = (strength("net", 9, 64, [strong] * count) for count in (1, 100))
    assert one is not None
    assert many is not None
    assert one.rank == pytest.approx((24 + rank) / 2)  # half way, as the game says no more than was known before
    assert one.error == pytest.approx(8 / math.sqrt(2))
    assert many.rank == pytest.approx(rank, abs=0.1)
    assert many.error == 1  # what the line itself is off by remains
    assert strength("net", 9, 64, [Played(5, 1.0, 0.5)]) is None
    assert strength("net", 9, 32, [strong]) is None


def test_an_estimate_needs_its_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    review = review_game(some_game(), [Counting()], ReviewOptions(visits=8, critical=0, threads=1), network="test")
    assert review.strength(BLACK) is None
    assert review.summary(BLACK).strength is None
    line = Calibration((20.0, -4.0, 8.0), 4.0, 25.0, 24.0, 8.0, 100)
    monkeypatch.setattr(module, "calibrations", lambda: {f"test {review.game.size} 8": line})
    monkeypatch.setattr(module, "FEWEST_MOVES", 1)
    for color in (BLACK, WHITE):
        played, found = review.played(color), review.strength(color)
        assert found is not None
        assert 1 < found.error < 8
        assert played.moves > 0
        assert (review.summary(color).strength or "").startswith("about ")


def test_who_loses_more_seems_weaker() -> None:
    for name, line in calibrations().items():
        weak, strong = Played(30, 4.0, 0.3), Played(30, 0.8, 0.5)
        ranks = [sum(w * f for w, f in zip(line.weights, one.features, strict=True)) for one in (weak, strong)]
        assert ranks[0] < ranks[1], name
        assert 1 < line.error < 15
        assert line.players > 100
