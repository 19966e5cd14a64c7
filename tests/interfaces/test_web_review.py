"""The review of a game on the page: its passes, its curve and its list, with a judge whose opinion is known."""

from collections.abc import Sequence

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, WHITE, Game
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.review_views import (
    graph_props,
    lost_in_phase,
    mistake_rows,
    progress_text,
    review_shown,
    summaries,
)
from tesuji.interfaces.web.game.reviewing import OPTIONS
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.game.views import board_props
from tesuji.reviews import strength
from tesuji.reviews.analysis import Analysis, Candidate
from tesuji.reviews.strength import Calibration, Played
from tesuji.search.result import RootMove

SGF = b"(;GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob]RE[B+R];B[cc];W[cb];B[bb](;W[dd];B[dc])(;W[aa]))"
LEADS = (0.5, 0.5, 6.5, 6.0, 6.0, -3.0)  # Black's after each move of the game
BEST = 24  # what the judge would always play


def judge(positions: Sequence[Game], visits: int) -> list[Analysis | None]:
    """Leads by number of moves; deeper, the last move is not half as bad."""
    found: list[Analysis | None] = []
    for game in positions:
        count = len(game.moves)
        lead = LEADS[count - 1] if count and game.moves[-1][1] == BEST else LEADS[count]
        if visits == OPTIONS.second_visits and lead == LEADS[5]:
            lead = 5.0
        share = 0.9 if lead > 0 else 0.1
        best = Candidate(BEST, visits, share, lead, 0.5, (BEST, 0))
        found.append(Analysis(game.size, game.to_play, visits, share, lead, (best,), (BEST,)))
    return found


def opened() -> Session:
    session = Session()
    session.open_record(Record.from_sgf(SGF))
    return session


def step(session: Session) -> bool:
    """One step of the review; whether there was one."""
    task, todo = session.wanted(), session.reviewed.next_step()
    if task is None or todo is None:
        return False
    assert (task.kind, task.node) == ("review", todo.node)
    session.reviewed_more(session.reviewed.work(todo)(judge))
    return True


def reviewed() -> Session:
    session = opened()
    while step(session):
        pass
    return session


def test_two_passes_with_their_progress() -> None:
    session = opened()
    assert progress_text(session) == "First look at every position: 0 of 6"
    assert step(session)
    session.wanted()
    assert progress_text(session) == "Second look at the moves that mattered: 0 of 2"
    assert step(session)
    assert not step(session)
    assert progress_text(session) == ""
    assert not session.reviewing


def test_the_list_waits_for_the_end_of_a_pass_and_then_stands() -> None:
    session = opened()
    assert mistake_rows(session) == []
    step(session)
    session.wanted()
    first = mistake_rows(session)
    assert [(row["number"], row["loss"]) for row in first] == [(2, "−6 points"), (5, "−9 points")]
    session.judged(session.record.node, Finding(0.9, 4000, (RootMove(3, 10, 0.5, 0.1),), -20.0))  # looked at closely
    assert mistake_rows(session) == first
    while step(session):
        pass
    assert [row["number"] for row in mistake_rows(session)] == [2]  # the second look thinks better of the last move


def test_every_move_has_a_dot_by_what_it_cost() -> None:
    props = graph_props(reviewed())
    assert [dot["grade"] for dot in props["dots"]] == ["good", "blunder", "good", "good", "inexact"]
    assert props["scores"][2] == 6.5


def test_what_nobody_looked_at_is_left_empty() -> None:
    session = reviewed()
    session.jump(3)
    session.switch(0)
    session.jump(4)
    session.switch(1)
    assert session.record.node.move == (WHITE, 0)
    props = graph_props(session)
    assert props["values"][4] is None
    assert props["values"][3] is not None
    session.review()
    while step(session):
        pass
    assert graph_props(session)["values"][4] is not None
    session.switch(1)
    assert None not in graph_props(session)["values"]  # what was known of the main line stays


