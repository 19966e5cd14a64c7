"""The count with its reasons: what each side has, by every kind of rules, and what is in doubt."""

from dataclasses import replace

import numpy as np
import pytest

from tesuji import BLACK, PASS, WHITE, Game
from tesuji.interfaces.web.game.count import Count, Side
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.views import board_props
from tesuji.interfaces.web.page.count_card import named
from tesuji.interfaces.web.words.words import english
from tesuji.search.endgame.judge import judge_by_dead, judge_by_ownership


def finished(rules: str, komi: float = 6.5) -> Game:
    """Black has the left of a 5x5 board, White the right with a dead black stone; Black took one stone."""
    game = Game(5, komi, rules)
    # White A5 is taken by A4 and B5; then the walls, and a lone black stone at E1.
    for move in ("B5", "A5", "A4", "C5", "B4", "C4", "B3", "C3", "B2", "C2", "B1", "C1", "E1", "pass", "pass"):
        game.play(move)
    return game


@pytest.mark.parametrize(
    ("rules", "black", "white"),
    [
        ("japanese", Side(4, 0, 1), Side(10, 0, 1, 6.5)),
        ("korean", Side(4, 0, 1), Side(10, 0, 1, 6.5)),
        ("chinese", Side(4, 6, 0), Side(10, 5, 0, 6.5)),
        ("aga", Side(4, 6, 0), Side(10, 5, 0, 6.5)),
    ],
)
def test_each_side_by_the_rules(rules: str, black: Side, white: Side) -> None:
    count = Count(finished(rules))
    count.suggest([24])
    sides = count.sides()
    assert sides == {BLACK: black, WHITE: white}
    assert sides[BLACK].total - sides[WHITE].total == count.black_lead


@pytest.mark.parametrize(
    ("rows", "rules", "black", "white"),
    [
        # C3 is called dead on ground that touches both.
        ("X...O X...O X.X.O X...O X...O", "japanese", Side(0, 0, 0), Side(0, 0, 1, 6.5)),
        ("X...O X...O X.X.O X...O X...O", "chinese", Side(0, 5, 0), Side(0, 5, 0, 6.5)),
        # A5 and A1 are dead both, and all around them is Black's.
        ("O.XO. ..XO. ..XO. ..XO. X.XO.", "japanese", Side(10, 0, 1), Side(5, 0, 1, 6.5)),
        ("O.XO. ..XO. ..XO. ..XO. X.XO.", "chinese", Side(10, 5, 0), Side(5, 5, 0, 6.5)),
    ],
)
def test_dead_stones_are_prisoners_wherever_they_stand(rows: str, rules: str, black: Side, white: Side) -> None:
    game, stones = Game(5, 6.5, rules), rows.replace(" ", "")
    game.setup(black=[p for p in range(25) if stones[p] == "X"], white=[p for p in range(25) if stones[p] == "O"])
    count = Count(game)
    for point in (0, 12, 20):
        if game.board.at(point) is not None and len(game.board.chain(point)) == 1:
            count.toggle(point)
    assert count.sides() == {BLACK: black, WHITE: white}


def test_points_of_a_seki_do_not_count_by_territory() -> None:
    game = Game(5, 0.5, "japanese")
    rows = ("XXOOO", "XXO.O", ".XOOO", "XXOXX", "O.OX.")
    black = [p for p in range(25) if "".join(rows)[p] == "X"]
    white = [p for p in range(25) if "".join(rows)[p] == "O"]
    game.setup(black=black, white=white)
    count = Count(game)
    count.suggest([])
    sides = count.sides()
    assert sides[BLACK].total - sides[WHITE].total == pytest.approx(count.black_lead)
    assert sides[WHITE].komi == 0.5


def test_what_is_in_doubt_is_marked_until_somebody_decides() -> None:
    session = Session(Setup(size=5, black=Seat(), white=Seat()))
    for point in (1, 2, 6, 7, 11, 12, 16, 17, 21, 22, PASS, PASS):
        session.play(point)
    judged = judge_by_dead(session.record.game, [])
    session.counted(session.record.node, replace(judged, unsettled=[[2, 7]], open_borders=[[3, 4]]))
    assert board_props(session)["area"] == [2, 3, 4, 7]
    session.touch(2)
    assert board_props(session)["area"] == [3, 4]


def test_a_kept_count_is_told_again_at_the_end_of_the_record() -> None:
    session = Session(Setup(size=5, black=Seat(), white=Seat()))
    for point in (1, 2, 6, 7, 11, 12, 16, 17, 21, 22, PASS, PASS):
        session.play(point)
    assert session.settled_count() is None  # nobody has judged it yet
    owned = np.where(np.arange(25).reshape(5, 5) % 5 < 2, 1.0, -1.0).astype(np.float32)
    session.counted(session.record.node, judge_by_ownership(session.record.game, owned))
    session.accept()
    session.open_record(Record.from_sgf(session.record.to_sgf()))
    assert session.settled_count() is None
    session.jump(10**6)
    count = session.settled_count()
    assert count is not None
    assert {color: side.total for color, side in count.sides().items()} == {BLACK: 10, WHITE: 22}


def test_a_long_border_is_named_by_some_of_its_points() -> None:
    assert named(range(4), 9, english()) == "A9, B9, C9, D9"
    assert named(range(81), 9, english()) == "A9, B9, C9, D9, …"
