"""How games begin and follow each other: proposals, clocks, rematches; without browser or network."""

import pytest

from tests.interfaces.web_parts import heard
from tesuji import BLACK, WHITE
from tesuji.interfaces.web.game.levels import LEVELS, level
from tesuji.interfaces.web.game.proposal import PROPOSALS, begins_with, rematch, step_offered, streak_after
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.game.timing import Clocks, TimeControl


class Watch:
    """A clock on the wall that the test moves."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_proposals_grow_with_strength() -> None:
    order = [one.key for one in LEVELS]
    places = [order.index(one.level) for one in PROPOSALS]
    assert places == sorted(places)
    for one in PROPOSALS:
        assert Setup(size=one.size, handicap=one.handicap, white=Seat("engine", level(one.level).key))


def test_a_rematch_changes_colours_but_not_with_stones() -> None:
    even = Setup(size=9, white=Seat("engine", "club"))
    assert (rematch(even).black.level, rematch(even).black.kind, rematch(even).white.kind) == (
        "club",
        "engine",
        "human",
    )
    assert rematch(even, 1).black.level == "club-2"
    given = Setup(size=9, handicap=2, white=Seat("engine", "newcomer"))
    assert rematch(given).white.kind == "engine"
    assert rematch(given, -1).white.level == "newcomer"  # there is nothing below
    person = Setup(size=9, white=Seat("engine", "human-12k"))
    assert rematch(person, 1).black.level == "human-6k"  # those who play like people are a ladder of their own


def test_a_new_game_has_no_komi_of_stones_it_does_not_give() -> None:
    def proposed(session: Session) -> tuple[int, float]:
        return begins_with(session.setup, session.record.game, played=session.played)

    session = Session(Setup(size=9, handicap=2, komi=1.5))
    assert proposed(session) == (2, 1.5)  # as before: the page was loaded anew
    session.note_seats()
    kept = session.record.to_sgf()
    session.open_kept(Record.from_sgf(kept), "a")
    assert proposed(session) == (2, 1.5)
    assert rematch(session.setup).white.kind == "engine"  # the stones are given again to the same side
    session.open_record(Record.from_sgf(kept))
    assert proposed(session) == (0, 7.0)  # only looked at
    elsewhere = Record.from_sgf(b"(;SZ[9]KM[0.5]HA[2]AB[aa][bb]XSE[human][engine club 2])")
    session.open_kept(elsewhere, "b")
    assert session.mode == "play"
    assert proposed(session) == (0, 7.0)


def test_two_wins_offer_a_stronger_opponent_and_two_losses_an_easier_one() -> None:
    setup = Setup(white=Seat("engine", "club"))
    streak = 0
    for result, after, offered in (("B+R", 1, 0), ("B+3.5", 2, 1), ("W+R", -1, 0), ("0", -1, 0), ("W+T", -2, -1)):
        streak = streak_after(streak, setup, result)
        assert (streak, step_offered(streak, setup)) == (after, offered)
    assert streak_after(1, Setup(black=Seat(), white=Seat()), "B+R") == 1
    assert step_offered(5, Setup(white=Seat("engine", "full"))) == 0


def test_a_finished_game_is_played_again() -> None:
    session = Session(Setup(white=Seat("engine", "club")))
    for _ in range(2):
        session.resign()
        session.rematch()
    assert session.look.streak == -2
    session.resign()
    assert session.step_offered == -1
    session.rematch(-1)
    assert "casual-2" in {session.setup.black.level, session.setup.white.level}
    assert session.look.streak == 0
    assert session.mode == "play"


def test_two_people_at_two_devices_change_colours_too() -> None:
    session = Session()
    session.lend(WHITE)
    session.resign()
    assert session_from(state_of(session)).played
    session.rematch()
    assert session.lent == BLACK
    session.open_record(Record.from_sgf(b"(;SZ[9]RE[B+R];B[ee])"))
    assert not session_from(state_of(session)).played


def test_only_the_player_to_move_loses_time() -> None:
    watch = Watch()
    clocks = Clocks(TimeControl("byoyomi", main=60, period=10, periods=2), watch)
    clocks.run_for(BLACK, 1)
    watch.time = 20
    clocks.run_for(WHITE, 2)
    watch.time = 25
    black, white = clocks.shown(BLACK), clocks.shown(WHITE)
    assert black is not None
    assert (black["main"], black["running"]) == (40, False)
    assert white is not None
    assert (white["main"], white["spent"], white["running"]) == (60, 5, True)
    assert clocks.left() == 75


def test_walking_through_the_game_earns_no_time() -> None:
    watch = Watch()
    clocks = Clocks(TimeControl("fischer", main=50, period=10), watch)
    clocks.run_for(BLACK, 5)
    for _ in range(3):
        watch.time += 10
        clocks.run_for(None, 2)  # looks at an earlier position
        watch.time += 100
        clocks.run_for(BLACK, 5)
    assert clocks.left() == 30
    watch.time += 10
    clocks.run_for(None, 6)  # a move at last
    shown = clocks.shown(BLACK)
    assert shown is not None
    assert shown["main"] == 30


@pytest.mark.parametrize("kind", ["move", "byoyomi", "fischer"])
def test_a_kind_clock_tells_and_a_strict_one_ends_the_game(kind: str) -> None:
    for strict in (False, True):
        control = TimeControl(kind, main=0, period=10, periods=1, strict=strict)  # type: ignore[arg-type]
        session = Session(Setup(size=5, time=control, black=Seat(), white=Seat()))
        watch = Watch()
        session.clocks = Clocks(control, watch)
        said = heard(session)
        assert session.on_the_clock is None  # before the first move there is time
        session.play(12)
        session.clocks.run_for(session.on_the_clock, session.record.number)
        assert session.clocks.running == WHITE
        watch.time = 11
        session.time_is_up()
        assert session.result == ("B+T" if strict else "")
        assert bool(said) != strict
        if not strict:
            assert session.clocks.left() == 10


def test_clocks_survive_a_restart() -> None:
    session = Session(
        Setup(size=5, time=TimeControl("byoyomi", main=100, period=10, periods=3), black=Seat(), white=Seat())
    )
    watch = Watch()
    session.clocks = Clocks(session.setup.time, watch)
    session.play(12)
    session.clocks.run_for(WHITE, 1)
    watch.time = 115
    session.clocks.pause()
    again = session_from(state_of(session))
    again.clocks.run_for(WHITE, 1)
    left = again.clocks.left()
    assert left is not None
    assert 14.9 < left <= 15
    assert again.setup.time == session.setup.time


def test_times_nobody_can_keep_are_refused() -> None:
    for bad in ({"period": 0}, {"main": -1}, {"periods": 0}, {"kind": "sand"}, {"main": float("nan")}):
        with pytest.raises(ValueError, match="time"):
            TimeControl(**{"kind": "byoyomi", **bad})  # type: ignore[arg-type]
