"""The sequential test keeps its promises: simulated error rates and number of games."""

import math
from collections import Counter

import numpy as np
import pytest

from tesuji.arena.sprt import SequentialTest, Sprt, log_likelihood_ratio
from tesuji.arena.statistics import elo_of


def test_without_draws_it_is_walds_test() -> None:
    counts = Counter({1.0: 30, 0.0: 20})
    wald = 30 * math.log(0.55 / 0.5) + 20 * math.log(0.45 / 0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.55) == pytest.approx(wald)


def test_draws_carry_less_information_about_the_better_player() -> None:
    decided = log_likelihood_ratio(Counter({1.0: 60, 0.0: 40}), 0.5, 0.55)
    drawish = log_likelihood_ratio(Counter({1.0: 30, 0.5: 60, 0.0: 10}), 0.5, 0.55)
    assert drawish > decided > 0  # the same points from fewer decisive games: less noise, stronger evidence


def simulate(rate: float, runs: int, seed: int) -> tuple[float, float]:
    """Share of runs that accept H1, and the mean number of pairs until the verdict."""
    rng = np.random.default_rng(seed)
    sprt = Sprt(elo0=0, elo1=elo_of(0.55), alpha=0.05, beta=0.05)
    accepted, pairs = 0, 0
    for _ in range(runs):
        test = SequentialTest(sprt)
        while not test.verdict:
            test.add(float(rng.binomial(2, rate)) / 2)
        accepted += test.verdict == "H1"
        pairs += test.count
    return accepted / runs, pairs / runs


def expected_games(rate: float) -> float:
    """Wald's expected length, errors 0.05 and 0.05, testing 50 % against 55 %."""
    bound = math.log(19)
    drift = rate * math.log(0.55 / 0.5) + (1 - rate) * math.log(0.45 / 0.5)
    accept = 0.95 if rate == 0.55 else 0.05
    return (accept * bound - (1 - accept) * bound) / drift


def test_a_planted_55_percent_player_is_found_in_the_expected_number_of_games() -> None:
    found, pairs = simulate(0.55, runs=120, seed=1)
    assert found >= 0.89  # 0.95 less three standard errors of 120 runs
    assert 2 * pairs == pytest.approx(expected_games(0.55), rel=0.25)


def test_equal_players_are_not_taken_for_better() -> None:
    found, pairs = simulate(0.5, runs=120, seed=2)
    assert found <= 0.11
    assert 2 * pairs == pytest.approx(expected_games(0.5), rel=0.25)


def test_nothing_changes_after_the_verdict() -> None:
    test = SequentialTest(Sprt(elo1=200))
    while not test.verdict:
        test.add(1.0)
    before = (test.ratio, test.count, test.verdict)
    test.add(0.0)
    assert (test.ratio, test.count, test.verdict) == before == (test.ratio, test.count, "H1")


def test_parsing() -> None:
    assert Sprt.parse("elo0=-5 elo1=10") == Sprt(elo0=-5, elo1=10)
    assert Sprt.parse("elo1=10,alpha=0.1") == Sprt(elo1=10, alpha=0.1)
    for bad, why in (
        ("elo2=3", "elo2=3"),
        ("elo0=x", "not a number"),
        ("elo0=50 elo1=10", "below"),
        ("alpha=1", "0.5"),
    ):
        with pytest.raises(ValueError, match=why):
            Sprt.parse(bad)
