"""`tesuji compare` on small runs."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from tesuji import networks
from tesuji.experiments.runs import fronts, read_run, row_of
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


def test_speed_is_of_the_trained_file_in_the_precision_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_folder = make_run(tmp_path / "se.2.24.8", "se.2.24.8", 0.3)
    network = networks.create("se.1.16.8", planes="golois-21", size=9)
    networks.export(network, run_folder / "best.onnx")
    assert run(["compare", str(run_folder), "--json", "--seconds", "0.01", "--precision", "fp32"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["precision"] == "fp32"
    assert run(["compare", str(run_folder), "--seconds", "0.01", "--precision", "int8"]) == 2
    assert "best.onnx" in capsys.readouterr().err  # a file without integers: the name would have had none to look at
    assert run(["compare", str(run_folder), "--precision", "int9"]) == 2


def test_of_equal_shapes_the_best_counts_in_fit_and_grid(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worse = make_run(tmp_path / "worse", "residual.2.8", 0.1)
    assert run(["compare", *runs, str(worse), "--seconds", "0"]) == 0
    text = capsys.readouterr().out
    (line,) = [line for line in text.splitlines() if line.startswith("8 ")]
    assert "30.00" in line
    assert "of several families (se, residual)" in text.replace("\n", " ")


def test_a_network_without_a_policy_has_no_accuracy(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the value networks of 2018: their errors are compared, and the formula of accuracy leaves them out."""
    monkeypatch.setenv("COLUMNS", "150")
    value = make_run(tmp_path / "value", "residual.8.8+nopolicy", math.nan)
    log = value / "validation.csv"
    log.write_text(log.read_text().replace(",nan,nan", ",nan,0.2"))
    assert run(["compare", str(value), *runs, "--seconds", "0", "--sort", "accuracy"]) == 0
    told = capsys.readouterr().out
    names = [line.split()[0] for line in told.splitlines()[1:6]]
    assert names == ["se.4.48.16", "se.4.24.8", "se.2.48.16", "se.2.24.8", "value"]
    assert "nan" not in told
    assert "over 4 networks" in told
    assert "several families" not in told
    rows = [replace(row_of(read_run(Path(folder)), speed=False), speed=100.0) for folder in (str(value), *runs)]
    listed = {what: {*one.best, *one.dominated} for what, one in fronts(rows).items()}
    assert listed["MSE"] - listed["accuracy"] == {"value"}


def test_what_is_no_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", str(tmp_path)]) == 2
    assert "no config.toml" in capsys.readouterr().err
    assert run(["compare", str(tmp_path), "--sort", "beauty"]) == 2
