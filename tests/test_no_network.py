"""Nothing leaves this machine: playing, analysing, training and exporting open no socket, in Python or below it."""

import os
import shutil
import subprocess
import sys
import urllib.request
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


DATAGRAMS = """
import ctypes, socket, struct
C = ctypes.CDLL(None)
there = ctypes.create_string_buffer(struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", 9, bytes([192, 0, 2, 1])))
message = (ctypes.c_void_p * 8)(ctypes.addressof(there), 16)  # a msghdr, and room for the length behind it
C.{call}(socket.socket(type=socket.SOCK_DGRAM).fileno(), message, {arguments})
"""


@pytest.mark.parametrize(("call", "arguments"), [("sendmsg", "0"), ("sendmmsg", "1, 0")])
def test_the_guard_sees_datagrams(guard: dict[str, str], tmp_path: Path, call: str, arguments: str) -> None:
    if "LD_PRELOAD" not in guard:
        pytest.skip("no compiler for the guard")
    done = run(DATAGRAMS.format(call=call, arguments=arguments), tmp_path, guard)
    assert (done.returncode, done.stderr.strip()) == (77, f"NETWORK: {call}")


def test_the_loopback_is_not_the_world(guard: dict[str, str], tmp_path: Path) -> None:
    if "LD_PRELOAD" not in guard:
        pytest.skip("no compiler for the guard")
    opened = {**guard, "NO_NETWORK_LOOPBACK": "1"}
    for address, code in (("127.0.0.1", 0), ("0.0.0.0", 77)):
        script = f"import socket; socket.socket().bind(('{address}', 0))"
        done = subprocess.run([sys.executable, "-c", script], env=opened, check=False, stderr=subprocess.DEVNULL)
        assert done.returncode == code


def test_the_board_in_the_browser_reaches_nobody(guard: dict[str, str], tmp_path: Path) -> None:
    """Started, visited once over the loopback, ended."""
    pytest.importorskip("nicegui")
    environment = {**guard, "NO_NETWORK_LOOPBACK": "1", "TESUJI_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tesuji", "play", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as board:
        assert board.stdout is not None
        try:
            said = next((line for line in board.stdout if "http://" in line), "")
            address = next((word for word in said.split() if word.startswith("http://")), "")
            assert address
            with urllib.request.urlopen(address, timeout=120) as page:
                assert page.status == 200
        finally:
            board.terminate()
            rest = board.communicate(timeout=120)[0]
        assert "NETWORK" not in rest
        assert board.returncode != 77


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
