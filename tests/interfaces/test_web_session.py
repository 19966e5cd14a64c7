"""A visitor's game without browser, threads or network: what clicks do, and what the engine is asked for."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, PASS, WHITE
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.review_views import last_move_in_words
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.status import ended, status
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.game.views import board_props, candidates, game_facts
from tesuji.interfaces.web.words.words import WordedError, english, languages
from tesuji.search.endgame.judge import judge_by_dead
from tesuji.search.result import RootMove

TWO_PEOPLE = Setup(size=5, black=Seat(), white=Seat())
SGF = b"(;GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob];B[cc]C[the centre](;W[cb];B[bb])(;W[dc]LB[aa:x];B[db]))"


def walled(session: Session) -> Session:
    """Black has the left of a 5x5 board, White the right, with a dead white stone at A1; both passed."""
    # . X O . .   rows of the final board
    for point in (1, 2, 6, 7, 11, 12, 16, 17, 21, 22):
        session.touch(point)
    session.play(PASS)
    session.touch(20)
    session.play(PASS)
    session.play(PASS)
    return session


def test_a_click_plays_and_asks_the_engine() -> None:
    session = Session()
    session.touch(40)
    assert board_props(session)["stones"][40] == "X"
    task = session.wanted()
    assert task is not None
    assert (task.kind, task.node) == ("answer", session.record.node)
    session.answered(task.node, 20, Finding(0.4, 10))
    assert board_props(session)["stones"][20] == "O"
    assert session.wanted() is None
    assert status(session) == "Your turn (Black)"


@pytest.mark.parametrize(
    ("clicks", "message"),
    [([12, 12], "occupied"), ([12, 99], "not a point"), ([12, -2], "not a point")],
)
def test_a_click_that_makes_no_move_says_why(clicks: list[int], message: str) -> None:
    session = Session(TWO_PEOPLE)
    said = heard(session)
    for point in clicks:
        session.touch(point)
    assert message in said[0]
    assert session.record.number == 1


def test_nobody_plays_out_of_turn() -> None:
    session = Session()
    said = heard(session)
    session.touch(40)
    session.touch(41)
    assert said == ["Tesuji is thinking."]
    assert session.record.number == 1


def test_undo_takes_the_answer_back_too() -> None:
    session = Session()
    session.touch(40)
    session.answered(session.record.node, 20, None)
    session.undo()
    assert board_props(session)["stones"] == "." * 81
    assert session.record.root.children == []
    said = heard(session)
    session.undo()
    assert said == ["There is no move to take back."]


def test_an_answer_that_comes_too_late_is_not_played() -> None:
    session = Session()
    session.touch(40)
    asked = session.record.node
    session.undo()
    session.answered(asked, 20, Finding(0.5, 1))
    assert board_props(session)["stones"] == "." * 81


def test_counting_marks_the_dead_and_the_count_can_be_changed() -> None:
    session = walled(Session(TWO_PEOPLE))
    assert session.mode == "scoring"
    task = session.wanted()
    assert task is not None
    assert task.kind == "status"
    session.counted(task.node, judge_by_dead(session.record.game, [20]))
    props = board_props(session)
    assert props["dead"] == [20]
    assert [props["owners"][point] for point in (0, 20, 4)] == [1.0, 1.0, -1.0]
    assert status(session) == "White wins by 12 points?"
    session.touch(20)
    assert board_props(session)["dead"] == []
    assert session.wanted() is None  # nobody asks the engine again after a person has spoken


def test_accepting_the_count_ends_the_game_and_begins_the_review() -> None:
    session = walled(Session(TWO_PEOPLE))
    session.counted(session.record.node, judge_by_dead(session.record.game, [20]))
    session.accept()
    assert session.mode == "review"
    assert session.result == "W+12"
    assert status(session) == "White wins by 12 points"
    task = session.wanted()
    assert task is not None
    assert task.kind == "review"
    assert task.node is session.record.root


def test_the_count_is_kept_in_the_record() -> None:
    session = walled(Session(TWO_PEOPLE))
    session.counted(session.record.node, judge_by_dead(session.record.game, [20]))
    session.accept()
    sgf = session.record.to_sgf()
    assert b"TB[aa][ab][ac][ad][ae]" in sgf
    session.walk(-1)
    assert board_props(session)["owners"] == []
    session.open_record(Record.from_sgf(sgf))
    session.jump(10**6)
    props = board_props(session)
    assert props["dead"] == [20]
    assert [props["owners"][point] for point in (0, 1, 4)] == [1.0, 0.0, -1.0]


def test_resuming_takes_the_passes_back() -> None:
    session = walled(Session(TWO_PEOPLE))
    session.resume()
    assert session.mode == "play"
    assert session.record.game.passes == 0
    assert board_props(session)["playable"]


def test_resigning_is_the_visitors() -> None:
    session = Session(Setup(black=Seat("engine"), white=Seat()))
    session.resign()
    assert session.result == "B+R"
    assert status(session) == "Black wins by resignation"


def test_a_game_that_ended_is_left_without_a_question() -> None:
    session = Session()
    session.touch(40)
    session.note_seats()  # as kept on disk while it ran
    assert session.unfinished
    session.resign()
    session.note_seats()
    assert not session.unfinished
    session.comment("a good game")
    assert session.unfinished


def test_nobody_is_to_move_where_the_game_is_over() -> None:
    session = Session(Setup(black=Seat(), white=Seat()))
    session.play(40)
    session.resign()
    assert ended(session)
    session.walk(-1)
    assert not ended(session)
    session.play(41)  # a variation
    assert not ended(session)


def test_a_hint_goes_with_the_game() -> None:
    session = Session()
    session.ask_hint()
    session.judged(session.record.node, Finding(0.4, 331, (RootMove(40, 300, 0.6, 0.4, pv=(40,)),)))
    session.ask_hint()
    assert candidates(session)
    session.resign()
    assert candidates(session) == []


def test_the_engine_may_resign() -> None:
    session = Session()
    session.touch(40)
    session.answered(session.record.node, None, None)
    assert session.result == "B+R"


def test_the_same_position_a_third_time_ends_the_game_without_result() -> None:
    text = b"(;SZ[9]RU[Japanese]KM[6.5]AB[aa][bb][fa][gb][ha][ai][bh]AW[ba][cb][da][hb][ia][ch][bi][di]PL[B])"
    session = Session()
    said = heard(session)
    session.take_up(Record.from_sgf(text), {"black": Seat(), "white": Seat()})
    game = session.record.game
    for vertex in ("C9", "G9", "C1", "B9", "H9", "B1") * 2:
        assert session.mode == "play"
        session.play(next(p for p in range(81) if game.vertex(p) == vertex))
    assert (session.mode, session.result, session.count) == ("review", "Void", None)
    assert status(session).startswith("No result")
    assert "for the third time" in said[-1]


def test_two_engines_play_until_paused() -> None:
    session = Session(Setup(black=Seat("engine"), white=Seat("engine")))
    assert session.wanted() is not None
    session.pause()
    assert session.wanted() is None
    session.go_on()
    assert session.wanted() is not None


def test_a_record_is_walked_with_its_variations() -> None:
    session = Session()
    session.open_record(Record.from_sgf(SGF))
    session.walk(1)
    assert session.record.node.comment == "the centre"
    marks = [mark for mark in board_props(session)["marks"] if mark["kind"] == "variation"]
    assert [(mark["point"], mark["text"]) for mark in marks] == [(7, "A"), (13, "B")]
    session.walk(1)
    session.switch(1)
    assert board_props(session)["stones"][13] == "O"
    assert {"point": 0, "kind": "text", "text": "x"} in board_props(session)["marks"]
    session.jump(10**6)
    assert session.record.last_point == 8
    session.jump(-5)
    assert session.record.number == 0


def test_a_move_in_review_is_a_variation_nobody_answers() -> None:
    session = Session()
    session.open_record(Record.from_sgf(SGF))
    session.reviewed.stop()
    session.touch(0)
    assert session.record.root.children[1].move == (BLACK, 0)
    assert session.wanted() is None
    session.play_from_here()
    assert session.setup.seat(WHITE).kind == "human"
    assert session.setup.seat(BLACK).kind == "engine"


def test_hints_and_analysis_show_candidates() -> None:
    session = Session()
    session.ask_hint()
    task = session.wanted()
    assert task is not None
    assert task.kind == "hint"
    found = (RootMove(40, 300, 0.6, 0.4, pv=(40, 20)), RootMove(20, 30, 0.5, 0.1, pv=(20,)))
    session.judged(task.node, Finding(0.4, 331, found))
    assert candidates(session) == []
    assert 40 in board_props(session)["area"]  # first where to look
    assert 0 not in board_props(session)["area"]
    session.ask_hint()
    assert [mark["point"] for mark in candidates(session)] == [40]
    assert board_props(session)["area"] == []
    assert session.wanted() is None
    session.set_look(analysis=True)
    assert [mark["point"] for mark in candidates(session)] == [40, 20]
    assert candidates(session)[0]["pv"] == [40, 20]


def test_what_the_record_calls_a_point_is_read_on_a_candidate_too() -> None:
    session = Session()
    session.open_record(Record.from_sgf(b"(;SZ[9]LB[ee:A];B[cc])"))
    session.set_look(analysis=True)
    session.judged(session.record.node, Finding(0.4, 331, (RootMove(40, 300, 0.6, 0.4), RootMove(20, 30, 0.5, 0.1))))
    assert [(mark["text"], mark["detail"]) for mark in candidates(session)] == [("A", "60"), ("50", "30")]


@pytest.mark.parametrize(
    ("white", "score", "better", "words"),
    [
        (0.9, -5.5, 24, "Black C3 loses 7 points; E1 was better"),
        (0.42, 1.0, 24, "Black C3 is fine"),
        (0.42, 1.0, 12, "Black C3 is the best move"),
    ],
)
def test_the_last_move_is_judged_in_words(white: float, score: float, better: int, words: str) -> None:
    session = Session(TWO_PEOPLE)
    session.touch(12)
    root, node = session.record.line()
    session.findings[root] = Finding(0.4, 10, (RootMove(better, 10, 0.5, 0.1),), 1.5)
    assert last_move_in_words(session) == ""
    session.findings[node] = Finding(white, 10, (RootMove(3, 10, 0.5, 0.1),), score)
    assert last_move_in_words(session) == words


def test_a_record_tells_who_played_and_how() -> None:
    session = Session()
    assert game_facts(session) == "Komi 7, Chinese rules"
    session.open_record(Record.from_sgf(b"(;SZ[9]HA[2]AB[cc][gg]KM[0.5]RU[Japanese]DT[2016];W[ee])"))
    assert game_facts(session) == "Komi 0.5, Japanese rules, 2 stones, 2016"
    session.open_record(Record.from_sgf(b"(;SZ[9]KM[abc])"))
    assert game_facts(session).startswith("Komi not given")


@pytest.mark.parametrize(
    ("stated", "komi"),
    [("375", 7.5), ("3.75", 7.5), ("2.75", 5.5), ("650", 6.5), ("0", 0.0), ("6.5", 6.5), ("-5.5", -5.5)],
)
def test_komi_as_chinese_servers_write_it(stated: str, komi: float) -> None:
    session = Session()
    session.open_record(Record.from_sgf(f"(;SZ[19]KM[{stated}]RU[Chinese];B[pd])".encode()))
    assert (session.record.game.komi, session.setup.komi) == (komi, komi)


def test_a_komi_that_nobody_meant_opens_nothing() -> None:
    with pytest.raises(ValueError, match="komi 300"):
        Session().open_record(Record.from_sgf(b"(;SZ[19]KM[300.3];B[pd])"))


def test_the_position_on_the_board_is_read_before_the_rest_of_the_game() -> None:
    session = Session()
    session.open_record(Record.from_sgf(SGF))
    session.set_look(analysis=True)
    session.walk(2)

    def asked() -> tuple[str, bool]:
        task = session.wanted()
        assert task is not None
        return task.kind, task.node is session.record.node

    assert asked() == ("analyse", True)
    session.judged(session.record.node, Finding(0.5, 400, (RootMove(3, 10, 0.5, 0.1),)))
    assert asked() == ("review", False)
    for node in session.record.line():
        session.judged(node, Finding(0.5, 64, (RootMove(3, 10, 0.5, 0.1),)))
    assert asked() == ("analyse", True)


def test_a_session_survives_as_data() -> None:
    session = Session()
    session.touch(40)
    session.answered(session.record.node, 20, Finding(0.3, 50, (RootMove(20, 40, 0.6, 0.2, pv=(20,)),), 1.5))
    session.set_look(numbers=True, theme="dark")
    session.comment("so be it")
    session.walk(-1)
    again = session_from(state_of(session))
    assert again.record.number == 1
    assert again.look == session.look
    assert again.setup == session.setup
    assert state_of(again) == state_of(session)
    again.walk(1)
    assert again.record.node.comment == "so be it"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda state: state.pop("sgf"),
        lambda state: state.update(sgf="(;SZ[1000])"),
        lambda state: state.update(mode="dreaming"),
        lambda state: state.update(look={"colour": 1}),
        lambda state: state.update(findings={"77": state["findings"]}),
        lambda state: state["setup"].update(size="9"),
        lambda state: state["setup"]["black"].update(kind="cat"),
    ],
)
def test_a_spoilt_state_is_refused(spoil: Callable[[dict[str, Any]], Any]) -> None:
    state = state_of(Session())
    spoil(state)
    with pytest.raises(ValueError, match=r"."):
        session_from(state)


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 1000},
        {"size": 1},
        {"komi": float("nan")},
        {"komi": 7.3},
        {"komi": 1e9},
        {"rules": "chess"},
        {"handicap": 1},
        {"handicap": 25},
        {"handicap": -2},
    ],
)
def test_a_setup_that_makes_no_game_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Setup(**wrong)


@pytest.mark.parametrize(
    ("size", "stones", "said"),
    [
        (19, 200, "a handicap of 200; on this board it has 2 to 9 stones, or none"),
        (9, 10, "a handicap of 10; on this board it has 2 to 9 stones, or none"),
        (8, 5, "a handicap of 5; on this board it has 2 to 4 stones, or none"),
        (9, 1, "a handicap of 1; on this board it has 2 to 9 stones, or none"),
        (5, 2, "a handicap of 2; this board has none"),
    ],
)
def test_a_handicap_that_a_board_has_not_is_refused_in_words(size: int, stones: int, said: str) -> None:
    for words in languages().values():
        with pytest.raises(WordedError) as caught:
            Setup(size=size, handicap=stones)
        assert (words.fault(caught.value) == said) is (words.code == "en")
        assert str(stones) in words.fault(caught.value)


@pytest.mark.parametrize("wrong", [{"level": "god"}, {"seconds": 1e6}, {"seconds": float("nan")}, {"kind": "cat"}])
def test_a_seat_nobody_can_take_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Seat(**wrong)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("W+3.5", "White wins by 3.5 points"),
        ("B+1", "Black wins by 1 point"),
        ("B+R", "Black wins by resignation"),
        ("W+T", "White wins on time"),
        ("B+F", "Black wins by forfeit"),
        ("B+", "Black wins"),
        ("0", "The game is a draw"),
        ("Void", "No result: by its rules the game counts for nobody"),
        ("?", "The result is not known"),
    ],
)
def test_results_in_words(result: str, words: str) -> None:
    assert english().result(result) == words
