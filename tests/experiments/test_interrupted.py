"""An experiment killed in its training and in its games goes on with the same call, and nothing is done twice."""

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
from tesuji.experiments.reproduce import Reproduced, reproduce

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


if __name__ == "__main__":
    whole(sys.argv[1], sys.argv[2])
