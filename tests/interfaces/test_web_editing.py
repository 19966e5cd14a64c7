"""Editing a record: what clicks with a tool write, what the file keeps, and games played out of it."""

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, PASS, WHITE
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.status import status
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.game.tree_view import MOST, TreeDrawing
from tesuji.interfaces.web.game.views import board_props

SGF = b"(;GM[1]SZ[5]KM[0.5]RE[B+R]ZZ[kept];B[cc]C[the centre](;W[cb]N[name];B[bb])(;W[dc]LB[aa:x]TR[ee];B[db]))"


@pytest.fixture
def session() -> Session:
    made = Session()
    made.open_record(Record.from_sgf(SGF))
    made.reviewed.stop()
    return made


def sgf(session: Session) -> str:
    return session.record.to_sgf().decode()


def test_marks_and_labels_are_written_and_taken_away_again(session: Session) -> None:
    session.jump(2)
    session.switch(1)
    for tool, point in (("triangle", 0), ("letter", 1), ("letter", 2), ("number", 3), ("square", 24)):
        session.use_tool(tool)
        session.touch(point)
    kinds = {mark["point"]: mark.get("text", mark["kind"]) for mark in session.record.marks()}
    assert kinds == {0: "triangle", 1: "A", 2: "B", 3: "1", 24: "square"}  # the file's own were on 0 and 24
    session.use_tool("letter")
    session.touch(1)
    assert 1 not in {mark["point"] for mark in session.record.marks()}
    assert "LB[ca:B][da:1]" in sgf(session)
    assert "ZZ[kept]" in sgf(session)
    assert "N[name]" in sgf(session)
    assert session.record.number == 2


def test_stones_are_set_up_in_a_node_of_their_own(session: Session) -> None:
    session.jump(1)
    session.use_tool("white")
    session.touch(0)
    session.touch(24)
    session.use_tool("black")
    session.touch(12)  # takes the black stone of the move away
    assert board_props(session)["stones"] == "O" + "." * 23 + "O"
    node = session.record.node
    assert node.parent is session.record.root.children[0]
    assert node.properties["AW"] == ["aa", "ee"]
    assert node.properties["AE"] == ["cc"]
    assert session.record.game.to_play == WHITE
    session.swap_turn()
    assert session.record.game.to_play == BLACK
    session.touch(24)  # black over white
    session.use_tool("play")
    session.touch(6)
    assert session.record.game.board.at(24) == BLACK
    assert session.record.node.move == (BLACK, 6)
    again = Record.from_sgf(session.record.to_sgf())
    again.follow(session.record.path())
    assert again.stones() == session.record.stones()


def test_a_position_that_cannot_be_is_refused(session: Session) -> None:
    said = heard(session)
    session.use_tool("white")
    before = sgf(session)
    session.touch(1)
    session.touch(5)
    session.use_tool("black")
    session.touch(0)  # no liberty left
    assert said
    assert board_props(session)["stones"][0] == "."
    session.delete()
    assert sgf(session) == before


def test_a_stray_click_can_be_deleted_and_brought_back(session: Session) -> None:
    before = sgf(session)
    session.jump(1)
    session.touch(0)
    session.delete()
    assert sgf(session) == before
    assert session.record.number == 1
    session.delete()
    assert session.record.root.children == []
    session.restore()
    assert sgf(session) == before
    session.jump(0)
    session.removed.clear()
    session.delete()
    assert sgf(session) == before  # the first position stays


def test_all_that_was_deleted_comes_back_with_what_was_found(session: Session) -> None:
    before = sgf(session)
    session.jump(3)
    found = Finding(0.4, 10, (), None)
    session.findings = dict.fromkeys(session.record.line(), found)
    for _ in range(3):
        session.delete()
    assert session.record.root.children == []
    assert state_of(session)["findings"].keys() == {"0"}  # nothing of it is kept on disk
    for number in (1, 2, 3):
        session.restore()
        assert session.record.number == number
    assert sgf(session) == before
    assert all(session.findings[node] == found for node in session.record.line())
    assert not session.removed


def test_a_line_whose_place_is_gone_stays_away(session: Session) -> None:
    session.jump(1)
    session.touch(0)
    session.touch(24)
    session.delete()
    session.play_from_here(WHITE)
    session.undo()
    session.mode = "review"
    kept = sgf(session)
    session.restore()
    assert sgf(session) == kept
    assert session.removed == []


def test_a_variation_becomes_the_main_line(session: Session) -> None:
    session.jump(2)
    session.switch(1)
    session.make_main()
    assert session.record.root.main_line()[2].move == (WHITE, 13)


def test_pass_in_a_review_is_a_move(session: Session) -> None:
    session.play(PASS)
    assert session.record.node.move == (BLACK, PASS)
    assert session.mode == "review"


def test_the_tree_is_drawn_with_a_row_for_each_line(session: Session) -> None:
    drawing = TreeDrawing(session)
    props = drawing.props()
    places = [tuple(props["nodes"][4 * index : 4 * index + 4]) for index in range(len(props["nodes"]) // 4)]
    assert places == [(0, 0, -1, 0), (1, 0, 0, 1), (2, 0, 1, 2), (3, 0, 2, 1), (2, 1, 1, 2), (3, 1, 4, 1)]
    assert props["notes"] == [1]
    node = drawing.node(5)
    assert node is not None
    session.visit(node)
    assert drawing.props()["current"] == 5
    session.touch(0)
    assert drawing.props()["current"] == 6


def test_a_tree_of_many_variations_has_a_row_for_each(session: Session) -> None:
    lines = "".join(f"(;B[{chr(97 + place % 9)}{chr(97 + place // 9)}];W[])" for place in range(80))
    session.open_record(Record.from_sgf(f"(;SZ[9]{lines})".encode()))
    assert TreeDrawing(session).props()["rows"] == 80


def test_of_a_huge_tree_what_is_near_is_drawn(session: Session) -> None:
    lines = "".join(f"(;B[{chr(97 + place % 9)}{chr(97 + place // 9 % 9)}])" for place in range(2 * MOST))
    session.open_record(Record.from_sgf(f"(;SZ[9]{lines})".encode()))
    drawing = TreeDrawing(session)
    assert len(drawing.props()["nodes"]) <= 4 * MOST
    session.jump(1)
    assert drawing.props()["current"] == 1
    session.switch(-1)  # to the last of all, which was not drawn
    drawn = drawing.node(drawing.props()["current"])
    assert drawn is session.record.node
    assert len(drawing.props()["nodes"]) <= 4 * MOST


def test_a_comment_goes_where_it_was_typed(session: Session) -> None:
    node = session.record.node
    session.walk(1)
    session.comment("typed before", node)
    assert node.comment == "typed before"
    assert session.record.node.comment == "the centre"


def test_a_game_from_a_record_keeps_the_result_of_the_record(session: Session) -> None:
    session.jump(1)
    session.play_from_here(WHITE, "club")
    assert session.setup.black.level == "club"
    assert status(session) == "Your turn (White)"
    session.play(11)  # the move of the record
    task = session.wanted()
    assert task is not None
    assert task.kind == "answer"
    saved = session_from(state_of(session))
    assert saved.wanted() is not None
    session.answered(task.node, 20, Finding(0.5, 1))
    session.resign()
    assert session.record.root.text("RE") == "B+R"
    assert session.result == "B+R"
    assert status(session) == "Black wins by resignation"
    assert "Black wins by resignation" in session.record.node.comment
    assert session.record.root.main_line()[3].move == (BLACK, 6)
    session.jump(2)
    session.record.go_to(session.record.root.main_line()[-1])
    assert status(session) == "Black wins by resignation"
