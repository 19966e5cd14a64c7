"""KaTrain itself, from its package: opens a game, has it analysed, plays its opponents' moves, makes its report.

Needs a Python with KaTrain 1.20 of its own, for it brings Kivy and much else:

    python -m venv ~/katrain && ~/katrain/bin/pip install katrain==1.20.0
    TESUJI_KATRAIN_PYTHON=~/katrain/bin/python make test-slow
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.test_analysis_process import served

DRIVER = Path(__file__).with_name("katrain_driver.py")
GAME = "(;GM[1]FF[4]SZ[9]KM[6.5]RU[japanese];B[ee];W[cc];B[gc];W[gg];B[cg];W[ec];B[fd];W[ce];B[eg])"
OPPONENTS = [
    "ai:default",
    "ai:p:weighted",
    "ai:p:rank",
    "ai:simple",
    "ai:handicap",
    "ai:jigo",
    "ai:antimirror",
    "ai:human",
]
PYTHON = os.environ.get("TESUJI_KATRAIN_PYTHON", "")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="KATRAIN IS NOT TRIED: set TESUJI_KATRAIN_PYTHON to a Python that has it"),
]


def katrain(folder: Path, *words: str) -> dict[str, Any]:
    game = folder / "game.sgf"
    game.write_text(GAME)
    done = subprocess.run(
        [PYTHON, str(DRIVER), str(game), *words],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "HOME": str(folder), "KIVY_HOME": str(folder / "kivy")},
    )
    assert done.stdout.strip(), done.stderr[-2000:]
    told: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return told


def check(told: dict[str, Any]) -> None:
    # It expects 19x19 of a human policy, says so, and uses what it gets.
    assert [fault for fault in told["errors"] if "Human policy length 82" not in fault] == []
    assert told["analysed"] == told["nodes"] == 10
    assert told["visits"] >= 30
    assert all(isinstance(points, float) for points in told["points_lost"])
    assert (told["policy"], told["ownership"]) == (82, 81)
    assert told["candidates"] > 1
    assert len(told["report"]) == 3
    assert "none" not in told["ai"].values()
    assert told["pondered"] > 30


def test_its_own_engine_class_with_a_custom_command(tmp_path: Path, network_file: Path) -> None:
    command = shlex.join([sys.executable, "-m", "tesuji", "analysis", "--net", str(network_file)])
    told = katrain(tmp_path, command, "", *OPPONENTS)
    check(told)
    assert set(told["ai"]) == set(OPPONENTS)


def test_its_remote_engine_over_a_websocket(tmp_path: Path, network_file: Path) -> None:
    with served(network_file) as (address, _):
        check(katrain(tmp_path, "", address))
