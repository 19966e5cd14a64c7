"""Nothing leaves this machine: playing, analysing, training and exporting open no socket, in Python or below it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "no_network.c"

# What a user does, in small; audit hooks see Python's own sockets, the preloaded library everybody's.
PLAY = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        address = arguments[1] if len(arguments) > 1 else arguments
        if not isinstance(address, (str, bytes)) or event == "socket.getaddrinfo":
            print("NETWORK:", event, arguments, file=sys.stderr, flush=True)
            import os; os._exit(77)
sys.addaudithook(refuse)
"""
TRAIN = """
import torch
from tesuji import networks
from tests.training.test_packing import sgf
from tesuji.training.data.packing import pack
from pathlib import Path
folder = Path(sys.argv[1])
(folder / "a.sgfs").write_text("".join(sgf(seed, moves=40) + "\\n" for seed in range(30)))
pack([folder / "a.sgfs"], folder / "a.games")
from tesuji.interfaces.cli import run
wanted = ["train", "--network", "se.1.16.8", "--data", str(folder / "a.games"), "--out", str(folder / "run")]
print("train", run(wanted + ["--set", "steps=2", "--set", "batch=4"]))
networks.export(networks.create("se.1.16.8+pass", size=9).eval(), folder / "net.onnx")
"""
THINK = """
import tesuji
from tesuji import networks
from pathlib import Path
evaluate = tesuji.load(str(Path(sys.argv[1]) / "net.onnx"))
game = tesuji.Game(size=9)
for _ in range(4):
    game.play(tesuji.Search(evaluate, visits=16).run(game).move)
tesuji.write_sgf(game, str(Path(sys.argv[1]) / "a.sgf"))
print("thought", game.move_count)
"""


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which any attempt to reach another machine ends the process with 77."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        return dict(os.environ)  # then only what Python itself tries is seen
    library = tmp_path_factory.mktemp("guard") / "no_network.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


def run(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**environment, "TESUJI_HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PLAY + script, str(folder)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("attempt", ["connect(('192.0.2.1', 9))", "bind(('127.0.0.1', 0))"])
def test_the_guard_sees_a_socket(guard: dict[str, str], tmp_path: Path, attempt: str) -> None:
    done = run(f"import socket; socket.socket().{attempt}", tmp_path, guard)
    assert (done.returncode, "NETWORK" in done.stderr) == (77, True)


def test_the_guard_sees_what_is_below_python(guard: dict[str, str], tmp_path: Path) -> None:
    if "LD_PRELOAD" not in guard:
        pytest.skip("no compiler for the guard")
    script = "import ctypes; ctypes.CDLL(None).getaddrinfo(b'example.invalid', None, None, None)"
    assert run(script, tmp_path, guard).returncode == 77


def test_training_thinking_and_playing_reach_nobody(guard: dict[str, str], tmp_path: Path) -> None:
    trained = run(TRAIN, tmp_path, guard)
    assert trained.returncode == 0, trained.stderr[-2000:]
    assert "train 0" in trained.stdout, trained.stdout + trained.stderr
    thought = run(THINK, tmp_path, guard)
    assert thought.returncode == 0, thought.stderr[-2000:]
    assert "thought 4" in thought.stdout
    query = '{"id":"a","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":4}'
    for command, said, wanted in (
        (["gtp", "--visits", "8"], "boardsize 9\ngenmove b\nfinal_score\nquit\n", "= "),
        (["analysis"], query + "\n", '"rootInfo"'),
    ):
        whole = [sys.executable, "-m", "tesuji", *command, "--net", str(tmp_path / "net.onnx")]
        done = subprocess.run(whole, input=said, env=guard, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, wanted in done.stdout) == (0, True), done.stderr[-2000:]


def test_telemetry_is_off_before_the_runtime_is_loaded(tmp_path: Path, guard: dict[str, str]) -> None:
    script = """
import os, tesuji.networks.onnx.runtime
assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
import tesuji.base.cluster
assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
"""
    done = run(script, tmp_path, guard)
    assert done.returncode == 0, done.stderr
