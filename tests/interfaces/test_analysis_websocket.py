"""What one client of `tesuji analysis --serve` may ask for: frames of many lines, answers that it does not read."""

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.interfaces.analysis_talk import QUERY
from tests.interfaces.gtp_talk import WAIT
from tests.interfaces.test_analysis_process import served
from tesuji.interfaces.analysis import unread
from tesuji.interfaces.analysis.conversation import LONGEST, MOST_LINES

VERSION = '{"id":"v","action":"query_version"}'
LONG = json.dumps({"id": "v", "action": "query_version", "note": "x" * 1_000_000})
"""Answered by as much: a client that sends it over and over fills what waits for it."""
MANY = 64  # of it; more than the network holds between the two


@contextlib.contextmanager
def client_at(address: str) -> Iterator[ClientConnection]:
    """A client that takes nothing from the network once something waits that it has not read."""
    with connect(address, max_queue=1, max_size=None, compression=None, ping_interval=None) as client:
        yield client


def read(client: ClientConnection, answers: int) -> None:
    for _ in range(answers):
        client.recv(WAIT)


def test_a_frame_of_nothing_but_ends_of_lines_is_one_error(network_file: Path) -> None:
    with served(network_file) as (address, _), connect(address) as client:
        client.send("\n" * LONGEST)
        client.send(VERSION)
        assert json.loads(client.recv(WAIT)) == {"error": f"Frame has more than {MOST_LINES} lines, ignoring"}
        assert json.loads(client.recv(WAIT))["id"] == "v"


def test_a_frame_may_have_several_lines(network_file: Path) -> None:
    with served(network_file) as (address, _), connect(address) as client:
        client.send(f"{VERSION}\r\n\n" * (MOST_LINES // 2))
        for _ in range(MOST_LINES // 2):
            assert json.loads(client.recv(WAIT))["id"] == "v"


def test_what_ends_a_line_elsewhere_may_stand_in_a_word(network_file: Path) -> None:
    with served(network_file) as (address, _), connect(address) as client:
        client.send(VERSION.replace('"v"', '"one\u2028two\x85three"'))
        assert json.loads(client.recv(WAIT))["id"] == "one\u2028two\x85three"


def test_who_leaves_too_much_unread_is_told_and_let_go(network_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "MOST_UNREAD", 2 * len(LONG))
    with served(network_file) as (address, _), client_at(address) as client:
        for _ in range(MANY):
            client.send(LONG)
        with pytest.raises(ConnectionClosed, match="answers are not read"):
            read(client, MANY)


def test_who_reads_nothing_at_all_is_let_go(network_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "PATIENCE", 0.1)
    with served(network_file) as (address, analyst), client_at(address) as client:
        endless = {"id": "a", **QUERY, "maxVisits": 10_000_000}
        client.send(json.dumps(endless))
        for _ in range(MANY):
            with contextlib.suppress(ConnectionClosed):
                client.send(LONG)
        deadline = time.monotonic() + WAIT
        while analyst.pool.open_jobs and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not analyst.pool.open_jobs
