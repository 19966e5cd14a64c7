"""The built-in networks judge as players expect."""

import numpy as np
import pytest

import tesuji
from tesuji import BLACK, WHITE, Game

SETTLED = """
    X X X X X O O O O
    X . X X X O O . O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X X X X X O O O O
    X . X X X O O . O
    X X X X X O O O O
"""


def judged(game: Game, komi: list[float]) -> np.ndarray:
    """Black's win probability at each komi."""
    evaluate = tesuji.load("default-9x9")
    games = []
    for points in komi:
        games.append(game.copy())
        games[-1].komi = points
    value = evaluate(tesuji.encode(games, evaluate.planes), komi).value
    return value if game.to_play == BLACK else 1 - value


def test_the_win_rate_of_the_empty_board_falls_with_komi() -> None:
    black = judged(Game(size=9), [k / 2 for k in range(-40, 81)])
    assert (np.diff(black) <= 1e-6).all()
    assert black[0] > 0.9
    assert black[-1] < 0.1


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_a_settled_board_is_counted(to_play: tesuji.Color) -> None:
    stones = "".join(SETTLED.split())
    black, white = ([i for i, stone in enumerate(stones) if stone == kind] for kind in "XO")
    game = Game(size=9)
    game.setup(black=black, white=white, to_play=to_play)
    assert game.board.area_score() == 9
    wins, loses = judged(game, [9 - 4, 9 + 4])
    assert wins > 0.8
    assert loses < 0.2
