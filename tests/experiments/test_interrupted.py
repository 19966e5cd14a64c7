"""An experiment that is killed, interrupted or not alone goes on with the same call, and nothing is done twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.training.packed import packed
from tesuji.arena.play.results import ResultsFile
from tesuji.base.files import open_alone
from tesuji.experiments import long_steps, work
from tesuji.experiments.reproduce import Reproduced, reproduce
from tesuji.experiments.work import Told
from tesuji.interfaces.cli import run
from tesuji.training.run.watching import Status

ROWS = {"se.48.768.128": "se.1.8.4", "residual.20.256": "residual.1.8"}
CHANGES = {
    "samples": 64, "points": 1, "rows": ROWS, "games": 12,
    "train": {"schedule": "cosine", "batch": 8, "validation_games": 4, "loaders": 1},
    "match": {"size": 9, "visits": 8, "move_limit": 40},
}  # fmt: skip


def whole(folder: str, data: str) -> Reproduced:
    return reproduce("2021-table-9", budget="minutes", data=[data], folder=folder, changes=CHANGES)


def killed_when(ready: Callable[[], bool], folder: Path, data: str) -> None:
    """Starts the experiment in a process of its own and kills it without a warning once `ready`."""
    child = subprocess.Popen([sys.executable, "-m", "tests.experiments.test_interrupted", str(folder), data])
    deadline = time.monotonic() + 600
    while not ready() and child.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()


@pytest.mark.slow
def test_killed_twice_the_same_call_goes_on(tmp_path: Path) -> None:
    data, folder = packed(tmp_path / "train.games", 24), tmp_path / "cup"
    first, results = folder / "steps" / "train_se.1.8.4.json", folder / "games" / "results.jsonl"
    killed_when(first.exists, folder, data)
    kept = first.read_bytes()
    assert not (folder / "result.json").exists()

    killed_when(lambda: results.exists() and results.read_bytes().count(b"\n") >= 3, folder, data)
    assert first.read_bytes() == kept  # seconds and curve as they were: not trained again
    begun = {game.key for game in ResultsFile(results)}

    found = whole(str(folder), data)
    assert first.read_bytes() == kept
    games = [game.key for game in ResultsFile(results)]
    assert begun <= set(games)
    assert len(games) == len(set(games)) == 12
    assert json.loads((folder / "result.json").read_text())["recipe"] == "2021-table-9"
    assert sum(found.outcome.cells[row, "Games"].value for row in ROWS) == 24


ONE = {
    "samples": 64, "points": 2, "rows": {"64": "4"}, "columns": {"16": "1"},
    "train": {"schedule": "cosine", "batch": 8, "validation_games": 4, "loaders": 1},
}  # fmt: skip


def one_training(folder: Path, data: str, tell: Callable[[Told], None] = lambda told: None) -> Reproduced:
    return reproduce("2021-table-6", budget="minutes", data=[data], folder=folder, changes=ONE, tell=tell)


@pytest.mark.parametrize(
    ("number", "step"), [(signal.SIGINT, 3), (signal.SIGTERM, 3), pytest.param(signal.SIGINT, 8, id="at the very end")]
)
def test_an_interrupted_training_is_not_recorded(
    number: signal.Signals, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, folder = packed(tmp_path / "train.games", 24), tmp_path / "grid"

    def stepped(watcher: object, status: Status) -> None:
        if status.step == step:
            signal.raise_signal(number)

    with monkeypatch.context() as patched:
        patched.setattr(long_steps._Telling, "stepped", stepped)
        with pytest.raises(KeyboardInterrupt):
            one_training(folder, data)
    assert not list((folder / "steps").iterdir())

    found = one_training(folder, data)
    (kept,) = (folder / "steps").iterdir()
    assert [row["samples"] for row in json.loads(kept.read_text())["history"]] == [32, 64]
    assert found.page.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_with_130(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(*_: object, **__: object) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr("tesuji.experiments.reproduce.reproduce", asked)
    assert run(["reproduce", "2021-table-8"]) == 130
    assert "the same command goes on" in capsys.readouterr().err


def test_a_training_of_another_process_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, shared = packed(tmp_path / "train.games", 24), tmp_path / "trained"
    changes: dict[str, object] = {**ONE}

    def shown(name: str, tell: Callable[[Told], None]) -> None:
        reproduce(
            name, budget="minutes", data=[data], folder=tmp_path / name, trained=shared, changes=changes, tell=tell
        )

    shown("2021-table-6", lambda told: None)
    (training,) = shared.iterdir()
    held, told = open_alone(training / "lock"), []

    def tell(step: Told) -> None:
        told.append(step.doing)
        if step.doing.startswith("waiting"):
            os.close(held)

    monkeypatch.setattr(long_steps, "_PATIENCE", 0.01)
    shown("2021-table-7", tell)
    assert told == ["train se.1.4", f"waiting for another process that trains in '{training}'"]


def test_a_training_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_EVERY", 0.0)
    told: list[Told] = []
    one_training(tmp_path / "grid", packed(tmp_path / "train.games", 24), told.append)
    shares = [step.share for step in told]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert told[-1].seconds_left == 0
    assert all(step.seconds_left is not None for step in told[1:])


def test_a_match_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_EVERY", 0.0)
    changes = {"games": 4, "rows": {"32": "2"}, "match": {"size": 5, "openings": "none"}, "network": "uniform"}
    told: list[Told] = []
    reproduce("batch-mcts-table-5", budget="minutes", folder=tmp_path / "x", changes=changes, tell=told.append)
    assert {0.25, 0.5, 0.75, 1.0} & {step.share for step in told}
    assert told[-1].share == 1


if __name__ == "__main__":
    whole(sys.argv[1], sys.argv[2])
