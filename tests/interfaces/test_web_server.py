"""How the server begins: ports, addresses, the network it names, and what it says when it cannot."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.interfaces.web_parts import serving, write_network
from tesuji.interfaces.cli import run
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.server.run import address_of, listen, network_line, own_address, show, strength_line


@pytest.mark.slow
def test_an_idle_connection_is_not_closed_under_the_next_call(tmp_path: Path) -> None:
    """Clients keep one for 5 s and longer; a server that gives up first loses the call that is on its way."""
    with serving(tmp_path, "--net", str(write_network(tmp_path / "small.onnx")), "--no-browser") as server:
        address = urlsplit(server.address)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
        for _ in range(2):
            connection.request("GET", "/api/levels")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            time.sleep(6.5)
        connection.close()


SMALL_SERVER = """
import uvicorn
from fastapi import FastAPI
from tesuji.interfaces.web.server import run
run.KEEP_ALIVE_SECONDS = 1
app = FastAPI()
@app.get("/")
async def here():
    return "here"
listener = run.listen("127.0.0.1", 0, print)
print(listener.getsockname()[1], flush=True)
uvicorn.Server(run.configured(app)).run(sockets=[listener])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process is held here")
def test_a_server_held_for_longer_than_it_keeps_connections_answers_the_call_that_waits() -> None:
    with subprocess.Popen([sys.executable, "-c", SMALL_SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        with contextlib.ExitStack() as last:
            last.callback(server.kill)
            caller = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()), timeout=60)
            last.callback(caller.close)
            caller.request("GET", "/")
            assert caller.getresponse().read() == b'"here"'
            time.sleep(0.4)  # its clock for the connection runs
            server.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, server.pid, os.WSTOPPED | os.WNOWAIT)
            caller.request("GET", "/")
            time.sleep(1.5)
            server.send_signal(signal.SIGCONT)
            assert caller.getresponse().read() == b'"here"'
            assert caller.sock.recv(1) == b""  # and closed in the end


def test_a_taken_port_moves_to_the_next_free_one_and_says_so() -> None:
    said: list[str] = []
    with listen("127.0.0.1", 0, said.append) as first:
        port = first.getsockname()[1]
        assert said == []
        with listen("127.0.0.1", port, said.append) as second:
            assert second.getsockname()[1] > port
            assert said == [f"Port {port} is taken; using {second.getsockname()[1]}."]


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("127.0.0.1", -1), ("no.such.host.invalid", 0)])
def test_an_address_that_is_none(host: str, port: int) -> None:
    with pytest.raises(ValueError, match=r"port|cannot listen"):
        listen(host, port, print)


def test_addresses_people_can_type() -> None:
    assert address_of("127.0.0.1", 8080, "") == "http://127.0.0.1:8080/"
    assert address_of("::1", 8080, "") == "http://[::1]:8080/"
    assert address_of("10.0.0.5", 8080, "abc") == "http://10.0.0.5:8080/?token=abc"
    assert address_of("0.0.0.0", 8080, "abc") == f"http://{own_address()}:8080/?token=abc"
    assert own_address() not in {"", "0.0.0.0", "127.0.0.1"}


def test_without_a_display_the_tunnel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    said: list[str] = []
    show("http://127.0.0.1:8080/", 8080, said.append)
    assert "ssh -L 8080:127.0.0.1:8080 " in said[0]


def test_the_chosen_network_is_named_first(network_file: Path) -> None:
    assert network_line(Networks(str(network_file))).startswith("network small, ")


def test_what_to_expect_is_told_of_the_network_that_was_measured(network_file: Path) -> None:
    assert "against GNU Go" in strength_line(Networks())
    assert strength_line(Networks(str(network_file))) == ""


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["--net", "nowhere.onnx"], "nowhere.onnx"), (["--net", "default-9x8"], "did you mean 'default-9x9'")],
)
def test_a_network_that_is_not_there(arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--no-browser", *arguments]) == 2
    assert word in capsys.readouterr().err


def test_a_file_that_is_no_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"garbage")
    assert run(["play", "--no-browser", "--net", str(tmp_path / "bad.onnx")]) == 2
    assert "bad.onnx" in capsys.readouterr().err


def test_damaged_files_in_the_users_folder_are_not_offered(
    tmp_path: Path, network_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"garbage")
    (tmp_path / "good.onnx").write_bytes(network_file.read_bytes())
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    names = Networks().names()
    assert "good" in names
    assert "bad" not in names
