"""Stones on a board: captures, liberties, simple ko, suicide, undo."""

import pytest

from tests.go.drawing import diagram
from tesuji import BLACK, WHITE, Board, Game, IllegalMoveError
from tesuji._core import star_points, vertex_text

KO = """
    . X O .
    X . X O
    . X O .
    . . . .
"""


def test_capture_lifts_the_whole_chain() -> None:
    board = Board.from_diagram("""
        . X X .
        X O O X
        . X . .
        . . . .
    """)
    assert board.play("C2", BLACK) == 2
    assert board.diagram() == diagram("""
        . X X .
        X . . X
        . X X .
        . . . .
    """)


def test_one_stone_captures_several_chains() -> None:
    board = Board.from_diagram("""
        . O X .
        O . O X
        X O X .
        . X . .
    """)
    assert board.play("B3", BLACK) == 2
    assert board.diagram() == diagram("""
        . O X .
        O X . X
        X . X .
        . X . .
    """)


def test_capturing_comes_before_suicide() -> None:
    board = Board.from_diagram("""
        . O X
        O X X
        X . .
    """)
    assert board.play("A3", BLACK) == 2
    assert board.liberty_points("A3") == [1, 3]


def test_liberties_are_shared_and_counted_once() -> None:
    board = Board.from_diagram("""
        . X .
        X X .
        . . .
    """)
    assert board.liberties("B3") == 5
    assert board.liberty_points("A2") == [0, 2, 5, 6, 7]
    assert board.chain("B2") == [1, 3, 4]


def test_a_ko_may_not_be_retaken_at_once() -> None:
    board = Board.from_diagram(KO)
    board.play("B3", WHITE)
    assert board.at("C3") is None
    assert board.ko == 6
    with pytest.raises(IllegalMoveError, match="black C3 is illegal: ko"):
        board.play("C3", BLACK)


def test_a_move_elsewhere_lifts_the_ko() -> None:
    board = Board.from_diagram(KO)
    board.play("B3", WHITE)
    board.play("A1", BLACK)
    board.play("B1", WHITE)
    assert board.play("C3", BLACK) == 1


def test_taking_two_stones_back_is_no_ko() -> None:
    board = Board.from_diagram("""
        O . X .
        O X . .
        X . . .
        . . . .
    """)
    assert board.play("B4", BLACK) == 2
    assert board.ko is None
    assert board.play("A4", WHITE) == 0


def test_a_single_stone_may_never_kill_itself() -> None:
    board = Board.from_diagram("""
        . X .
        X . .
        . . .
    """)
    with pytest.raises(IllegalMoveError, match="white A3 is illegal: suicide"):
        board.play("A3", WHITE)


def test_a_suicide_of_two_stones_removes_them() -> None:
    board = Board.from_diagram("""
        . O X .
        X X . .
        . . . .
        . . . .
    """)
    assert board.play("A4", WHITE) == -2
    assert board.diagram() == diagram("""
        . . X .
        X X . .
        . . . .
        . . . .
    """)
    assert board.liberty_points("C4") == [1, 3, 6]


def test_undo_restores_captures_liberties_and_ko() -> None:
    board = Board.from_diagram(KO)
    board.play("B3", WHITE)
    before = board.copy()
    board.play("A1", BLACK)
    board.play("C3", WHITE)
    board.undo()
    board.undo()
    assert board == before
    assert board.ko == before.ko
    assert board.hash == before.hash
    assert [board.liberties(p) for p in board.stones(BLACK)] == [before.liberties(p) for p in before.stones(BLACK)]


def test_the_hash_forgets_the_order_of_moves() -> None:
    one, other = Board(9), Board(9)
    for vertex in ("D4", "E5"):
        one.play(vertex, BLACK)
    for vertex in ("E5", "D4"):
        other.play(vertex, BLACK)
    assert one.hash == other.hash != Board(9).hash
    assert one == other


def test_a_copy_lives_its_own_life() -> None:
    board = Board(9)
    copy = board.copy()
    copy.play("E5", BLACK)
    assert board == Board(9)
    assert copy.at("E5") == BLACK


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "size 0"),
        ("X", "size 1"),
        ("X O\nX", "row 2 of the diagram has 1 points, not 2"),
        ("X ?\n. .", r"'\?' in a diagram"),
        ("X X\nX X", "the chain at A2 has no liberty"),
        ("\n".join(["." * 26] * 26), "size 26"),
    ],
)
def test_a_wrong_drawing_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Board.from_diagram(text)


def test_the_other_colour() -> None:
    assert BLACK.opponent == WHITE
    assert WHITE.opponent == BLACK
    assert BLACK.opponent.opponent is BLACK


def test_stones_are_taken_off_a_copy() -> None:
    board = Board.from_diagram(". X X .\nX O O X\n. X . .\n. . . .")
    cleared = board.without(["B3", "C3"])
    assert cleared == Board.from_diagram(". X X .\nX . . X\n. X . .\n. . . .")
    assert board.at("B3") == WHITE
    assert cleared.without([]) == cleared
    with pytest.raises(ValueError, match="no vertex"):
        board.without(["Z9"])


@pytest.mark.parametrize("size", [2, 3, 9, 19, 25])
def test_neighbours_are_one_step_away(size: int) -> None:
    board = Board(size)
    for point in range(size * size):
        near = board.neighbours(point)
        row, column = divmod(point, size)
        steps = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        assert near == [r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size]


def test_all_chains_of_a_colour() -> None:
    board = Board.from_diagram("X . X\nX O X\n. O .")
    assert board.chains(BLACK) == [[0, 3], [2, 5]]
    assert board.chains(WHITE) == [[4, 7]]


@pytest.mark.parametrize(
    ("size", "stars"),
    [(6, ""), (7, "C5 E5 D4 C3 E3"), (8, "C6 F6 C3 F3"), (9, "C7 G7 E5 C3 G3"), (13, "D10 K10 G7 D4 K4")],
)
def test_star_points(size: int, stars: str) -> None:
    assert [vertex_text(point, size) for point in star_points(size)] == stars.split()
    assert len(star_points(19)) == 9


@pytest.mark.parametrize("size", range(7, 26))
def test_a_handicap_stands_on_stars_where_there_are_enough(size: int) -> None:
    assert set(Game(size=size).place_handicap(4)) <= set(star_points(size))
