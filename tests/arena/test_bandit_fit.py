"""The paper's fit: exact where the drift is exact, near the paper's values for constants like the paper's."""

import pytest

from tesuji.arena.bandit_fit import PAPER_BUDGETS, bandit_player, best_constants, fit, fit_games, table_text
from tesuji.arena.statistics import Tally


def test_a_known_drift_is_recovered() -> None:
    found = fit({d: 0.057 * d**0.237 for d in PAPER_BUDGETS})
    assert found.tau == pytest.approx(0.737, abs=1e-3)
    assert found.c == pytest.approx(0.057, abs=1e-3)
    assert found.residual == pytest.approx(0, abs=1e-6)


def test_no_drift_is_puct() -> None:
    found = fit(dict.fromkeys(PAPER_BUDGETS, 0.2))
    assert found.tau == 0.5
    assert found.c == pytest.approx(0.2)


def test_rounded_constants_give_nearly_the_papers_values() -> None:
    """The true drift of the paper's result, rounded to the constants its Table 1 tried."""
    found = fit({16: 0.1, 32: 0.15, 64: 0.15, 128: 0.2, 256: 0.2, 512: 0.25})
    assert found.tau == pytest.approx(0.737, abs=0.02)
    assert found.c == pytest.approx(0.057, abs=0.01)


def test_tau_is_not_clipped() -> None:
    """A drift beyond the usual range is found, and one without end is said to have none."""
    steep = fit({d: 0.05 * (d / 16) ** 1.4 for d in PAPER_BUDGETS})
    assert steep.tau == pytest.approx(1.9, abs=1e-3)
    assert not steep.at_edge
    falling = fit({d: 0.5 * (d / 16) ** -0.8 for d in PAPER_BUDGETS})
    assert (falling.tau, falling.at_edge) == (0.0, True)
    assert fit({16: 1e-9, 17: 1e9}).at_edge


def test_no_other_pair_does_better() -> None:
    best = {16: 0.1, 32: 0.2, 64: 0.15, 128: 0.3}
    found = fit(best)
    for tau in (0.3, 0.5, 0.7, 0.9):
        for c in (0.02, 0.05, 0.1, 0.2):
            assert sum(abs(c * d**tau - k * d**0.5) for d, k in best.items()) >= found.residual


def test_the_reference_wins_where_nobody_beats_it() -> None:
    grid = {16: {0.2: Tally(40, 0, 60)}, 64: {0.2: Tally(60, 0, 40), 0.3: Tally(55, 0, 45)}}
    assert best_constants(grid, 0.1) == {16: 0.1, 64: 0.2}


def test_few_games_mean_large_errors() -> None:
    def grid(games: int) -> dict[int, dict[float, Tally]]:
        return {
            d: {
                c: Tally(wins := int(games * (0.6 - abs(c - 0.01 * d**0.5))), 0, games - wins) for c in (0.05, 0.2, 0.3)
            }
            for d in (16, 64, 256)
        }

    few, many = fit_games(grid(20), 0.1), fit_games(grid(20_000), 0.1)
    assert few.tau_error > 5 * many.tau_error
    assert (few.tau, few.c) == pytest.approx((many.tau, many.c), abs=0.2)


def test_a_fit_that_finds_puct_again_can_still_meet_it() -> None:
    assert bandit_player("net", 16, 0.2).name != bandit_player("net", 16, 0.2, tau=0.5).name


def test_layout() -> None:
    text = table_text({16: {0.1: Tally(231, 0, 169)}}, [0.1, 0.2])
    assert text.splitlines()[2] == "| 16 | 57.75 ± 2.5 |  |"
    with pytest.raises(ValueError, match="two budgets"):
        fit({16: 0.1})
