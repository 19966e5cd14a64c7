"""What ends a thought: the next line, the end of input, a signal; and thoughts in the opponent's time."""

import io
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from tests.interfaces.gtp_talk import QUICK, TESUJI, WAIT, ask
from tests.search.evaluators import Owning
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.engine.streams import leave
from tesuji.interfaces.gtp import attendance
from tesuji.interfaces.gtp.check.process import EngineProcess
from tesuji.interfaces.gtp.engine import Engine
from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.streams import Answers, Lines

ENDLESS = [*TESUJI, "gtp", "--net", "default-9x9", "--seconds", "600", "--threads", "1"]


@pytest.fixture
def thinker() -> Iterator[EngineProcess]:
    """An engine that would think for ten minutes, with its network loaded."""
    with EngineProcess(ENDLESS) as process:
        ask(process, "tesuji-policy")
        yield process


def test_a_line_ends_an_analysis_at_once(thinker: EngineProcess) -> None:
    delays = []
    for _ in range(4):
        thinker.send("1 kata-analyze b 5\n")
        assert thinker.line(WAIT) == "=1"
        assert thinker.line(WAIT).startswith("info move ")
        started = time.monotonic()
        thinker.send("2 name\n")
        thinker.rest(WAIT)
        assert thinker.answer(WAIT) == "=2 Tesuji"
        delays.append(time.monotonic() - started)
    assert min(delays) < 0.1


def test_a_long_thought_can_be_stopped(thinker: EngineProcess) -> None:
    delays = []
    for line in ("stop", "# interrupt") * 3:
        thinker.send("1 genmove b\n")
        time.sleep(0.2)
        started = time.monotonic()
        thinker.send(line + "\n2 name\n")
        assert thinker.answer(WAIT)[:3] == "=1 "
        delays.append(time.monotonic() - started)
        answers = [thinker.answer(WAIT) for _ in range(2 if line == "stop" else 1)]
        assert answers[-1] == "=2 Tesuji"
        ask(thinker, "clear_board")
    assert min(delays) < 0.1


def test_analysis_lines_come_at_the_interval(thinker: EngineProcess) -> None:
    thinker.send("lz-analyze b 20 maxmoves 2\n")
    thinker.line(WAIT)
    thinker.line(WAIT)
    started = time.monotonic()
    lines = [thinker.line(WAIT) for _ in range(5)]
    assert 0.7 < time.monotonic() - started < 10
    assert all(line.count("info move") <= 2 for line in lines)
    seen: dict[str, int] = {}  # by move: which of them comes first may change
    for line in lines:
        for move, visits in re.findall(r"info move (\w+) visits (\d+)", line):
            assert int(visits) >= seen.get(move, 0)
            seen[move] = int(visits)
    assert seen


def test_analysis_ends_with_the_input(thinker: EngineProcess) -> None:
    thinker.send("1 lz-analyze 10\n")
    thinker.line(WAIT)
    thinker.line(WAIT)
    thinker.end_input()
    thinker.rest(WAIT)
    assert thinker.exit_code(WAIT) == 0


def test_the_end_of_input_during_a_move_ends_the_engine_with_an_answer(thinker: EngineProcess) -> None:
    thinker.send("1 genmove b\n")
    time.sleep(0.2)
    thinker.end_input()
    assert thinker.answer(WAIT).startswith("=1 ")
    assert thinker.exit_code(WAIT) == 0
    assert "Traceback" not in thinker.complaints


@pytest.mark.parametrize(
    ("number", "command"), [(signal.SIGINT, "genmove b"), (signal.SIGTERM, "kata-analyze 10"), (signal.SIGTERM, "")]
)
def test_signals_end_it_cleanly(thinker: EngineProcess, number: int, command: str) -> None:
    thinker.send(command + "\n")
    time.sleep(0.3)
    thinker.signal(number)
    assert thinker.exit_code(WAIT) == 128 + number
    assert "Traceback" not in thinker.complaints
    assert "Fatal" not in thinker.complaints


def test_a_client_that_stops_reading_ends_it_cleanly() -> None:
    process = subprocess.Popen(
        ENDLESS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(b"kata-analyze 5\n")
    assert process.stdout.readline() == b"=\n"
    process.stdout.close()
    assert process.wait(WAIT) == 0
    complaints = process.stderr.read().decode()
    process.stdin.close()
    process.stderr.close()
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints


@pytest.mark.parametrize("options", [["--ponder"], []], ids=["ponder", "no-ponder"])
def test_pondering_finds_the_tree_grown(options: list[str]) -> None:
    with EngineProcess([*QUICK, *options]) as engine:
        ask(engine, "genmove b")
        time.sleep(1.5)
        ask(engine, "time_left w 10 0")
        words = ask(engine, "kata-search_analyze w rootInfo true").split()
        visits = int(words[words.index("rootInfo") + 2])
        assert (visits > 8) == bool(options)


def test_pondering_ends_with_the_next_command() -> None:
    with EngineProcess([*QUICK, "--ponder"]) as engine:
        ask(engine, "genmove b")
        ask(engine, "name")
        time.sleep(0.5)
        used = float(ask(engine, "cputime"))
        time.sleep(0.5)
        assert float(ask(engine, "cputime")) - used < 0.1


class Hanging(Owning):
    """A network that does not answer before it is `over`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.over = threading.Event(), threading.Event()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        self.asked.set()
        self.over.wait(WAIT)
        return super().__call__(planes, komi)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    network = Hanging()
    monkeypatch.setattr(Networks, "on_all_devices", lambda *_: [network])
    yield network
    network.over.set()


def engine_on(text: str, close: bool = True) -> Engine:
    """An engine to which a client says this, and perhaps no more."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    if close:
        os.close(writing)
    return Engine(GtpOptions(net="default-9x9", size=9), Lines(reading).start(), Answers(io.BytesIO()))


@pytest.mark.parametrize("command", ["lz-analyze b 10", "genmove b", "tesuji-policy", "final_score"])
@pytest.mark.parametrize("goodbye", ["quit\n", ""], ids=["quit", "end of input"])
def test_a_network_that_hangs_keeps_nobody(
    command: str, goodbye: str, hanging: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "SILENCE", 1.0)
    engine = engine_on(f"{command}\n{goodbye}")
    thread = threading.Thread(target=attendance.attend, args=[engine], daemon=True)
    thread.start()
    assert hanging.asked.wait(WAIT)
    thread.join(WAIT / 2)
    assert not thread.is_alive()


def test_a_signal_is_heard_while_a_network_hangs(hanging: Hanging) -> None:
    def send() -> None:
        hanging.asked.wait(WAIT)
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=send, daemon=True).start()
    try:
        with pytest.raises(SystemExit) as stop:
            attendance.attend(engine_on("tesuji-policy\n", close=False))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert stop.value.code == 128 + signal.SIGTERM
    assert not hanging.over.is_set()


def test_a_slow_reader_is_no_silence() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "wb") as stream:
        answers, started = Answers(stream), time.monotonic()
        thread = threading.Thread(target=answers.write, args=["a" * 1_000_000])
        thread.start()
        time.sleep(0.2)
        assert answers.silence(since=started) == 0
        reader.read(1_000_000)
        thread.join()
        assert answers.silence(since=started) <= time.monotonic() - started - 0.2
