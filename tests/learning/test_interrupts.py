"""The command killed or interrupted from outside: finished games stay, the same command plays the rest."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tesuji import GameSet
from tesuji.learning.selfplay.shards import shards

WORDS = "--games 60 --size 5 --komi 3.5 --visits 60 --fast-visits 30 --processes 1 --set concurrent=6"


def stored(folder: Path) -> int:
    return sum(shard.games for shard in shards(folder)) if folder.is_dir() else 0


def start(network: Path, folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tesuji", "selfplay", str(network), "-o", str(folder), *WORDS.split()]
    # Python installs its handler only where SIGINT is not ignored, as it is below some test runners.
    return subprocess.Popen(
        command, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )


def wait_for(process: "subprocess.Popen[bytes]", folder: Path, games: int) -> None:
    until = time.monotonic() + 200
    while stored(folder) < games and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_finished_games_outlive_the_process(network: Path, tmp_path: Path, sign: signal.Signals) -> None:
    process = start(network, tmp_path / "games")
    wait_for(process, tmp_path / "games", 5)
    os.kill(process.pid, sign)
    _, told = process.communicate(timeout=100)
    assert process.returncode == (130 if sign == signal.SIGINT else -sign)
    kept = stored(tmp_path / "games")
    assert 5 <= kept < 60
    if sign == signal.SIGINT:
        assert f"stopped; {kept} games" in " ".join(told.decode().split())
    again = start(network, tmp_path / "games")
    _, told = again.communicate(timeout=250)
    assert again.returncode == 0, told.decode()
    paths = [shard.path for shard in shards(tmp_path / "games")]
    assert len(GameSet(*paths)) == 60
