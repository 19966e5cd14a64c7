"""A teaching game: when the teacher speaks, what may be done about it, and what is counted."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, Game
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.reviewing import OPTIONS
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.status import remark
from tesuji.interfaces.web.game.teaching import lesson
from tesuji.interfaces.web.game.views import board_props
from tesuji.reviews.analysis import Analysis, Candidate
from tesuji.reviews.verdicts import MoveReview

BAD, BEST = 0, 12


def judge(positions: Sequence[Game], visits: int) -> list[Analysis | None]:
    """Black leads by 4, and by 8 less after a stone in the corner."""
    found: list[Analysis | None] = []
    for game in positions:
        lead = 4.0 if game.board.at(BAD) is None else -4.0
        share = 0.9 if lead > 0 else 0.1
        best = Candidate(BEST, visits, share, lead, 0.5, (BEST, 7, 8))
        found.append(Analysis(game.size, game.to_play, visits, share, lead, (best,), (BEST,)))
    return found


def taught(session: Session) -> MoveReview:
    """The teacher's word about the last move."""
    task = session.wanted()
    assert task is not None
    assert task.kind == "teach"
    move = lesson(session.record.game, judge)
    assert move is not None
    session.taught(task.node, move)
    return move


@pytest.fixture
def session() -> Session:
    made = Session(Setup(size=5))
    made.set_look(teaching=True)
    return made


def test_a_bad_move_stops_the_game_until_the_visitor_has_chosen(session: Session) -> None:
    session.touch(BAD)
    move = taught(session)
    assert (move.points, move.better, move.looked_twice) == (8.0, BEST, True)
    assert session.wanted() is None
    said = heard(session)
    session.touch(BEST)
    assert said == ["Tesuji waits for your choice"]  # and is not thinking
    session.show_why()
    assert board_props(session)["answer"] == [BEST, 7, 8]
    session.go_on_anyway()
    assert board_props(session)["answer"] == []
    task = session.wanted()
    assert task is not None
    assert task.kind == "answer"


@pytest.mark.parametrize(("lost", "said"), [(13.2, "13 points"), (5.6, "6 points")])
def test_what_is_lost_is_said_in_whole_points(session: Session, lost: float, said: str) -> None:
    session.touch(BAD)
    move = replace(taught(session), points=lost)
    session.taught(session.record.node, move)
    assert remark(session) == f"That loses about {said}."


def test_taking_back_leaves_no_trace(session: Session) -> None:
    session.touch(BAD)
    taught(session)
    session.undo()
    assert session.warned is None
    assert session.record.root.children == []
    assert session.playing_so_far(BLACK) is None
    session.touch(BEST)
    taught(session)
    so_far = session.playing_so_far(BLACK)
    assert so_far is not None
    assert (so_far.moves, so_far.grades["good"], so_far.points) == (1, 1, 0.0)
    task = session.wanted()
    assert task is not None
    assert task.kind == "answer"  # a good move is answered at once
    session.answered(task.node, 8, Finding(0.5, 1))
    assert session.wanted() is None


def test_small_losses_are_not_spoken_of(session: Session) -> None:
    session.set_look(teach_points=10.0)
    session.touch(BAD)
    assert taught(session).points == 8.0
    assert session.warned is None


def test_without_a_teacher_nobody_speaks() -> None:
    session = Session(Setup(size=5))
    session.touch(BAD)
    task = session.wanted()
    assert task is not None
    assert task.kind == "answer"
    assert OPTIONS.visits < OPTIONS.second_visits
