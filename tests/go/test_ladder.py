"""Ladders: drawn positions, either side first, the board always handed back as found."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.follower import Follower, random_move
from tests.features.slow_ladders import TooDeepError, UsualLadder
from tesuji import BLACK, WHITE, Board, Color, Game, _core, ladder


def unchanged(board: Board, point: str | int, to_play: Color) -> bool:
    """The answer, after checking that asking left no trace."""
    before = (board.diagram(), board.hash, board.ko, [board.liberties(p) for p in board.stones(BLACK)])
    answer = ladder.is_captured(board, point, to_play)
    assert before == (board.diagram(), board.hash, board.ko, [board.liberties(p) for p in board.stones(BLACK)])
    return answer


def test_a_plain_ladder_works() -> None:
    board = Board.from_diagram("""
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . O . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """)
    assert unchanged(board, "C5", WHITE)
    assert not unchanged(board, "C5", BLACK)


def test_a_stone_in_the_way_breaks_the_ladder() -> None:
    board = Board.from_diagram("""
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . O . . . . .
        . . . . . . .
        . . . . . X .
        . . . . . . .
    """)
    assert not unchanged(board, "C5", WHITE)


def test_a_stone_in_atari_on_the_edge_is_lost_even_to_move() -> None:
    board = Board.from_diagram("""
        X . O . .
        O . . . .
        . . . . .
        . . . . .
        . . . . .
    """)
    assert unchanged(board, "A5", BLACK)
    assert unchanged(board, "A5", WHITE)


def test_a_chain_in_the_open_extends() -> None:
    board = Board.from_diagram("""
        . . O . .
        . O X . .
        . . O . .
        . . . . .
        . . . . .
    """)
    assert not unchanged(board, "C4", BLACK)
    assert unchanged(board, "C4", WHITE)


@pytest.mark.parametrize(("helper", "lost"), [("X", False), (".", True)])
def test_capturing_an_attacker_in_atari_saves(helper: str, lost: bool) -> None:
    # Extending to B1 is hopeless; with Black's stone at A3 the attacker at A2 can be taken instead.
    board = Board.from_diagram(f"""
        . . . . .
        . . . . .
        {helper} . . . .
        O . . . .
        X . O . .
    """)
    assert unchanged(board, "A1", BLACK) is lost


def test_three_liberties_are_free() -> None:
    board = Board.from_diagram("""
        . . . . .
        . O . . .
        . . X . .
        . . O . .
        . . . . .
    """)
    assert not unchanged(board, "C3", WHITE)


def test_two_liberties_are_safe_with_the_owner_to_move() -> None:
    board = Board.from_diagram("""
        . . . . .
        . O . . .
        . X . . .
        . O . . .
        . . . . .
    """)
    assert not unchanged(board, "B3", BLACK)


def test_an_empty_point_is_no_chain() -> None:
    with pytest.raises(ValueError, match="no stone at C3"):
        ladder.is_captured(Board(5), "C3", BLACK)


def test_reading_leaves_no_trace_in_random_positions() -> None:
    random = Random(1)
    captured = 0
    for seed in range(30):
        game = Game(9)
        _core.play_out(game, seed, random.randrange(10, 80))
        board = game.board
        for point in board.stones(BLACK) + board.stones(WHITE):
            for color in (BLACK, WHITE):
                captured += unchanged(board, point, color)
    assert captured > 0


@pytest.mark.parametrize("mirror", [False, True])
def test_the_longest_ladder_crosses_the_board(mirror: bool) -> None:
    rows = [["."] * 19 for _ in range(19)]
    for row, column, stone in [(2, 2, "X"), (1, 2, "O"), (2, 1, "O"), (3, 1, "O")]:
        rows[row][18 - column if mirror else column] = stone
    board = Board.from_diagram("\n".join(" ".join(row) for row in rows))
    point = 2 * 19 + (16 if mirror else 2)
    assert board.is_captured(point, WHITE)


def test_a_ladder_that_needs_the_attackers_ko_does_not_work() -> None:
    # White takes A1 from B1; Black's next atari at A4 can only take the ko, which White may win.
    board = Board.from_diagram("""
        . O X .
        O X . .
        O X . .
        X . . .
    """)
    assert not unchanged(board, "A3", WHITE)


def test_a_ko_ban_on_the_board_is_lifted_for_the_chain_that_runs() -> None:
    board = Board.from_diagram("""
        O X . X X X . X O
        O O X X X X X X O
        . . O O O O O O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    assert not unchanged(board, "E9", WHITE)  # G9 is suicide, and C9 a ko that Black takes back
    board.play("C9", WHITE)
    assert board.ko == 1  # B9
    assert not unchanged(board, "E9", BLACK)
    assert unchanged(board, "E9", WHITE)


def test_two_kos_kill_the_chain_between_them() -> None:
    board = Board.from_diagram("""
        O X . X X X . X O
        O O X X X X X O O
        . . O O O O O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    assert unchanged(board, "E9", WHITE)


def test_two_kos_do_not_kill_a_chain_that_can_capture() -> None:
    # As above, but the white wall is in atari itself.
    board = Board.from_diagram("""
        O X . X X X . X O
        O O X X X X X O O
        O X O O O O O . O
        . X X X X X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    assert not unchanged(board, "E9", WHITE)


@given(st.integers(0, 2**32 - 1), st.sampled_from([4, 5, 7]), st.integers(6, 60))
def test_the_reader_agrees_with_a_slow_plain_one(seed: int, size: int, moves: int) -> None:
    rng = Random(seed)
    follower = Follower(size, 7.0)
    for _ in range(moves):
        follower.play(random_move(follower, rng))
    slow, board = follower.slow, follower.game.board
    for chain in slow.chains(slow.boards[0]):
        prey = min(chain)
        for color, name in ((BLACK, "X"), (WHITE, "O")):
            try:
                caught = UsualLadder(slow, prey).caught(name)
            except TooDeepError:
                continue
            assert unchanged(board, prey[0] * size + prey[1], color) == caught, f"{prey}\n{board.diagram()}"
