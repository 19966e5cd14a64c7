"""The engine as a process: every client's transcript, interruption, bad input and signals."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tesuji import Game
from tesuji.go.sgf import read_sgf
from tesuji.interfaces.gtp.check.fuzz import fuzz, generated
from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess
from tesuji.interfaces.gtp.check.runner import Verdict, check, run
from tesuji.interfaces.gtp.check.transcript import Transcript, parse_transcript, transcripts

TESUJI = [sys.executable, "-m", "tesuji"]
QUICK = [*TESUJI, "gtp", "--net", "default-9x9", "--visits", "8", "--threads", "1"]
ENDLESS = [*TESUJI, "gtp", "--net", "default-9x9", "--seconds", "600", "--threads", "1"]
WAIT = 60.0  # generous: the machine may be busy with other tests


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    with EngineProcess(QUICK) as process:
        yield process


@pytest.fixture
def engine(shared: EngineProcess) -> EngineProcess:
    """An engine that answers quickly, as new."""
    for line in ("boardsize 9", "komi 7", "kgs-rules chinese", "time_settings 0 1 0"):
        ask(shared, line)
    return shared


@pytest.fixture
def thinker() -> Iterator[EngineProcess]:
    """An engine that would think for ten minutes, with its network loaded."""
    with EngineProcess(ENDLESS) as process:
        ask(process, "tesuji-policy")
        yield process


def ask(engine: EngineProcess, line: str) -> str:
    """The text of a successful answer."""
    engine.send(line + "\n")
    answer = engine.answer(WAIT)
    assert answer.startswith("="), f"{line}: {answer}"
    return answer[1:].strip()


def refused(engine: EngineProcess, line: str) -> str:
    engine.send(line + "\n")
    answer = engine.answer(WAIT)
    assert answer.startswith("?"), f"{line}: {answer}"
    assert "\n" not in answer
    return answer[1:].strip()


@pytest.mark.parametrize("transcript", list(transcripts()), ids=lambda each: each.name)
def test_every_client_can_use_it(transcript: Transcript) -> None:
    outcome = run(QUICK, transcript, WAIT)
    assert outcome.verdict is Verdict.FITS, outcome.reason


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


def test_other_lines_wait_for_the_move(engine: EngineProcess) -> None:
    engine.send("1 genmove b\n2 genmove w\n3 name\n")
    assert [engine.answer(WAIT)[:3] for _ in range(3)] == ["=1 ", "=2 ", "=3 "]


def test_analysis_lines_come_at_the_interval(thinker: EngineProcess) -> None:
    thinker.send("lz-analyze b 20 maxmoves 2\n")
    thinker.line(WAIT)
    thinker.line(WAIT)
    started = time.monotonic()
    lines = [thinker.line(WAIT) for _ in range(5)]
    assert 0.7 < time.monotonic() - started < 10
    assert all(line.count("info move") <= 2 for line in lines)
    visits = [int(line.split()[4]) for line in lines]
    assert visits == sorted(visits)


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


def test_bad_input_is_refused_and_the_engine_goes_on(engine: EngineProcess) -> None:
    assert refused(engine, "no_such_command") == "unknown command"
    assert refused(engine, "play b Q19").startswith("invalid color or coordinate")
    assert refused(engine, "play purple E5").startswith("invalid color or coordinate")
    ask(engine, "play b E5")
    assert refused(engine, "play w E5").startswith("illegal move")
    for line in ("komi nan", "komi inf", "komi", "boardsize 200", "boardsize 1", "boardsize x"):
        refused(engine, line)
    ask(engine, "undo")
    assert refused(engine, "undo") == "cannot undo"
    assert refused(engine, "loadsgf /no/such/file.sgf").startswith("cannot open file")
    assert refused(engine, "kata-analyze sideways").startswith("syntax error")
    assert refused(engine, "final_status_list asleep").startswith("invalid status")
    assert ask(engine, "1" * 30 + " name") == "1" * 30 + " Tesuji"


def test_after_a_resignation_only_taking_it_back_helps(engine: EngineProcess) -> None:
    ask(engine, "play b E5")
    ask(engine, "play w resign")
    for line in ("play w C3", "genmove b", "kata-analyze b", "kgs-genmove_cleanup b"):
        refused(engine, line)
    assert ask(engine, "final_score") == "B+R"
    ask(engine, "undo")
    ask(engine, "play w C3")


def test_ten_megabytes_in_one_line_are_one_refusal(engine: EngineProcess) -> None:
    writer = threading.Thread(target=engine.send, args=(b"7 set_position " + b"b A1 " * 2_000_000 + b"\n8 name\n",))
    writer.start()
    assert engine.answer(WAIT) == "?7 line too long"
    assert engine.answer(WAIT) == "=8 Tesuji"
    writer.join()


def test_generated_lines_are_all_answered_in_form() -> None:
    told = fuzz(QUICK, 1500, seed=11, patience=WAIT)
    assert told.answered > 1000
    assert 0 < told.refused < told.answered


def test_the_fuzzer_finds_an_engine_that_forgets_ids() -> None:
    deaf = "import sys\nfor line in sys.stdin.buffer: sys.stdout.write('= yes\\n\\n'); sys.stdout.flush()"
    with pytest.raises(EngineError, match="was answered"):
        fuzz([sys.executable, "-c", deaf], 200, seed=1, patience=10)


def test_generated_lines_repeat_for_a_seed() -> None:
    assert list(generated(200, 5)) == list(generated(200, 5)) != list(generated(200, 6))


def test_handicap_of_every_kind(engine: EngineProcess) -> None:
    assert set(ask(engine, "fixed_handicap 2").split()) == {"G7", "C3"}
    assert refused(engine, "fixed_handicap 2") == "board not empty"
    ask(engine, "clear_board")
    points = ask(engine, "place_free_handicap 4").split()
    assert len(set(points)) == 4
    ask(engine, "clear_board")
    assert refused(engine, "set_free_handicap C3").startswith("bad vertex list")
    assert refused(engine, "set_free_handicap C3 C3").startswith("bad vertex list")
    ask(engine, "set_free_handicap " + " ".join(points))
    assert refused(engine, "fixed_handicap 200")
    assert ask(engine, "genmove w") not in points


def test_games_come_from_files_and_go_to_files(engine: EngineProcess, tmp_path: Path) -> None:
    for line in ("komi 6.5", "kgs-rules japanese", "play b E5", "play w C3", "play b pass"):
        ask(engine, line)
    path = tmp_path / "a game.sgf"
    ask(engine, f"printsgf {path}")
    written = read_sgf(path)
    assert (written.komi, written.rules.name, [written.vertex(move) for _, move in written.moves]) == (
        6.5,
        "japanese",
        ["E5", "C3", "pass"],
    )
    assert "B[ee]" in ask(engine, "printsgf")
    ask(engine, "boardsize 19")
    ask(engine, f"loadsgf {path} 2")
    assert ask(engine, "last_move") == "black E5"
    assert ask(engine, f"loadsgf {path}") == "white"
    assert ask(engine, "get_komi") == "6.5"
    (tmp_path / "broken.sgf").write_text("(;SZ[9];B[ee];W[ee])")
    assert refused(engine, f"loadsgf {tmp_path / 'broken.sgf'}").startswith("cannot load file")
    assert ask(engine, "get_komi") == "6.5"


def test_undo_is_all_or_nothing(engine: EngineProcess) -> None:
    for line in ("play b E5", "play w C3"):
        ask(engine, line)
    assert refused(engine, "gg-undo 3") == "cannot undo"
    assert ask(engine, "last_move") == "white C3"
    ask(engine, "gg-undo 2")
    assert refused(engine, "last_move")


def test_cgos_json_is_json(engine: EngineProcess) -> None:
    body = ask(engine, "cgos-genmove_analyze b").splitlines()
    content = json.loads(body[0])
    assert body[1].startswith("play ")
    assert len(content["ownership"]) == 81
    assert content["moves"][0]["move"] == body[1].split()[1]


def test_a_search_that_is_not_played_leaves_the_board(engine: EngineProcess) -> None:
    assert "play " in ask(engine, "kata-search_analyze b 50")
    ask(engine, "reg_genmove b")
    assert refused(engine, "undo") == "cannot undo"


def test_allowed_moves_alone_are_generated(engine: EngineProcess) -> None:
    assert ask(engine, "kata-genmove_analyze b allow b A1,J9 1").splitlines()[-1] in ("play A1", "play J9")


def test_after_two_passes_the_engine_passes_too(engine: EngineProcess) -> None:
    for line in ("play b E5", "play w pass", "play b pass"):
        ask(engine, line)
    assert ask(engine, "genmove w") == "pass"
    engine.send("kata-analyze 10\n")
    assert engine.line(WAIT) == "="
    assert engine.line(WAIT).startswith("info move ")
    engine.send("\n")
    engine.rest(WAIT)


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


def test_any_board_size_is_played_by_the_network_that_fits(engine: EngineProcess) -> None:
    for size in (5, 13, 19):
        ask(engine, f"boardsize {size}")
        assert ask(engine, "genmove b") in {Game(size).vertex(move) for move in Game(size).legal_moves()}
    assert "trained on 9x9" in engine.complaints


def test_the_log_keeps_the_conversation(tmp_path: Path) -> None:
    log = tmp_path / "gtp.log"
    with EngineProcess([*QUICK, "--log", str(log), "--gtp-name", "Somebody", "--gtp-version", "0.17"]) as engine:
        assert ask(engine, "3 name") == "3 Somebody"
        assert ask(engine, "version") == "0.17"
        refused(engine, "nonsense")
    assert [line.split(" ", 1)[1] for line in log.read_text().splitlines()] == [
        "> 3 name",
        "< =3 Somebody",
        "> version",
        "< = 0.17",
        "> nonsense",
        "< ? unknown command",
    ]


def test_the_checker_sees_what_an_engine_lacks() -> None:
    poor = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('= name\\nlist_commands' if 'list_commands' in line else '= Poor')\n"
        "    print(flush=True)\n"
    )
    chosen = [each for each in transcripts() if each.name in {"Sabaki.start-up", "Lizzie.analysis"}]
    verdicts = {each.transcript.name: each for each in check([sys.executable, "-c", poor], chosen, patience=5)}
    assert verdicts["Lizzie.analysis"].verdict is Verdict.NOT_OFFERED
    assert verdicts["Sabaki.start-up"].verdict is Verdict.FAILS
    assert "line " in verdicts["Sabaki.start-up"].reason


def test_a_transcript_that_cannot_be_read_names_its_line() -> None:
    with pytest.raises(ValueError, match=r"Any\.phase, line 2"):
        parse_transcript("Any.phase", "> name\n! what\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--net", "no-such-net"], "no-such-net"),
        (["--rules", "poker"], "poker"),
        (["--move-choice", "luckiest"], "luckiest"),
        (["--visits", "0"], "visits"),
    ],
)
def test_a_wrong_option_ends_it_with_one_line(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [*TESUJI, "gtp", *arguments], input=b"", capture_output=True, timeout=WAIT, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""
    assert "Traceback" not in done.stderr.decode()


def check_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TESUJI, "gtp-check", *arguments],
        capture_output=True,
        text=True,
        timeout=WAIT,
        env={**os.environ, "COLUMNS": "200", "PATH": f"{os.environ['PATH']}:/usr/games"},
    )


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin") is None, reason="no GNU Go here")
def test_the_checker_knows_gnu_go() -> None:
    done = check_command("gnugo --mode gtp", "--client", "GTP", "--client", "gtp2ogs")
    assert done.returncode == 0
    assert "refusals" in done.stdout
    assert "not offered" in done.stdout  # GNU Go knows no byoyomi
    assert "FAILS" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-engine-here"], "no program 'no-such-engine-here'"),
        (["true"], "does not answer list_commands"),
        (["true", "--client", "Nobody"], "known clients: "),
    ],
)
def test_the_checker_says_what_is_wrong_in_one_line(arguments: list[str], message: str) -> None:
    done = check_command(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
