"""Counting: area, territory, dead stones, and Benson's pass-alive chains."""

import pytest

from tests.go import oracle
from tests.go.drawing import game_on
from tesuji import BLACK, WHITE, Board, Game, _core

# Black holds the left, White the right; a white stone is dead in Black's corner.
DIVIDED = """
    . . X O .
    O . X O .
    . . X O .
    X X X O .
    . . X O .
"""


def test_area_counts_stones_and_surrounded_points() -> None:
    game = game_on("""
        . X O .
        . X O .
        . X O O
        . X X O
    """)
    assert game.black_score() == 9 - 7


def test_komi_is_taken_off() -> None:
    game = Game(9, komi=7.5)
    assert game.black_score() == -7.5
    game.play("E5")
    assert game.black_score() == 73.5


def test_neutral_points_belong_to_nobody() -> None:
    board = Board.from_diagram("""
        . X .
        X . O
        . O .
    """)
    assert board.area_owners()[4] is None
    assert board.area_owners()[0] == BLACK
    assert board.area_owners()[8] == WHITE
    assert board.area_score() == 0


@pytest.mark.parametrize(
    ("rules", "score", "without_dead"), [("chinese", 15 - 10, 9 - 11), ("japanese", 8 + 1 - 5, 2 - 5)]
)
def test_dead_stones_are_taken_off_first(rules: str, score: float, without_dead: float) -> None:
    game = game_on(DIVIDED, rules)
    assert game.black_score(dead=["A4"]) == score
    assert game.black_score() == without_dead
    assert game.board.at("A4") == WHITE  # counting changes nothing


def test_a_dead_stone_stands_for_its_chain() -> None:
    game = game_on(
        """
        . O X .
        O O X .
        X X X .
        . . . .
        """,
        "japanese",
    )
    assert game.black_score(dead=["B4"]) == 4 + 7 + 3
    assert game.black_score(dead=["B4", "A3"]) == game.black_score(dead=["B4"])


def test_territory_counts_prisoners() -> None:
    game = game_on(
        """
        . X X .
        X O . .
        . X . .
        . . . .
        """,
        "japanese",
    )
    game.play("C3")
    assert game.captured(BLACK) == 1
    assert game.black_score() == 11 + 1


@pytest.mark.parametrize(("komi", "result"), [(0, "B+25"), (24.5, "B+0.5"), (25, "0"), (26.5, "W+1.5"), (-7, "B+32")])
def test_results_read_as_go_players_write_them(komi: float, result: str) -> None:
    game = Game(5, komi=komi)
    for move in ("C3", "pass", "pass"):
        game.play(move)
    assert game.result() == result


@pytest.mark.parametrize("dead", [["C3"], ["A9"], [25], ["pass"]])
def test_a_dead_point_must_hold_a_stone(dead: list[int | str]) -> None:
    with pytest.raises(ValueError, match=r"no stone|no vertex|no point|pass"):
        Game(5).black_score(dead=dead)


def test_a_chain_with_two_eyes_is_pass_alive() -> None:
    board = Board.from_diagram("""
        . X . X O
        X X X X O
        O O O O O
        . . . . .
        . O . . .
    """)
    stones, regions = board.pass_alive(BLACK)
    assert stones == [1, 3, 5, 6, 7, 8]
    assert regions == [0, 2]
    assert board.pass_alive(WHITE) == ([], [])


def test_one_big_eye_is_not_pass_alive() -> None:
    board = Board.from_diagram("""
        . . . X O
        X X X X O
        O O O O O
        . . . . .
        . . . . .
    """)
    assert board.pass_alive(BLACK) == ([], [])


def test_a_false_eye_is_no_eye() -> None:
    board = Board.from_diagram("""
        . X O O .
        X O . O .
        . X O . .
        X X O . .
        . X O . .
    """)
    assert board.pass_alive(BLACK)[0] == []


def test_chains_may_live_together() -> None:
    # Neither black chain has two eyes of its own; they share both.
    board = Board.from_diagram("""
        . X . X O
        X . X X O
        X X X O O
        O O O O .
        . . . . .
    """)
    stones, regions = board.pass_alive(BLACK)
    assert stones == board.stones(BLACK)
    assert regions == [0, 2, 6]


def test_an_eye_with_a_dead_stone_inside_still_counts() -> None:
    board = Board.from_diagram("""
        . X . O X
        X X X X X
        . . . . .
        O O O O O
        . . . . .
    """)
    stones, regions = board.pass_alive(BLACK)
    assert stones == board.stones(BLACK)
    assert regions == [0, 2, 3]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_pass_alive_agrees_with_the_definition(size: int) -> None:
    found = 0
    for seed in range(60):
        game = Game(size)
        _core.play_out(game, seed, max_moves=2 * size * size + seed)
        stones = tuple(game.diagram().split())
        for color, letter in ((BLACK, oracle.BLACK), (WHITE, oracle.WHITE)):
            living, regions = oracle.pass_alive(stones, letter, size)
            assert game.board.pass_alive(color) == (sorted(living), sorted(regions))
            found += bool(living)
    assert found > 10
