"""One form of a result, read from many and written everywhere; test_sgf_readers.py has the long table of forms."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import BLACK, WHITE, Color
from tesuji.go.results import (
    black_lead,
    forfeited,
    out_of_time,
    parse_result,
    resigned,
    same_result,
    score_text,
    winner_of,
)


@pytest.mark.parametrize(
    ("lead", "text"), [(3.5, "B+3.5"), (-0.5, "W+0.5"), (0, "0"), (12, "B+12"), (-361.25, "W+361.25")]
)
def test_a_lead_is_written_and_read_back(lead: float, text: str) -> None:
    assert score_text(lead) == text
    assert parse_result(text) == text
    assert black_lead(text) == lead


@given(st.integers(-2000, 2000).map(lambda quarters: quarters / 4))
def test_every_lead_comes_back(lead: float) -> None:
    assert black_lead(score_text(lead)) == lead


@given(st.text())
def test_any_text_is_a_result_or_none(text: str) -> None:
    known = parse_result(text)
    assert known is None or re.fullmatch(r"0|[BW]\+([RTF]|[0-9]+(\.[0-9]+)?)?", known)
    assert known is None or parse_result(known) == known


def test_estimates_are_written_with_decimals() -> None:
    assert [score_text(lead, decimals=1) for lead in (3.24, -1, 0.04)] == ["B+3.2", "W+1.0", "B+0.0"]


@pytest.mark.parametrize("loser", [BLACK, WHITE])
def test_who_loses_and_how(loser: Color) -> None:
    for result in (resigned(loser), out_of_time(loser), forfeited(loser)):
        assert winner_of(result) == loser.opponent
        assert black_lead(result) is None
    assert winner_of("0") is None
    assert winner_of(None) is None


def test_results_are_the_same_however_written() -> None:
    assert same_result("B+3.50", "b+3.5 points")
    assert not same_result("B+3.5", "W+3.5")


def test_nobody_else_writes_results() -> None:
    source = Path(__file__).parent.parent.parent / "src" / "tesuji"
    own = re.compile(r"""\{['"]B['"] if [^}]*\}\+|['"][BW]\+\{|\}\+\{abs\(|\}\+[RTF]['"]""")
    for path in set(source.rglob("*.py")) - {source / "go" / "results.py"}:
        assert not own.search(path.read_text(encoding="utf-8")), f"{path.name} writes results by itself"
