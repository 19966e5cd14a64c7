"""Coordinates: every form of every point, there and back."""

import pytest

from tesuji import PASS
from tesuji.go import coordinates as c

SIZES = [2, 9, 13, 19, 20, 25]


def test_the_table_of_the_module() -> None:
    point = c.parse_vertex("D4", 9)
    assert point == 48
    assert c.vertex_text(point, 9) == "D4"
    assert c.row_column(point, 9) == (5, 3)
    assert c.sgf_letters(point, 9) == "df"
    assert c.policy_index(point, 9) == 48
    assert c.vertex_text(PASS, 9) == "pass"
    assert c.sgf_letters(PASS, 9) == ""
    assert c.policy_index(PASS, 9) == 81


@pytest.mark.parametrize("size", SIZES)
def test_every_point_there_and_back(size: int) -> None:
    for point in range(size * size):
        assert c.parse_vertex(c.vertex_text(point, size), size) == point
        assert c.parse_vertex(c.vertex_text(point, size).lower(), size) == point
        assert c.from_sgf(c.sgf_letters(point, size), size) == point
        assert c.point_at(*c.row_column(point, size), size) == point
        assert c.from_policy_index(c.policy_index(point, size), size) == point
    assert c.parse_vertex("PASS", size) == c.from_sgf("", size) == c.from_policy_index(size * size, size) == PASS


@pytest.mark.parametrize("size", SIZES)
def test_the_corners(size: int) -> None:
    last = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[size - 1]
    assert c.vertex_text(0, size) == f"A{size}"
    assert c.vertex_text(size - 1, size) == f"{last}{size}"
    assert c.vertex_text(size * size - 1, size) == f"{last}1"
    assert c.vertex_text(size * (size - 1), size) == "A1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "D",
        "4",
        "D0",
        "D10",
        "K1",
        "I5",
        "i5",
        "DD4",
        "D4 ",
        " D4",
        "D-4",
        "D4x",
        "44",
        "pas",
        "passs",
        "Ä1",
        "D\x00",
    ],
)
def test_a_wrong_vertex_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no vertex .* on a 9x9 board; vertices run from A1 to J9"):
        c.parse_vertex(text, 9)


@pytest.mark.parametrize("letters", ["a", "aaa", "aj", "ja", "A1", "AA", "ee ", "é"])
def test_wrong_sgf_letters_are_refused(letters: str) -> None:
    with pytest.raises(ValueError, match="is not a point of a 9x9 board"):
        c.from_sgf(letters, 9)


@pytest.mark.parametrize("size", [-1, 0, 1, 26, 1000])
def test_vertices_of_no_board_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 25"):
        c.parse_vertex("Z26", size)
    with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 25"):
        c.vertex_text(0, size)


def test_numbers_outside_the_board_are_refused() -> None:
    for call in (c.row_column, c.vertex_text, c.sgf_letters, c.policy_index, c.from_policy_index):
        for number in (-2, 82, 10**6, 2**16 + 5):
            with pytest.raises(ValueError, match="9x9 board"):
                call(number, 9)
    with pytest.raises(ValueError, match="outside a 9x9 board"):
        c.point_at(0, 9, 9)
