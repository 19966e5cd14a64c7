"""Clients that send a letter at a time, or nothing: each is let go, those who wait for an answer are not."""

import contextlib
import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.interfaces.web_parts import serving, write_network

SERVER = """
import asyncio
import uvicorn
from fastapi import FastAPI, Request, WebSocket
from tesuji.interfaces.web.server import run, security
run.KEEP_ALIVE_SECONDS = 1
security.BODY_SECONDS = 1.0
app = FastAPI()
@app.post("/")
async def here(request: Request):
    return len(await request.body())
@app.get("/slow")
async def slow():
    await asyncio.sleep(3)
    return "slow"
@app.websocket("/talk")
async def talk(socket: WebSocket):
    await socket.accept()
    await asyncio.sleep(3)
    await socket.send_text("talked")
class AnyKeys:
    def is_ours(self, key): return False
    def new(self): return "key"
app.add_middleware(security.Gate, keys=AnyKeys())
listener = run.listen("127.0.0.1", 0, print)
print(listener.getsockname()[1], flush=True)
uvicorn.Server(run.configured(app)).run(sockets=[listener])
"""
HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


def until_closed(connection: socket.socket, letter: bytes) -> bytes:
    """What the server says before it closes, to a client that sends this every now and then."""
    heard = b""
    connection.settimeout(0.2)
    for _ in range(600):
        with contextlib.suppress(TimeoutError):
            try:
                piece = connection.recv(4096)
            except ConnectionError:
                return heard
            if not piece:
                return heard
            heard += piece
        with contextlib.suppress(ConnectionError):
            connection.sendall(letter)
    raise AssertionError("held for ever")


@pytest.mark.parametrize(("first", "letter"), [(b"", b""), (HEAD, b""), (HEAD + b"X-Long: ", b"a")])
def test_half_a_head_does_not_hold_a_connection(port: int, first: bytes, letter: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(first)
        assert until_closed(connection, letter) == b""


def test_nor_does_it_after_a_whole_call(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(HEAD + b"Content-Length: 3\r\n\r\nabc" + HEAD)
        assert until_closed(connection, b"X-More: a\r\n").endswith(b"3")


def test_a_body_a_letter_at_a_time_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
        heard = until_closed(connection, b"a")
        assert heard.startswith(b"HTTP/1.1 408 ")
        assert b"x-content-type-options: nosniff" in heard


def test_an_answer_may_take_longer(port: int) -> None:
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(caller):
        caller.request("GET", "/slow", headers={"Host": "localhost"})
        assert caller.getresponse().read() == b'"slow"'


def test_a_conversation_may_take_longer(port: int) -> None:
    client = pytest.importorskip("websockets.sync.client")
    with client.connect(f"ws://127.0.0.1:{port}/talk") as talk:
        assert talk.recv(timeout=60) == "talked"


def test_addresses_that_are_not_there_write_nothing_to_the_terminal(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any page of the web can have a browser ask here for an address; it had renamed the window of the terminal."""
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, "--net", str(write_network(folder / "small.onnx")), "--no-browser") as server:
        place = urlsplit(server.address)
        for path in ("/%1b]0;renamed%07", "/%0ATesuji:%20fetch%20another", "/" + 50_000 * "a"):
            caller = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
            with contextlib.closing(caller):
                caller.request("GET", path)
                answer = caller.getresponse()
                answer.read()
                assert answer.status == 404
        said = server.stop()
    assert "renamed" not in said
    assert "another" not in said
    assert len(said) < 1000


def test_refusals_are_guarded_like_answers(port: int) -> None:
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(caller):
        caller.request("GET", "/slow", headers={"Host": "evil.example"})
        answer = caller.getresponse()
        assert answer.status == 421
        assert "frame-ancestors 'none'" in (answer.getheader("content-security-policy") or "")
