"""`tesuji compare` on small runs."""

import json
from pathlib import Path

import pytest

from tesuji.interfaces.cli import run

HEADER = "step,epoch,seconds,top1,value_mse\n"  # as earlier versions wrote it
SHAPES = {"se.2.24.8": 0.30, "se.4.24.8": 0.34, "se.2.48.16": 0.33, "se.4.48.16": 0.36}


def make_run(folder: Path, network: str, accuracy: float) -> Path:
    folder.mkdir()
    (folder / "config.toml").write_text(f'network = "{network}"\nplanes = "golois-21"\nsize = 9\nepoch_samples = 500\n')
    rows = [f"{n},{n},{10 * n},{accuracy * n / 2},{0.3 - accuracy * n / 10}" for n in (1, 2)]
    (folder / "validation.csv").write_text(HEADER + "\n".join(rows) + "\n")
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    return [str(make_run(tmp_path / name, name, accuracy)) for name, accuracy in SHAPES.items()]


def test_numbers_fronts_and_fit(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *runs, "--json", "--seconds", "0.01"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["network"] for row in told["runs"]] == ["se.2.24.8", "se.4.24.8", "se.2.48.16", "se.4.48.16"]
    assert told["runs"][0]["accuracy"] == pytest.approx(30)
    assert told["runs"][0]["speed"] > 0
    assert told["runs"][0]["samples"] == 1000
    assert set(told["fronts"]) == {"accuracy", "MSE"}
    assert "se.4.48.16" in told["fronts"]["accuracy"]["best"]
    assert told["fit"]["networks"] == 4


def test_tables_for_people(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *runs, "--epochs", "--seconds", "0"]) == 0
    text = capsys.readouterr().out
    assert "accuracy = " in text
    assert "(" in text.splitlines()[-1]  # the widest row is extrapolated


def test_what_is_no_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(tmp_path)]) == 2
    assert "no config.toml" in capsys.readouterr().err
    assert run(["compare", str(tmp_path), "--sort", "beauty"]) == 2
