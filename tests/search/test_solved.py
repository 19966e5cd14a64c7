"""Truths a search must find by itself, with and without the transposition table."""

import numpy as np
import pytest

from tests.search.evaluators import Uniform
from tesuji import BLACK, WHITE, Board, Color, Game, Search
from tesuji._core import Restriction
from tesuji.features.evaluation import Evaluation, Evaluator, Floats


class Stones(Uniform):
    """No priors, but whoever has more stones is ahead."""

    def __call__(self, planes: Floats, komi: object) -> Evaluation:
        lead = planes[:, 11].sum((1, 2)) - planes[:, 12].sum((1, 2))
        return Evaluation(super().__call__(planes, [7.5]).policy, (1 / (1 + np.exp(-lead / 3))).astype(np.float32))


def position(diagram: str, to_play: Color, komi: float = 0.5, rules: str = "chinese") -> Game:
    board = Board.from_diagram(diagram)
    game = Game(size=board.size, komi=komi, rules=rules)
    game.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=to_play)
    return game


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_three_by_three_is_blacks_by_nine(rules: str) -> None:
    game = Game(size=3, komi=8.5, rules=rules)
    result = Search(Uniform(), visits=60_000, batch=8, c=0.3, transpositions="position").run(game)
    assert game.vertex(result.move) == "B2"
    assert result.value > 0.85
    game.komi = 9.5
    lost = Search(Uniform(), visits=60_000, batch=8, c=0.3, transpositions="position").run(game)
    assert lost.value < 0.3


CAPTURE = """
    . X X O O
    X X X O O
    X X X O O
    X X X O O
    X X X O .
"""
THREE_IN_THE_CORNER = """
    . . . X O
    X X X X O
    O O O O O
    O . O O O
    O O . O .
"""
LADDER = """
    . . . . .
    . X O . .
    . . X . .
    . . . . .
    . . . . .
"""
KO = """
    . X O . O
    X . X O O
    X X X O .
    X X O O O
    . X O . O
"""


@pytest.mark.parametrize("transpositions", ["none", "position", "history"])
@pytest.mark.parametrize(
    ("diagram", "to_play", "komi", "evaluate", "best"),
    [
        (CAPTURE, BLACK, 0.5, Uniform(), "E1"),
        (CAPTURE, WHITE, 0.5, Uniform(), "A5"),
        (THREE_IN_THE_CORNER, WHITE, -10.5, Uniform(), "B5"),
        (THREE_IN_THE_CORNER, BLACK, -10.5, Uniform(), "B5"),
        (LADDER, BLACK, 0.5, Stones(), "D4"),
        (KO, BLACK, 0.5, Uniform(), "D5"),
    ],
    ids=["capture", "capture-back", "kill", "live", "ladder", "ko"],
)
def test_same_right_move_however_positions_are_shared(
    diagram: str, to_play: Color, komi: float, evaluate: Evaluator, best: str, transpositions: str
) -> None:
    game = position(diagram, to_play, komi)
    result = Search(evaluate, visits=20_000, batch=8, c=0.3, transpositions=transpositions).run(game)
    assert game.vertex(result.move) == best


def test_a_proof_ends_the_search_and_is_final() -> None:
    game = position(THREE_IN_THE_CORNER, BLACK, komi=-10.5)
    result = Search(Uniform(), visits=50_000, batch=8, c=0.3, transpositions="none").run(game)
    assert result.chosen.proven is True
    assert result.root_visits < 10_000
    plain = Search(Uniform(), visits=20_000, batch=8, c=0.3, prove=False).run(game)
    assert plain.move == result.move
    assert plain.chosen.proven is None


def test_a_lost_position_is_told_lost() -> None:
    game = Game(size=2, komi=-10.5)  # whatever White does on 2x2, the komi decides
    game.to_play = WHITE
    result = Search(Uniform(), visits=50_000, batch=8, c=0.3).run(game)
    assert result.root_visits < 5_000
    assert all(move.proven is False for move in result.moves)
    assert game.is_legal(result.move)


def test_analysis_may_forbid_the_move_that_wins_for_certain() -> None:
    game = position(THREE_IN_THE_CORNER, BLACK, komi=-10.5)
    search = Search(Uniform(), visits=50_000, batch=8, c=0.3, transpositions="none")
    proven = search.run(game)
    assert proven.chosen.proven is True
    avoid = Restriction(BLACK, [proven.move], allow=False, until_depth=1, size=5)
    other = search.run(game, visits=proven.root_visits + 200, restrictions=[avoid])
    assert proven.move not in other.visits
    assert other.descents > 0
