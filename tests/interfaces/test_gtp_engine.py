"""The engine as a process: every client's transcript, its commands and bad input."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.gtp_talk import QUICK, TESUJI, WAIT, ask, refused
from tesuji import Game
from tesuji.go.sgf.files import read_sgf
from tesuji.interfaces.gtp.check.process import EngineProcess
from tesuji.interfaces.gtp.check.runner import Verdict, run
from tesuji.interfaces.gtp.check.transcript import Transcript, transcripts


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


@pytest.mark.parametrize("transcript", list(transcripts()), ids=lambda each: each.name)
def test_every_client_can_use_it(transcript: Transcript) -> None:
    outcome = run(QUICK, transcript, WAIT)
    assert outcome.verdict is Verdict.FITS, outcome.reason


def test_other_lines_wait_for_the_move(engine: EngineProcess) -> None:
    engine.send("1 genmove b\n2 genmove w\n3 name\n")
    assert [engine.answer(WAIT)[:3] for _ in range(3)] == ["=1 ", "=2 ", "=3 "]


def test_bad_input_is_refused_and_the_engine_goes_on(engine: EngineProcess) -> None:
    assert refused(engine, "no_such_command") == "unknown command"
    assert refused(engine, "play b Q19") == "invalid color or coordinate"
    assert refused(engine, "play purple E5") == "invalid color or coordinate"
    ask(engine, "play b E5")
    assert refused(engine, "play w E5") == "illegal move"
    for line in ("komi nan", "komi inf", "komi", "boardsize 200", "boardsize 1", "boardsize x"):
        refused(engine, line)
    ask(engine, "undo")
    assert refused(engine, "undo") == "cannot undo"
    assert refused(engine, "loadsgf /no/such/file.sgf") == "cannot load file"
    assert refused(engine, "kata-analyze sideways") == "syntax error"
    assert refused(engine, "final_status_list asleep") == "syntax error"
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


def test_handicap_of_every_kind(engine: EngineProcess) -> None:
    assert set(ask(engine, "fixed_handicap 2").split()) == {"G7", "C3"}
    assert refused(engine, "fixed_handicap 2") == "board not empty"
    ask(engine, "clear_board")
    points = ask(engine, "place_free_handicap 4").split()
    assert len(set(points)) == 4
    ask(engine, "clear_board")
    assert refused(engine, "set_free_handicap C3").startswith("bad vertex list")
    assert refused(engine, "set_free_handicap C3 Z99") == "bad vertex list"
    ask(engine, "set_free_handicap " + " ".join(points))
    assert refused(engine, "fixed_handicap 200") == "invalid number of stones"
    assert refused(engine, "place_free_handicap 1") == "invalid number of stones"
    assert ask(engine, "genmove w") not in points


def test_a_komi_that_nobody_states_follows_handicap_and_rules() -> None:
    with EngineProcess(QUICK) as engine:
        ask(engine, "boardsize 9")
        assert ask(engine, "get_komi") == "7"
        ask(engine, "kgs-rules japanese")
        assert ask(engine, "get_komi") == "6.5"
        ask(engine, "fixed_handicap 2")
        assert ask(engine, "get_komi") == "0.5"
        ask(engine, "clear_board")
        assert ask(engine, "get_komi") == "6.5"
        ask(engine, "komi 3.5")
        ask(engine, "set_free_handicap C3 G7")
        assert ask(engine, "get_komi") == "3.5"


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
