"""Several people at one board: what the owner, another player and a watcher may do, and the links that lead there."""

from typing import Any, cast, get_args

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, WHITE
from tesuji.interfaces.web.game.chair import CHANGING, LOOKING, Chair, Role
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.status import player_name, status
from tesuji.interfaces.web.game.timing import TimeControl
from tesuji.interfaces.web.game.views import board_props
from tesuji.interfaces.web.server.shares import Shares
from tesuji.interfaces.web.words.words import languages


def seated(session: Session, role: Role, language: str = "") -> tuple[Any, list[str]]:
    told: list[str] = []
    chair = Chair(session, role, languages().get(language))
    chair.tell = lambda said: told.append(said(chair.words))
    return cast(Any, chair), told


def test_methods_that_only_look_leave_the_session_as_it_is() -> None:
    session = Session(Setup(size=5))
    session.unsaved = False
    for name in sorted(LOOKING - {"say", "refuse", "playing_so_far", "may"}):
        getattr(session, name)()
    session.playing_so_far(BLACK)
    assert not session.unsaved
    assert {"play", "touch", "delete", "walk", "set_look", "new_game"} <= CHANGING


def test_a_watcher_sees_all_and_changes_nothing() -> None:
    session = Session(Setup(size=5))
    watcher, told = seated(session, "watcher")
    for name in sorted(CHANGING):
        getattr(watcher, name)()
    assert len(told) == len(CHANGING)
    assert session.record.root.children == []
    assert status(watcher) == "Black to play"
    assert status(session) == "Your turn (Black)"


def test_two_people_move_their_own_colour_alone() -> None:
    session = Session(Setup(size=5))
    session.lend(WHITE)
    owner, told_owner = seated(session, "owner")
    guest, told_guest = seated(session, "player")
    guest.touch(12)
    owner.touch(12)
    owner.touch(13)
    guest.touch(13)
    assert [move for _, move in session.record.game.moves] == [12, 13]
    assert (len(told_owner), len(told_guest)) == (1, 1)
    guest.new_game(Setup())
    guest.undo()
    guest.set_look(analysis=True)
    assert len(told_guest) == 4
    assert session.record.number == 2
    guest.resign()
    assert session.result == "B+R"
    guest.walk(-1)
    assert session.record.number == 1


def test_who_shares_a_board_reads_who_is_who_in_the_own_language() -> None:
    session = Session(Setup(size=5))
    assert [player_name(session, color) for color in (BLACK, WHITE)] == ["You", "Tesuji (Strong)"]
    session.lend(WHITE)
    owner, _ = seated(session, "owner")
    guest, told = seated(session, "player", "ja")
    watcher, _ = seated(session, "watcher", "de")
    assert [player_name(owner, color) for color in (BLACK, WHITE)] == ["You", "White"]
    assert [player_name(guest, color) for color in (BLACK, WHITE)] == ["黒", "あなた"]
    assert [player_name(watcher, color) for color in (BLACK, WHITE)] == ["Schwarz", "Weiß"]
    assert status(owner) == "Your turn (Black)"
    assert status(watcher) == "Schwarz ist am Zug"
    assert session.record.root.text("PW") == "White"
    guest.undo()
    assert told == [languages()["ja"]("share.not_your_turn")]


def test_what_all_should_know_is_said_to_each_in_the_own_language() -> None:
    session = Session(Setup(size=5, time=TimeControl("move", period=10), black=Seat(), white=Seat()))
    at_home, abroad = heard(session), heard(session, "ja")
    session.play(12)
    session.clocks.run_for(WHITE, 1)
    session.time_is_up()
    assert (at_home, abroad) == ([languages()["en"]("game.time_is_up")], [languages()["ja"]("game.time_is_up")])


def test_what_somebody_may_not_do_is_told_to_nobody_else() -> None:
    session = Session(Setup(size=5))
    session.lend(WHITE)
    all_here = heard(session)
    owner, told_owner = seated(session, "owner")
    guest, told_guest = seated(session, "player", "de")
    owner.touch(12)
    owner.touch(13)
    guest.touch(12)
    assert told_owner == ["That is not yours to do now."]
    assert told_guest == ["C3 geht nicht: besetzt."]
    assert all_here == []


def test_a_name_of_ones_own_stays() -> None:
    session = Session(Setup(size=5))
    session.record.root.set_text("PB", "Ann")
    session.lend(WHITE)
    assert [player_name(session, color) for color in (BLACK, WHITE)] == ["Ann", "White"]


def test_nobody_is_offered_a_move_out_of_turn() -> None:
    session = Session(Setup(size=5))
    session.lend(WHITE)
    owner, guest, watcher = (seated(session, role)[0] for role in get_args(Role))
    assert [board_props(one)["playable"] for one in (owner, guest, watcher)] == [True, False, False]
    owner.touch(12)
    assert [board_props(one)["playable"] for one in (owner, guest, watcher)] == [False, True, False]
    assert [one.may("play") for one in (owner, guest, watcher)] == [True, True, False]
    assert [one.may("undo") for one in (owner, guest, watcher)] == [True, False, False]


def test_the_owner_resigns_the_own_colour_also_when_it_is_not_the_turn() -> None:
    session = Session(Setup(size=5))
    session.lend(BLACK)
    owner, _ = seated(session, "owner")
    owner.resign()
    assert session.result == "B+R"


def test_a_game_against_the_engine_ends_the_invitation() -> None:
    session = Session(Setup(size=5))
    session.lend(WHITE)
    session.new_game(Setup(size=5))
    assert session.lent is None


@pytest.mark.parametrize("word", ["", "x", "../"])
def test_a_made_up_link_opens_nothing(word: str) -> None:
    shares = Shares()
    made = shares.word("k" * 24, "watcher")
    assert shares.find(word) is None
    assert shares.word("k" * 24, "watcher") == made
    assert shares.word("k" * 24, "player") != made
    found = shares.find(made)
    assert found is not None
    assert found.role == "watcher"


def test_who_looks_back_takes_no_moves_of_two_back() -> None:
    session = Session(Setup(size=5, time=TimeControl("move", period=30)))
    session.lend(WHITE)
    owner, _ = seated(session, "owner")
    guest, told = seated(session, "player")
    owner.touch(12)
    guest.touch(13)
    owner.touch(7)
    owner.walk(-2)
    assert session.on_the_clock == WHITE  # nor does it stop the clock
    guest.touch(0)
    assert told == ["An earlier position was on the board. This is the present one."]
    assert session.record.number == 3
    guest.touch(0)
    assert [move for _, move in session.record.game.moves] == [12, 13, 7, 0]


def test_only_who_may_walk_has_the_wheel_and_the_buttons_for_it() -> None:
    session = Session(Setup(size=5))
    session.lend(WHITE)
    session.touch(12)
    for role, walks in (("owner", True), ("player", False), ("watcher", False)):
        chair, _ = seated(session, cast(Role, role))
        assert (chair.may_walk, board_props(chair)["behind"]) == (walks, int(walks))
    session.resign(BLACK)
    guest, _ = seated(session, "player")
    assert (guest.may_walk, board_props(guest)["behind"]) == (True, 1)
