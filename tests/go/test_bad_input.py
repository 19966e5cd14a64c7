"""Bad input: a clear error, no crash, no partial change."""

import math

import pytest

from tesuji import BLACK, Board, Game, IllegalMoveError


@pytest.mark.parametrize("size", [-1, 0, 1, 26, 1000, 2**31 - 1])
def test_a_wrong_size(size: int) -> None:
    for make in (Game, Board):
        with pytest.raises(ValueError, match=f"board size {size} is not between 2 and 25"):
            make(size)


@pytest.mark.parametrize("size", ["9", 9.5, None, 2**40])
def test_a_size_that_is_no_number(size: object) -> None:
    for make in (Game, Board):
        with pytest.raises(TypeError):
            make(size)  # type: ignore[arg-type]


@pytest.mark.parametrize("komi", [math.nan, math.inf, -math.inf, 1e9, -1e9, 1e300])
def test_a_komi_out_of_bounds(komi: float) -> None:
    with pytest.raises(ValueError, match="komi"):
        Game(9, komi=komi)
    game = Game(9, komi=6.5)
    with pytest.raises(ValueError, match="komi"):
        game.komi = komi
    assert game.komi == 6.5


def test_a_komi_that_is_no_number() -> None:
    with pytest.raises(TypeError):
        Game(9, komi="abc")  # type: ignore[arg-type]
    game = Game(9)
    with pytest.raises(TypeError):
        game.komi = "abc"  # type: ignore[assignment]


def test_unknown_rules() -> None:
    with pytest.raises(ValueError, match=r"no rules 'chess'; .*tromp-taylor"):
        Game(9, rules="chess")
    game = Game(9, rules="aga")
    with pytest.raises(ValueError, match="no rules"):
        game.rules = "chess"
    assert game.rules.name == "aga"
    with pytest.raises(TypeError):
        Game(9, rules=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", ["", "Z9", "E10", "I5", "resign", "E5E5", "E5\n", "\x00", "é", "aé" * 50, "E" * 10**6])
def test_a_wrong_vertex(move: str) -> None:
    game = Game(9)
    with pytest.raises(ValueError, match="no vertex"):
        game.play(move)
    with pytest.raises(ValueError, match="no vertex"):
        game.is_legal(move)
    assert game.moves == []


@pytest.mark.parametrize("move", [-2, 81, 361, 2**15, 2**40, -(2**40)])
def test_a_wrong_point_number(move: int) -> None:
    game = Game(9)
    with pytest.raises(ValueError, match=f"no point {move}"):
        game.play(move)
    assert game.moves == []


@pytest.mark.parametrize("move", [None, 4.5, [4], b"E5", 2**70])
def test_a_move_that_is_none(move: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        Game(9).play(move)  # type: ignore[arg-type]


def test_a_wrong_colour() -> None:
    game = Game(9)
    for color in (0, 3, "B", -1):
        with pytest.raises((TypeError, ValueError)):
            game.play("E5", color)  # type: ignore[arg-type]
    assert game.moves == []


def test_illegal_moves_are_value_errors() -> None:
    game = Game(9)
    game.play("E5")
    with pytest.raises(ValueError, match="occupied"):
        game.play("E5")
    assert issubclass(IllegalMoveError, ValueError)


def test_questions_about_no_chain() -> None:
    board = Board(9)
    for question in (board.liberties, board.chain, board.liberty_points):
        with pytest.raises(ValueError, match="no stone at E5"):
            question("E5")
    with pytest.raises(ValueError, match="pass"):
        board.play("pass", BLACK)
    with pytest.raises(ValueError, match="no move to undo"):
        board.undo()
