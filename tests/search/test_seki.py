"""Stones in seki that a network takes for dead: drawn fights, read to the end."""

import pytest

from tests.search.test_judge import game_of, judged, vertices
from tesuji import BLACK, WHITE, Board
from tesuji.search.endgame.reading import can_capture

# Two liberties shared by the black stones on the edge and the white ones around them, no eyes.
SHARED = """
    X . O X . X . X .
    X . O X X X X X X
    X O O X . X . X .
    X O X X X X X X X
    O O X . X X X . X
    X X X X X X X X X
    O O O O O O O O O
    . O . O . O . O .
    O O O O O O O O O
"""
WHITE_IN_SEKI = ["C9", "C8", "B7", "C7", "B6", "A5", "B5"]
BLACK_IN_SEKI = ["A9", "A8", "A7", "A6"]
# Black has played B8: White is in atari, and dead if Black is to move.
NO_SEKI = SHARED.replace("X . O X X X X X X", "X X O X X X X X X")


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("dead", [WHITE_IN_SEKI, BLACK_IN_SEKI, WHITE_IN_SEKI + BLACK_IN_SEKI])
def test_whoever_is_said_to_be_dead_both_live(dead: list[str], rules: str) -> None:
    game, judgement = judged(SHARED, dead, rules)
    assert judgement.dead == []
    assert vertices(game, judgement.seki) == {*WHITE_IN_SEKI, *BLACK_IN_SEKI}
    assert judgement.settled
    assert judgement.black_score == game.black_score()


def test_the_points_between_are_nobodys() -> None:
    game, judgement = judged(SHARED, WHITE_IN_SEKI)
    owned = judgement.black_ownership.reshape(-1)
    named = {str(game.vertex(point)): owned[point] for point in range(81)}
    assert named["B9"] == named["B8"] == 0
    assert named["C9"] == -1
    assert named["A9"] == named["D9"] == 1


def test_stones_that_can_be_taken_stay_dead() -> None:
    game, judgement = judged(NO_SEKI, WHITE_IN_SEKI)
    assert vertices(game, judgement.dead) == set(WHITE_IN_SEKI)
    assert not judgement.seki


def test_reading_takes_what_can_be_taken_and_no_more() -> None:
    board = game_of(SHARED).board
    points = {0, 1, 2, 9, 10, 11, 18, 19, 20, 27, 28, 36, 37}
    assert board.at(0) == BLACK
    assert board.at(2) == WHITE
    assert not can_capture(board, [0], points)
    assert not can_capture(board, [2], points)
    board.play("B8", BLACK)  # puts himself into atari, and White too
    assert can_capture(board, [0], points)
    assert can_capture(board, [2], points)


def test_four_in_the_corner_are_taken_by_ko() -> None:
    """Black gives four stones and takes the corner back from inside; who has to find threats is not asked."""
    board = game_of("""
        X X . O X . X
        X O O O X X X
        . O X X X . X
        O O X . X X X
        X X X X X X X
        O O O O O O O
        . O . O . O .
    """).board
    points = {0, 1, 2, 3, 7, 8, 9, 10, 14, 15, 21, 22}
    assert can_capture(board, [3], points)
    assert not can_capture(board, [0], points)


def test_lines_of_play_that_hardly_end_are_left_unread() -> None:
    """Of a game of two weak levels: stones taken and played again on the same points, for hundreds of moves."""
    board = Board.from_diagram("""
        . . . . . O . . .
        . . O X X O O X .
        . . X O O X X . X
        . . O O O X . X .
        . O . O X O O X .
        . O O X X O . O X
        X O X X X O O X .
        O . O O X X . X .
        . O . X X O . . .
    """)
    points = {33, 41, 42, 50, 51, 52, 59, 60, 61, 62, 69, 70, 71, 77, 78, 79, 80}
    assert can_capture(board, [61], points)  # in doubt, and so called captured
