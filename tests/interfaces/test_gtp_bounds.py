"""A GTP client cannot make the engine work, wait or grow without end: time of an answer and memory are bounded."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.interfaces.gtp_talk import TESUJI, ask, refused
from tesuji.interfaces.gtp import streams
from tesuji.interfaces.gtp.check.process import EngineProcess

MOST_SECONDS = 15.0  # of processor time for one answer; the slowest takes a few
MOST_MB = 400


def megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_heaviest_commands_on_every_size() -> None:
    with EngineProcess([*TESUJI, "gtp", "--visits", "16", "--threads", "1"]) as engine:
        for size in (25, 19, 17, 13, 11, 9, 7, 5, 3, 2):
            stones = max(2, size * size - 2)
            for command in (
                f"boardsize {size}", "clear_board", f"place_free_handicap {stones}", "clear_board", "genmove b",
                "genmove w", "final_score", "final_status_list dead", "kata-raw-nn all", "showboard",
            ):  # fmt: skip
                before = float(ask(engine, "cputime"))
                engine.send(command + "\n")
                engine.answer(300.0)
                spent = float(ask(engine, "cputime")) - before
                assert spent < MOST_SECONDS, (size, command, spent)
        assert megabytes(engine._process.pid) < MOST_MB


def test_a_client_in_a_hurry_gets_all_its_stones() -> None:
    with EngineProcess([*TESUJI, "gtp", "--threads", "1"]) as engine:
        engine.send("boardsize 25\nplace_free_handicap 600\nquit\n")
        assert engine.answer(60.0).strip() == "="
        points = engine.answer(60.0).removeprefix("= ").split()
        assert (len(points), len(set(points))) == (600, 600)
        assert engine.exit_code(60.0) == 0


@pytest.mark.parametrize(
    "command", ["place_free_handicap 600", "final_score", "final_status_list dead", "kata-analyze b 10", "genmove b"]
)
def test_quit_is_obeyed_whatever_runs(command: str) -> None:
    with EngineProcess([*TESUJI, "gtp", "--visits", "1000000", "--threads", "1", "--size", "19"]) as engine:
        ask(engine, "boardsize 25" if "handicap" in command else "boardsize 19")
        engine.send(f"{command}\nquit\n")
        assert engine.exit_code(60.0) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_and_a_device_are_no_records(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.sgf")
    with EngineProcess([*TESUJI, "gtp", "--threads", "1"]) as engine:
        for name in (str(tmp_path / "game.sgf"), "/dev/zero"):
            assert refused(engine, f"loadsgf {name}") == "cannot load file"


def test_a_client_that_sends_too_many_lines_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MOST_WAITING", 10)
    output, given = os.pipe()
    lines = streams.Lines(output).start()
    count = 20_000  # more than the pipe and one reading of it hold

    def send() -> None:
        with os.fdopen(given, "wb") as client:
            client.writelines(b"name %d\n" % number for number in range(count))

    client = threading.Thread(target=send, daemon=True)
    client.start()
    deadline = time.monotonic() + 60
    while len(lines._waiting) < 10:
        assert time.monotonic() < deadline, "nothing was read"
        time.sleep(0.01)
    time.sleep(0.2)  # in which a reader without bounds would go on
    assert len(lines._waiting) == 10
    assert client.is_alive()
    assert [lines.next() for _ in range(count + 1)] == [*(f"name {number}" for number in range(count)), None]
    os.close(output)
