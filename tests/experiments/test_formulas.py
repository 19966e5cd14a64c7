"""The 2021 paper's accuracy formula on its own numbers, and Pareto fronts."""

import pytest

from tesuji import InputError
from tesuji.experiments.accuracy_fit import PAPER_FIT, AccuracyFit, extrapolated, fit_accuracy
from tesuji.experiments.outcome import plain
from tesuji.experiments.paper_table import RECIPES, paper_accuracies, read_table
from tesuji.experiments.pareto import Point, front


def test_the_papers_constants_have_the_papers_error() -> None:
    cells = paper_accuracies()
    assert len(cells) == 21
    assert PAPER_FIT.total_error(cells) == pytest.approx(2.698, abs=5e-4)


def test_table_8_within_a_hundredth() -> None:
    measured = paper_accuracies()
    for (width, depth), printed in read_table(RECIPES / "2021-table-8.csv").numbers():
        shape = int(depth), int(width)
        assert measured.get(shape, PAPER_FIT.accuracy(*shape)) == pytest.approx(printed, abs=0.01)


def test_the_exact_minimum_is_no_worse_than_the_papers_constants() -> None:
    cells = paper_accuracies()
    found = fit_accuracy(cells)
    assert found.error == pytest.approx(found.total_error(cells), abs=1e-6)
    assert found.error <= PAPER_FIT.total_error(cells)
    assert (found.p, found.p1, found.p2) == pytest.approx((32.2, 2.7, 3.45), abs=0.5)


def test_a_known_formula_is_found_despite_an_outlier() -> None:
    shapes = [(depth, width) for depth in (4, 8, 16) for width in (16, 32, 64)]
    cells = {shape: PAPER_FIT.accuracy(*shape) for shape in shapes}
    cells[8, 32] += 5  # least absolute errors do not follow it
    found = fit_accuracy(cells)
    assert (found.p, found.p1, found.p2, found.error) == pytest.approx((32.2, 2.7, 3.45, 5), abs=1e-6)


@pytest.mark.parametrize("shapes", [[(1, 2), (2, 1)], [(4, 8), (4, 16), (4, 32)], [(2, 8), (4, 8), (8, 8)]])
def test_too_few_shapes_are_refused(shapes: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="at least three networks"):
        fit_accuracy(dict.fromkeys(shapes, 50.0))


def test_extrapolated_cells_stand_in_brackets() -> None:
    lines = extrapolated({(16, 64): 53.98}, PAPER_FIT, [16, 80], [64, 256])
    assert lines[0][0] == "53.98"
    assert lines[1] == ["(58.82)", "(63.16)"]


def test_a_formula_that_falls_is_written_with_a_minus() -> None:
    assert AccuracyFit(12.2, -2.94, 3.4).in_words().startswith("accuracy = 12.20 - 2.94 ln(depth) + 3.40 ln(width);")


def test_fronts_tell_who_is_dominated_and_by_whom() -> None:
    points = [
        Point("fast", 10, 1),
        Point("good", 1, 10),
        Point("middle", 5, 5),
        Point("slow", 4, 4),
        Point("same", 5, 5),
    ]
    found = front(points)
    assert found.best == ("fast", "middle", "same", "good")
    assert found.dominated == {"slow": "middle"}


def test_numbers_of_a_table_are_grouped_and_have_no_exponent() -> None:
    assert [plain(number) for number in (1147.0, 1077.3, 9999.7, 12345.6, 0.1234567, 57.0)] == [
        "1,147", "1,077", "10,000", "12,346", "0.1235", "57",
    ]  # fmt: skip
