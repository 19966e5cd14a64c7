"""`tesuji bench`: its signature repeats, and tells one behaviour from another."""

import pytest

from tesuji.go import bench
from tesuji.interfaces.cli import run
from tesuji.search import signature


def test_the_signature_repeats() -> None:
    assert bench.signature(games=8) == bench.signature(games=8)
    assert signature.signature(2, 40) == signature.signature(2, 40)


def test_the_signature_follows_the_search() -> None:
    assert signature.signature(2, 40) != signature.signature(2, 41)


def test_the_command_measures_and_signs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "board", "--seconds", "0.01"]) == 0
    shown = capfd.readouterr().out
    assert "moves/s" in shown
    assert "signature " in shown


def test_an_unknown_part_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "bord"]) == 2
    assert "no part 'bord'" in capfd.readouterr().err
