"""The games that come with the package."""

from pathlib import Path

import pytest

import tesuji
from tesuji.interfaces import cli
from tesuji.training.data.sample_games import SAMPLES, sample_sizes


@pytest.mark.parametrize("size", sample_sizes())
def test_the_sample_is_whole_and_legal(size: int, tmp_path: Path) -> None:
    games = tesuji.sample_games(tmp_path / "sample.games", size)
    assert games.size == size
    assert len(games) > 700
    table = games.table()
    assert (table["winner"] > 0).all()  # half komi: nobody is left without a result
    assert table["targets"].sum() > 1000
    batch = games.batch(64, "golois-21", seed=1)
    assert batch.planes.shape == (64, 21, size, size)


def test_the_samples_stay_small() -> None:
    assert sum(file.stat().st_size for file in SAMPLES.glob("*.xz")) < 500_000


def test_the_command_writes_it_and_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s.games"
    assert cli.run(["data", "sample", "--size", "7", "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert "744 games of 7x7" in told
    assert "tesuji train" in told
    assert len(tesuji.GameSet(out)) == 744


def test_another_size_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["data", "sample", "--size", "19", "-o", str(tmp_path / "x")]) == 2
    assert "only of 7x7 and 9x9" in capsys.readouterr().err
