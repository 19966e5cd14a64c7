"""What a page says of scaling follows from the settings, and the budget `paper` is the papers'."""

import pytest

from tesuji.experiments.recipe import recipe, recipes
from tesuji.experiments.scaling import scaled_down

TRAINED = [name for name, one in recipes().items() if one.needs_data and name.startswith(("2020", "2021"))]


def said(name: str, budget: str = "small", size: int | None = None) -> str:
    one = recipe(name)
    return "\n".join(scaled_down(one, budget, one.at(budget), size))


@pytest.mark.parametrize("name", sorted(recipes()))
def test_the_papers_budget_scales_nothing(name: str) -> None:
    assert not said(name, "paper")


def test_networks_are_told_with_their_parameters() -> None:
    told = said("2021-figure-7")
    assert "se.48.960.160 (15,725,701 parameters) → se.8.240.40 (191,981 parameters)." in told
    assert "samples 200,000 in place of 250,000,000" in told


def test_cells_of_a_grid_are_called_by_the_papers_network() -> None:
    told = said("2021-table-6")
    assert "se.48.128 (10,196,709 parameters) → se.6.32 (97,413 parameters)." in told
    assert "9 of 21 cells; left out: se.64.64;" in told


def test_rows_left_out_time_and_openings_are_told() -> None:
    assert "6 of 23 rows; left out: se.48.960.160;" in said("2021-table-11")
    assert "seconds 0.05 in place of 10" in said("2021-table-11")
    assert "openings auto in place of none, seconds 0.05 in place of 1." in said("2020-table-2")


def test_a_board_that_was_asked_for_counts() -> None:
    assert "size 9 in place of 19" in said("2021-table-2")
    assert "size" not in said("2021-table-2", size=19)


@pytest.mark.parametrize("name", TRAINED)
def test_trainings_at_the_papers_budget_are_the_papers(name: str) -> None:
    settings = recipe(name).at("paper")
    assert settings["samples"] == 1_000_000 * settings["points"]  # a validation for each epoch
    assert settings["train"]["positions"] == "positions"
    assert settings["train"]["validation_games"] == settings["train"]["validation_positions"] == 100_000


@pytest.mark.parametrize("name", TRAINED)
def test_trainings_at_other_budgets_are_not(name: str) -> None:
    for budget in ("minutes", "small"):
        assert "positions" not in recipe(name).at(budget)["train"]
        assert recipe(name).at(budget).get("points", 8) <= 8
