"""Scales have round numbers, and room for everything."""

import pytest

from tesuji.base.quantities import round_values


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (28.68, 1233, [0, 500, 1000, 1500]),
        (52.77, 60.16, [52, 54, 56, 58, 60, 62]),
        (-172.0, 172.0, [-200, -100, 0, 100, 200]),
        (0, 1, [0, 0.25, 0.5, 0.75, 1]),
        (0.2479, 0.2479, [0, 0.2, 0.4, 0.6]),
        (0, 0, [-0.5, -0.25, 0, 0.25, 0.5]),
        (1e-5, 4e-5, [1e-5, 2e-5, 3e-5, 4e-5]),
    ],
)
def test_a_scale_is_round_and_takes_in_everything(low: float, high: float, values: list[float]) -> None:
    found = round_values(low, high)
    assert found == values
    assert found[0] <= low
    assert found[-1] >= high
