"""`tesuji analysis` as a process: transcripts of clients, generated lines, streams, signals, a websocket."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from websockets import Origin
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.interfaces.analysis_talk import QUERY
from tests.interfaces.gtp_talk import TESUJI, WAIT
from tesuji import InputError
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.check.fuzz import fuzz, generated
from tesuji.interfaces.analysis.check.pattern import mismatch
from tesuji.interfaces.analysis.check.runner import analysis_transcripts, run
from tesuji.interfaces.analysis.serve import BOUNDS, address_of, create_app
from tesuji.interfaces.analysis.settings import AnalysisSettings
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess
from tesuji.interfaces.gtp.check.runner import Verdict
from tesuji.interfaces.gtp.check.transcript import Transcript, parse_transcript

COMMAND = [*TESUJI, "analysis"]


@pytest.mark.parametrize("transcript", analysis_transcripts(), ids=lambda each: each.name)
def test_transcripts_of_the_clients(transcript: Transcript) -> None:
    outcome = run(COMMAND, transcript, WAIT)
    assert outcome.verdict is Verdict.FITS, outcome.reason


def test_generated_lines_are_all_answered(network_file: Path) -> None:
    told = fuzz([*COMMAND, "--net", str(network_file)], 1500, seed=3, patience=WAIT)
    assert told.answered > 500
    assert told.errors > 300


def test_the_fuzzer_notices_a_lost_line() -> None:
    deaf = 'import sys\nfor line in sys.stdin: print(\'{"error":"no"}\', flush=True)'
    with pytest.raises(EngineError, match="never answered"):
        fuzz([sys.executable, "-c", deaf], 50, seed=1, patience=10)


def test_generated_lines_repeat_for_a_seed() -> None:
    assert list(generated(50, 5)) == list(generated(50, 5)) != list(generated(50, 6))


def test_the_checker_says_what_is_missing() -> None:
    poor = 'import sys\nfor line in sys.stdin: print(\'{"id":"a","rootInfo":{}}\', flush=True)'
    transcript = parse_transcript("Any.thing", '> {"id":"a"}\n@ 1\n< {"id":"a","rootInfo":{"visits":"<whole>"}}\n')
    outcome = run([sys.executable, "-c", poor], transcript, 5)
    assert outcome.verdict is Verdict.FAILS
    assert "no rootInfo.visits" in outcome.reason


@pytest.mark.parametrize(
    ("pattern", "value", "fits"),
    [
        ({"a": "<share>"}, {"a": 0.5, "b": 1}, True),
        ({"a": "<share>"}, {"a": 1.5}, False),
        ({"a": "<absent>"}, {"a": 1}, False),
        ({"a": ["<vertex>"]}, {"a": ["E5", "pass"]}, True),
        ({"a": ["<vertex>"]}, {"a": []}, False),
        ({"a": []}, {"a": []}, True),
        ({"a": "<list 2>"}, {"a": [1, 2]}, True),
        ({"a": "<has yes>"}, {"a": "oh yes!"}, True),
        ({"a": "<whole>"}, {"a": True}, False),
    ],
)
def test_patterns(pattern: object, value: object, fits: bool) -> None:
    assert (mismatch(pattern, value) == "") is fits


def test_katagos_command_line_is_taken(tmp_path: Path) -> None:
    config = tmp_path / "analysis_example.cfg"
    config.write_text(
        "logDir = analysis_logs\nreportAnalysisWinratesAs = WHITE\nmaxVisits = 3\nnumAnalysisThreads = 2\n"
    )
    foreign = tmp_path / "g170-b6c96.bin.gz"
    foreign.write_bytes(b"not a network at all")
    words = ["-model", str(foreign), "-config", str(config), "-override-config", f"homeDataDir={tmp_path}"]
    query = json.dumps({"id": "x", **QUERY, "maxVisits": 2}) + "\n"
    done = subprocess.run([*COMMAND, *words], input=query, capture_output=True, text=True, timeout=WAIT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rootInfo"]["visits"] == 2
    assert "the built-in networks play" in done.stderr
    assert "Started, ready to begin handling requests" in done.stderr


def test_quitting_without_waiting_leaves_queries_behind(network_file: Path) -> None:
    query = json.dumps({"id": "x", **QUERY, "maxVisits": 10_000_000}) + "\n"
    words = [*COMMAND, "--net", str(network_file), "-quit-without-waiting"]
    started = time.monotonic()
    done = subprocess.run(words, input=query, capture_output=True, text=True, timeout=WAIT)
    assert done.returncode == 0
    assert time.monotonic() - started < WAIT / 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once(network_file: Path, number: int) -> None:
    with EngineProcess([*COMMAND, "--net", str(network_file)]) as engine:
        engine.send(json.dumps({"id": "x", **QUERY, "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.05}) + "\n")
        assert json.loads(engine.line(WAIT))["isDuringSearch"]
        engine.signal(number)
        assert engine.exit_code(10) == 128 + number
        assert "Traceback" not in engine.complaints


def test_lines_too_long_and_half_lines_are_answered(network_file: Path) -> None:
    with EngineProcess([*COMMAND, "--net", str(network_file)]) as engine:
        engine.send(b'{"id":"' + b"x" * (17 * 1024 * 1024) + b'"}\n')
        assert "longer than" in json.loads(engine.line(WAIT))["error"]
        engine.send(json.dumps({"id": "half", **QUERY, "maxVisits": 1}))  # no end of line, then the end of input
        engine.end_input()
        assert json.loads(engine.line(WAIT))["id"] == "half"
        assert engine.exit_code(WAIT) == 0


def test_bad_arguments_are_one_line() -> None:
    for words in (["-config", "/no/such.cfg"], ["--serve", "0.0.0.0:2388"], ["--serve", "port"], ["--net", "gone"]):
        done = subprocess.run([*COMMAND, *words], input="", capture_output=True, text=True, timeout=WAIT)
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@contextmanager
def served(network: Path, token: str = "") -> Iterator[tuple[str, Analyst]]:
    """A server of its own port in a thread: its address and what thinks behind it."""
    analyst = Analyst(Networks(str(network)), AnalysisSettings(), threads=1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(create_app(analyst, token), log_level="warning", **BOUNDS)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"ws://127.0.0.1:{listener.getsockname()[1]}", analyst
        server.should_exit = True
        thread.join(WAIT)
    analyst.close()


def test_a_websocket_speaks_the_same(network_file: Path) -> None:
    with served(network_file) as (address, _), connect(f"{address}/any/path") as client:
        client.send(json.dumps({"id": "a", **QUERY}))
        assert json.loads(client.recv(WAIT))["id"] == "a"
        client.send(b'{"id":"b","action":"query_version"}')
        assert "version" in json.loads(client.recv(WAIT))
        client.send("{")
        assert "error" in json.loads(client.recv(WAIT))


def test_a_websocket_with_a_token_refuses_others(network_file: Path) -> None:
    with served(network_file, "sesame") as (address, _):
        with connect(f"{address}/?token=sesame") as client:
            client.send('{"id":"b","action":"query_version"}')
            assert json.loads(client.recv(WAIT))["id"] == "b"
        for path, headers in (("/", {}), ("/?token=wrong", {}), ("/", {"authorization": "Bearer wrong"})):
            with pytest.raises(InvalidStatus), connect(address + path, additional_headers=headers):
                pass


def test_a_page_of_another_site_is_refused(network_file: Path) -> None:
    with served(network_file) as (address, _):
        with pytest.raises(InvalidStatus), connect(address, origin=Origin("https://evil.example")):
            pass
        with connect(address, origin=Origin("http://localhost:8080")) as client:
            client.send("{}")
            assert "error" in json.loads(client.recv(WAIT))


def test_a_client_that_leaves_takes_its_questions_along(network_file: Path) -> None:
    with served(network_file) as (address, analyst):
        with connect(address) as client:
            client.send(json.dumps({"id": "a", **QUERY, "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.05}))
            assert json.loads(client.recv(WAIT))["isDuringSearch"]
        deadline = time.monotonic() + WAIT
        while analyst.pool.open_jobs and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not analyst.pool.open_jobs


def test_addresses() -> None:
    assert address_of("2388", "") == ("127.0.0.1", 2388)
    assert address_of("[::1]:2388", "") == ("::1", 2388)
    assert address_of("0.0.0.0:2388", "secret") == ("0.0.0.0", 2388)
    with pytest.raises(InputError, match="token"):
        address_of("0.0.0.0:2388", "")
