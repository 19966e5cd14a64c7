"""A visitor's games on disk, and practice with a record."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interfaces.test_web_review import BEST, reviewed
from tests.interfaces.web_parts import heard
from tesuji import PASS
from tesuji.go.sgf.files import read_tree
from tesuji.interfaces.web.game.archive import Archive
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.words.words import english, languages

KEY, OTHER = "k" * 24, "o" * 24
FIRST = b"(;SZ[9]PB[Ann]PW[Bob]DT[2026-01-02]RE[B+R];B[ee];W[cc])"
SECOND = b"(;SZ[19]PB[Ann]PW[Tesuji (Club)]DT[2026-02-03]XSE[human][engine club 2];B[dd])"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    for age, (name, data) in enumerate((("0" * 16, FIRST), ("1" * 16, SECOND))):
        made.keep(KEY, name, read_tree(data))
        os.utime(tmp_path / KEY / f"{name}.sgf", (1000 + age, 1000 + age))
    return made


def test_games_are_listed_with_players_date_and_result(archive: Archive) -> None:
    newest, oldest = archive.games(KEY)
    assert (newest.white, newest.result, newest.size) == ("Tesuji (Club)", "", 19)
    assert (oldest.black, oldest.date, oldest.result, oldest.moves) == ("Ann", "2026-01-02", "B+R", 2)
    assert archive.games(OTHER) == []


@pytest.mark.parametrize(
    ("search", "found"),
    [("ann", 2), ("BOB b+r", 1), ("2026-02", 1), ("19x19", 1), ("carl", 0), ("by resignation", 1), ("unfinished", 1)],
)
def test_every_word_of_a_search_must_fit(archive: Archive, search: str, found: int) -> None:
    assert sum(game.fits(search.split(), english()) for game in archive.games(KEY)) == found


def test_a_search_finds_what_the_list_says_in_the_visitors_language(archive: Archive) -> None:
    found = [game.black for game in archive.games(KEY) if game.fits(["Aufgabe"], languages()["de"])]
    assert found == ["Ann"]


def test_a_record_without_a_result_is_nobodys_to_finish(archive: Archive) -> None:
    archive.keep(KEY, "2" * 16, read_tree(b"(;SZ[9]PB[Lee]PW[Gu];B[ee])"))
    facts = {game.black: game.facts(english())[-1] for game in archive.games(KEY) if not game.result}
    assert facts == {"Ann": "unfinished", "Lee": "1 move"}


def test_a_game_goes_into_a_collection_and_away(archive: Archive) -> None:
    archive.collect(KEY, "0" * 16, "  Club evenings ")
    assert [game.collection for game in archive.games(KEY)] == ["Club evenings", ""]
    assert b"B[ee]" in archive.read(KEY, "0" * 16)
    archive.remove(KEY, "0" * 16)
    assert len(archive.games(KEY)) == 1


@pytest.mark.parametrize("name", ["../" + "0" * 13, "0" * 15, "0" * 17, "G" * 16, ""])
def test_a_name_is_never_a_path(archive: Archive, name: str) -> None:
    with pytest.raises(ValueError, match="kept game"):
        archive.read(KEY, name)


def test_a_damaged_file_does_not_hide_the_others(archive: Archive) -> None:
    (archive.folder / KEY / f"{'2' * 16}.sgf").write_bytes(b"not a game")
    assert len(archive.games(KEY)) == 2


def test_the_list_counts_the_main_line_alone(archive: Archive) -> None:
    record = b"(;SZ[9]PB[A\\]n;n(]\n;B[ee]C[a) \\\\];W[cc](;B[dd];W[])(;B[aa];W[bb];B[ab];W[ba]))"
    root = read_tree(record)
    archive.keep(KEY, "2" * 16, root)
    newest = archive.games(KEY)[0]
    assert (newest.black, newest.moves) == ("A]n;n(", 4)
    assert newest.moves == len(root.main_line()) - 1


def test_of_a_record_in_the_list_no_more_is_read_than_its_root(archive: Archive) -> None:
    (archive.folder / KEY / f"{'0' * 16}.sgf").write_bytes(FIRST[:-1] + b"(;B[aa])(;no record")
    assert [(game.black, game.moves) for game in archive.games(KEY)] == [("Ann", 3), ("Ann", 1)]


def test_the_oldest_game_of_a_visitor_makes_room(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.interfaces.web.game.archive.MOST_GAMES", 2)
    archive.keep(OTHER, "0" * 16, read_tree(FIRST))
    archive.keep(KEY, "2" * 16, read_tree(FIRST))
    assert [game.name for game in archive.games(KEY)] == ["2" * 16, "1" * 16]
    assert len(archive.games(OTHER)) == 1


def test_the_oldest_games_of_all_visitors_make_room_but_none_that_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = 4096  # what a small file takes
    monkeypatch.setattr("tesuji.interfaces.web.game.archive.MOST_BYTES", 5 * block)
    visitors = [letter * 24 for letter in "abcdef"]
    archive = Archive(tmp_path, lambda: [(visitors[0], "0" * 16)])
    for age, visitor in enumerate(visitors):
        archive.keep(visitor, "0" * 16, read_tree(FIRST))
        os.utime(tmp_path / visitor / f"{'0' * 16}.sgf", (1000 + age, 1000 + age))
    left = [len(archive.games(visitor)) for visitor in visitors]
    assert left == [1, 0, 0, 1, 1, 1]  # the first is played; one more than needed went, for those to come
    assert not (tmp_path / visitors[1]).exists()


def test_files_put_beside_the_games_never_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.interfaces.web.game.archive.MOST_BYTES", 4096)
    own = tmp_path / KEY / "my best game.sgf"
    own.parent.mkdir()
    own.write_bytes(FIRST)
    os.utime(own, (1000, 1000))
    archive = Archive(tmp_path)
    for digit in "012":
        archive.keep(OTHER, digit * 16, read_tree(FIRST))
    assert own.exists()


def test_a_game_that_grows_counts_with_all_its_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.interfaces.web.game.archive.MOST_BYTES", 50_000)
    archive = Archive(tmp_path)
    archive.keep(OTHER, "0" * 16, read_tree(FIRST))
    os.utime(tmp_path / OTHER / f"{'0' * 16}.sgf", (1000, 1000))
    for length in (10_000, 60_000):
        archive.keep(KEY, "1" * 16, read_tree(b"(;SZ[9]C[" + b"x" * length + b"];B[ee])"))
        assert len(archive.games(OTHER)) == (length < 50_000)


def test_a_new_game_gets_a_name_that_survives_a_restart() -> None:
    session = Session()
    first = session.game_name
    assert session_from(state_of(session)).game_name == first
    session.new_game(session.setup)
    assert session.game_name != first
    session.open_kept(Record.from_sgf(FIRST), "a" * 16)
    assert session.game_name == "a" * 16
    assert session.mode == "review"


def test_a_game_that_was_left_goes_on_with_the_same_players_and_ends_with_its_result() -> None:
    session = Session(Setup(size=5, black=Seat("engine", "club"), white=Seat()))
    session.record.play(12)
    session.note_seats()
    left = session.record.to_sgf()
    session.new_game(Setup())
    session.look.analysis = True
    session.open_kept(Record.from_sgf(left), "a" * 16)
    assert (session.mode, session.record.number, session.look.analysis) == ("play", 1, False)
    assert (session.setup.black, session.setup.white) == (Seat("engine", "club"), Seat())
    assert session.my_turn
    session.resign()
    session.note_seats()
    assert session.record.root.text("RE") == "B+R"
    session.open_kept(Record.from_sgf(session.record.to_sgf()), "a" * 16)
    assert session.mode == "review"


def test_a_game_that_was_left_while_it_was_counted_is_counted_again() -> None:
    session = Session(Setup(size=5, black=Seat(), white=Seat()))
    session.play(PASS)
    session.play(PASS)
    session.note_seats()
    session.open_kept(Record.from_sgf(session.record.to_sgf()), "a" * 16)
    assert session.mode == "scoring"


@pytest.mark.parametrize(
    "seats", ["[human]", "[human][engine]", "[engine nobody 2][human]", "[engine human-1d 2][x y z]"]
)
def test_seats_that_nobody_can_take_leave_a_record_to_look_at(seats: str) -> None:
    session = Session()
    session.open_kept(Record.from_sgf(f"(;SZ[5]XSE{seats};B[cc])".encode()), "a" * 16)
    assert session.mode == "review"


def test_guessing_goes_through_the_record_and_counts_first_tries() -> None:
    session = reviewed()
    said = heard(session)
    session.start_guessing()
    session.touch(12)  # the move of the game
    assert session.record.number == 1
    session.touch(0)
    assert said == ["Not that one. Try again."]
    session.touch(BEST)  # what the review likes better
    assert "Better than" in said[-1]
    assert session.record.number == 2
    assert session.quiz is not None
    assert (session.quiz.right, session.quiz.asked) == (1, 2)
    for _ in range(3):
        session.touch(0)
    assert said[-1] == "It was B4."
    for point in (18, 13):
        session.touch(point)
    assert said[-1].startswith("The end: 3 of 5 right")
    assert session.quiz is None


def test_problems_are_the_positions_before_mistakes() -> None:
    session = reviewed()
    session.start_problems()
    assert session.record.number == 1
    assert session.quiz is not None
    session.touch(BEST)
    assert session.quiz is None  # the only one is solved
    assert session.record.root.children[0].children[0].move is not None  # and the record is as it was
    assert len(session.record.root.children[0].children) == 1


def test_nobody_walks_past_a_question_or_takes_tries_along() -> None:
    session = reviewed()
    said = heard(session)
    session.start_guessing()
    session.touch(0)
    steps: tuple[Callable[[], object], ...] = (
        lambda: session.walk(1),
        lambda: session.jump(10),
        lambda: session.switch(1),
        lambda: session.next_mistake(1),
        lambda: session.look_at(1),
        lambda: session.visit(session.record.root.children[0]),
    )
    for step in steps:
        step()
        assert said[-1] == "Find the move first, or stop the practice."
    assert session.record.number == 0
    assert not session.look.analysis
    assert session.quiz is not None
    assert session.quiz.tries == 1
    session.touch(12)
    assert (session.record.number, session.quiz.tries) == (1, 0)
    session.stop_practice()
    session.walk(1)
    assert session.record.number == 2


def test_problems_are_of_people_and_survive_a_restart() -> None:
    session = reviewed()
    assert len(session.problems()) == 1  # White's
    assert len(session_from(state_of(session)).problems()) == 1
    session.reviewed.clear.clear()
    assert session_from(state_of(session)).problems() == []
    session = reviewed()
    session.setup = session.setup.with_seats(Seat(), Seat("engine"))
    assert session.problems() == []
