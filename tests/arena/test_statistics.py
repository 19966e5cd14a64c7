"""Error bars against reference computations, and against what they promise."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binomtest, norm

from tesuji.arena.ratings import Outcome, rate
from tesuji.arena.statistics import Tally, elo_of, rate_of


@pytest.mark.parametrize(("wins", "losses"), [(0, 5), (5, 0), (180, 40), (1, 1), (270, 130)])
def test_wilson_interval_is_scipys(wins: int, losses: int) -> None:
    reference = binomtest(wins, wins + losses).proportion_ci(0.95, method="wilson")
    assert Tally(wins, 0, losses).wilson() == pytest.approx((reference.low, reference.high))


def test_sigma_is_the_papers() -> None:
    assert Tally(180, 0, 40).rate == pytest.approx(0.818, abs=5e-4)
    assert Tally(180, 0, 40).sigma == pytest.approx(0.026, abs=5e-4)  # Table 9, first line
    assert Tally(4, 0, 396).sigma == pytest.approx(0.005, abs=5e-4)  # Table 10, last line


def test_draws_count_half_and_narrow_the_spread() -> None:
    assert Tally.of([1.0, 0.5, 0.0, 0.5]) == Tally(1, 2, 1)
    assert Tally(1, 2, 1).rate == 0.5
    assert Tally(0, 50, 0).sigma == 0.0
    assert Tally(20, 60, 20).sigma < Tally(50, 0, 50).sigma


def test_nothing_played_says_nothing() -> None:
    empty = Tally()
    assert (empty.rate, empty.wilson(), empty.superiority) == (0.5, (0.0, 1.0), 0.5)


def test_elo_and_rate_are_inverse() -> None:
    for elo in (-700.0, -30.0, 0.0, 191.0):
        assert elo_of(rate_of(elo)) == pytest.approx(elo)
    assert rate_of(400) == pytest.approx(10 / 11)
    assert elo_of(1.0) == math.inf
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_of(1.5)


def games_between(rates: dict[tuple[str, str], tuple[int, int, int]]) -> list[Outcome]:
    return [
        (black, white, points)
        for (black, white), counts in rates.items()
        for points, count in zip((1.0, 0.5, 0.0), counts, strict=True)
        for _ in range(count)
    ]


def test_two_players_without_prior_get_the_textbook_difference() -> None:
    found = rate(games_between({("a", "b"): (60, 0, 40)}), colors=False, prior=math.inf)
    apart = found.difference("a", "b")
    assert apart.elo == pytest.approx(elo_of(0.6))
    # Standard error of a log odds: 1 / sqrt(n p (1 - p)).
    assert apart.error == pytest.approx(400 / math.log(10) / math.sqrt(100 * 0.6 * 0.4))
    assert found.superiority("a", "b") == pytest.approx(norm.cdf(apart.elo / apart.error))


def reference_fit(outcomes: list[Outcome], names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Davidson's model written down once more and handed to scipy: strengths of names[1:], colour, log nu."""

    def loss(theta: np.ndarray) -> float:
        strength = dict(zip(names, [0.0, *theta[: len(names) - 1]], strict=True))
        total = 0.0
        for black, white, points in outcomes:
            d = strength[black] - strength[white] + theta[-2]
            weights = {1.0: math.exp(d / 2), 0.5: math.exp(theta[-1]), 0.0: math.exp(-d / 2)}
            total -= math.log(weights[points] / sum(weights.values()))
        return total

    found = minimize(loss, np.zeros(len(names) + 1), method="BFGS", options={"gtol": 1e-7})
    step, n = 1e-4, len(names) + 1
    hessian = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            ei, ej = np.eye(n)[i] * step, np.eye(n)[j] * step
            hessian[i, j] = (
                loss(found.x + ei + ej) - loss(found.x + ei - ej) - loss(found.x - ei + ej) + loss(found.x - ei - ej)
            ) / (4 * step * step)
    return found.x, np.sqrt(np.diag(np.linalg.inv(hessian)))


@pytest.mark.filterwarnings("ignore:Desired error not necessarily achieved")
def test_round_robin_with_draws_and_colours_agrees_with_scipy() -> None:
    names = ["a", "b", "c"]
    outcomes = games_between(
        {
            ("a", "b"): (14, 3, 8),
            ("b", "a"): (15, 2, 8),
            ("a", "c"): (20, 1, 4),
            ("c", "a"): (9, 4, 12),
            ("b", "c"): (16, 2, 7),
            ("c", "b"): (11, 3, 11),
        }
    )
    theta, errors = reference_fit(outcomes, names)
    scale = 400 / math.log(10)
    found = rate(outcomes, prior=math.inf)
    for index, name in enumerate(names[1:]):
        apart = found.difference(name, "a")
        assert apart.elo == pytest.approx(theta[index] * scale, abs=0.05)
        assert apart.error == pytest.approx(errors[index] * scale, rel=1e-3)
    assert found.black_advantage.elo == pytest.approx(theta[-2] * scale, abs=0.05)
    assert found.black_advantage.error == pytest.approx(errors[-2] * scale, rel=1e-3)
    assert found.draw_parameter == pytest.approx(math.exp(theta[-1]), rel=1e-3)
    assert found.ranking()[0] == "a"


def test_errors_mean_what_they_say() -> None:
    """In repeated tournaments of known players the true rating lies within 1.96 errors 95 times in 100."""
    rng = np.random.default_rng(7)
    truth = {"a": 80.0, "b": 0.0, "c": -80.0}
    inside = total = 0
    for _ in range(150):
        outcomes = [
            (black, white, float(rng.random() < rate_of(truth[black] - truth[white] + 20)))
            for black in truth
            for white in truth
            if black != white
            for _ in range(60)
        ]
        found = rate(outcomes)
        for name, elo in truth.items():
            inside += abs(found[name].elo - elo) < 1.96 * found[name].error
            total += 1
    assert 0.92 < inside / total < 0.98


def test_a_player_who_never_lost_has_a_finite_rating() -> None:
    found = rate(games_between({("a", "b"): (50, 0, 0), ("b", "c"): (25, 0, 25)}))
    assert 300 < found.difference("a", "b").elo < 2000
    assert found.difference("a", "b").error > 100
    assert found.superiority("a", "b") > 0.98


def test_players_without_games_are_rated_at_the_mean_and_known_unsure() -> None:
    found = rate([], ["a", "b"])
    assert found["a"].elo == pytest.approx(0.0)
    assert found["a"].error > 500
    with pytest.raises(ValueError, match="two players"):
        rate([], ["a"])


def test_the_unbeaten_have_an_error_too() -> None:
    assert Tally(4, 0, 0).sigma == 0
    assert 0.05 < Tally(4, 0, 0).error < 0.2
    assert Tally(200, 0, 200).error == pytest.approx(Tally(200, 0, 200).sigma, rel=0.01)