def test_a_review_is_seen_from_its_first_moment() -> None:
    session = opened()
    assert review_shown(session)
    assert progress_text(session) == "First look at every position: 0 of 6"
    session.reviewed.stop()
    assert not review_shown(session)  # nothing is known, nor will be
    shown = reviewed()
    assert review_shown(shown)
    shown.start_guessing()
    assert not review_shown(shown)


def test_a_stray_delete_does_not_end_a_review() -> None:
    session = opened()
    session.jump(5)
    session.delete()
    assert session.reviewing
    assert progress_text(session) == "First look at every position: 0 of 5"
    assert step(session)
    known = len(session.reviewed.analyses)
    session.restore()
    assert session.reviewed.progress == (False, known, 6)
    while step(session):
        pass
    assert None not in graph_props(session)["values"]


def test_the_keys_go_from_mistake_to_mistake() -> None:
    session = reviewed()
    session.next_mistake(1)
    assert session.record.number == 1
    assert session.look.analysis
    said = heard(session)
    session.next_mistake(1)
    assert (said, session.record.number) == (["No more mistakes this way."], 1)
    session.jump(5)
    session.next_mistake(-1)
    assert session.record.number == 1


def test_points_lost_by_player_and_phase() -> None:
    black, white = summaries(reviewed())
    assert (black.name, white.name) == ("Ann", "Bob")
    assert white.points == pytest.approx(6.0)
    assert sum(phase.points or 0 for phase in white.phases) == pytest.approx(6.0)
    assert black.points == pytest.approx(1.5)  # 0.5 in the first pass, 1 in the second
    assert (black.color, white.color) == ("black", "white")
    told = [lost_in_phase(black, index) for index in range(3)]
    assert told == [one.points if one.moves else None for one in black.phases]
    assert None in told  # a short game has no endgame, and loses nothing in it


def test_how_strong_people_seem(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Calibration((24.0, -4.0, 8.0), 4.0, 25.0, 24.0, 8.0, 100)
    monkeypatch.setattr(strength, "calibrations", lambda: {"test 5 64": line})
    monkeypatch.setattr(strength, "FEWEST_MOVES", 1)
    session = reviewed()
    assert [one.strength for one in summaries(session)] == [None, None]  # nobody knows who judged
    session.reviewed.networks.add("test")
    # By the first pass: Black lost 0.5 and 9 points, White 6, neither with a first choice of the network.
    told = [strength.strength("test", 5, 64, [Played(moves, lost, 0.0)]) for moves, lost in ((3, 9.5 / 3), (2, 3.0))]
    assert [one.strength for one in summaries(session)] == [one.text for one in told if one]
    again = session_from(state_of(session))
    assert summaries(again) == summaries(session)
    session.setup = session.setup.with_seats(Seat(), Seat("engine"))
    assert summaries(session)[0].strength
    assert summaries(session)[1].strength is None  # the ranks are those of people
    again.reviewed.networks.add("other")
    assert [one.strength for one in summaries(again)] == [None, None]


def test_a_review_survives_a_restart() -> None:
    session = reviewed()
    again = session_from(state_of(session))
    assert mistake_rows(again) == mistake_rows(session)
    assert graph_props(again) == graph_props(session)
    assert again.wanted() is None
    half = opened()
    back = session_from(state_of(half))
    assert back.reviewing


def test_a_review_that_was_stopped_half_way_keeps_what_it_found() -> None:
    session = opened()
    todo = session.reviewed.next_step()
    assert todo is not None
    session.reviewed_more(
        session.reviewed.work(todo)(lambda positions, visits: [*judge(positions[:2], visits), None, None, None, None])
    )
    assert session.reviewed.progress == (False, 2, 6)
    following = session.reviewed.next_step()
    assert following is not None
    assert following.numbers == (2, 3, 4, 5)


def test_board_of_a_reviewed_position_is_playable() -> None:
    session = reviewed()
    assert board_props(session)["playable"]
    assert session.record.game.to_play == BLACK
