"""The end of the game with the built-in network: dead stones, score, clean-up, and real finished games."""

import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tesuji
from tests.go.finished_boards import LOST_STONES
from tesuji import BLACK, WHITE, Board
from tesuji.go.sgf.files import read_record
from tesuji.interfaces.gtp.check.process import EngineProcess
from tesuji.search.endgame.judge import judge

COMMAND = [sys.executable, "-m", "tesuji", "gtp", "--net", "default-9x9", "--visits", "16", "--threads", "1"]
GAMES = Path(__file__).parents[2].parent / "shared" / "data" / "9x9_human.sgfs.xz"
WAIT = 120.0


@pytest.fixture(scope="module")
def engine() -> Iterator[EngineProcess]:
    with EngineProcess(COMMAND) as process:
        yield process


def ask(engine: EngineProcess, line: str) -> str:
    engine.send(line + "\n")
    answer = engine.answer(WAIT)
    assert answer.startswith("="), f"{line}: {answer}"
    return answer[1:].strip()


def show(engine: EngineProcess, diagram: str, rules: str = "chinese") -> None:
    """Sets the position up and ends the game by two passes."""
    board = Board.from_diagram(diagram)
    vertex = tesuji.Game(board.size).vertex
    ask(engine, f"boardsize {board.size}")
    ask(engine, f"kgs-rules {rules}")
    ask(engine, "komi 7")
    stones = [f"{'b' if color == BLACK else 'w'} {vertex(p)}" for color in (BLACK, WHITE) for p in board.stones(color)]
    ask(engine, "set_position " + " ".join(stones))
    ask(engine, "play b pass")
    ask(engine, "play w pass")


def test_dead_stones_are_listed_and_taken_off(engine: EngineProcess) -> None:
    show(engine, LOST_STONES)
    assert set(ask(engine, "final_status_list dead").split()) == {"C7", "H4", "J1"}
    assert len(ask(engine, "final_status_list alive").split()) == 18
    assert ask(engine, "final_status_list seki") == ""
    assert ask(engine, "final_score") == "B+2"
    assert ask(engine, "final_status C7") == "dead"
    assert ask(engine, "final_status A1") == "black_territory"


def test_a_game_without_result_is_no_ones_and_a_server_may_go_on(engine: EngineProcess) -> None:
    stones = "b A9 b B8 b F9 b G8 b H9 b A1 b B2 w B9 w C8 w D9 w H8 w J9 w C2 w B1 w D1"
    for line in ("boardsize 9", "kgs-rules japanese", "komi 6.5", f"set_position {stones}"):
        ask(engine, line)
    for number, point in enumerate(("C9", "G9", "C1", "B9", "H9", "B1") * 2):
        ask(engine, f"play {'bw'[number % 2]} {point}")
    assert "RE[Void]" in ask(engine, "printsgf")
    assert ask(engine, "final_score") == "0"
    assert ask(engine, "genmove b").lower() != "pass"


def test_territory_rules_count_prisoners(engine: EngineProcess) -> None:
    show(engine, LOST_STONES, "japanese")
    # 36 points and one prisoner to 27 points and two, komi 7
    assert ask(engine, "final_score") == "B+1"


def test_clean_up_captures_what_is_dead_before_it_passes(engine: EngineProcess) -> None:
    show(
        engine,
        """
        . X . X O . O
        X X X X O O .
        . X . X O O O
        X X X X O . O
        . . . X O O O
        . O . X O . .
        . . . X O . .
        """,
    )
    assert ask(engine, "final_status_list dead") == "B2"
    for _ in range(12):
        if ask(engine, "kgs-genmove_cleanup b") == "pass":
            break
        ask(engine, "play w pass")
    assert ask(engine, "final_status_list dead") == ""
    assert ask(engine, "final_status B2") == "black_territory"


def test_a_finished_game_by_tromp_taylor_rules_counts_the_board_as_it_stands(engine: EngineProcess) -> None:
    show(engine, LOST_STONES)
    ask(engine, "kata-set-rules tromp-taylor")
    assert ask(engine, "final_score") == "W+6"  # 11 stones to 10: both sides are open to each other


@pytest.mark.skipif(not GAMES.exists(), reason=f"no games in {GAMES}")
def test_the_judge_agrees_with_players_of_real_games() -> None:
    evaluate = tesuji.load("default-9x9")
    agreed = played = 0
    with lzma.open(GAMES, "rb") as lines:
        for line in lines:
            if b"RU[Chinese]" not in line:
                continue
            record = read_record(line)
            if record.game.passes < 2 or not (record.result or "x")[-1].isdigit():
                continue
            agreed += judge(record.game, evaluate, rollouts=8).result == record.result
            played += 1
            if played == 25:
                break
    assert agreed >= 22
