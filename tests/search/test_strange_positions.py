"""Positions that rules lawyers ask about, judged and played by the shipped network: an answer people understand."""

import re

import pytest

import tesuji
from tesuji import BLACK, WHITE, Board, Evaluator, Game, InputError
from tesuji.search.endgame.judge import judge
from tesuji.search.players import SearchPlayer

NO_STONES = "\n".join([". " * 9] * 9)
# One stone each in the middle of nowhere: nobody lives.
BOTH_DEAD = """
    . . . . . . . . .
    . . . X O . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
# Three black stones in the corner that White can never be forced to capture.
BENT_FOUR = """
    . X X X O . X O .
    X . X O O X X O O
    X X X O . O O O .
    X X O O O O . O O
    X O O . O . O O O
    X O . O O O O . O
    X O O O X X O O O
    X X X X X X X X X
    . X . X . X . X .
"""
# Three kos in the upper half, none of which can be settled.
TRIPLE_KO = """
    . X O . O . X O .
    X O . O . X O . O
    . X O O X X X O .
    X X X O O X O O O
    . X . X O X X X O
    X . X X O O O X X
    X X X O O . O O X
    O O O O . O . O X
    . O . O O . O O X
"""
SEKI_WITH_EYES = """
    . X O . O O . X .
    X X O O O X X X X
    O O O X X X . X .
    X X X X . X X X X
    . X . X X X . X .
    O O O O O O O O O
    . O . O . O . O .
    O . O O O . O O O
    . O . O . O O . O
"""
STRANGE = {
    "no stones": NO_STONES, "both dead": BOTH_DEAD, "bent four": BENT_FOUR, "triple ko": TRIPLE_KO,
    "seki with eyes": SEKI_WITH_EYES,
}  # fmt: skip


@pytest.fixture(scope="module")
def evaluate() -> Evaluator:
    return tesuji.load("default-9x9")


def game_of(diagram: str, rules: str) -> Game:
    board = Board.from_diagram(diagram)
    game = Game(size=9, rules=rules)
    game.setup(black=list(board.stones(BLACK)), white=list(board.stones(WHITE)))
    return game


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("name", STRANGE)
def test_a_result_doubts_in_words_and_a_move_that_may_be_played(name: str, rules: str, evaluate: Evaluator) -> None:
    game = game_of(STRANGE[name], rules)
    judgement = judge(game, evaluate)
    assert re.fullmatch(r"0|[BW]\+\d+(\.5)?", judgement.result)
    assert all(re.search(r"still to be played|neither alive nor dead", text) for text in judgement.doubts(game.vertex))
    assert game.is_legal(SearchPlayer(evaluate, visits=4).move(game).move)


@pytest.mark.parametrize("diagram", [NO_STONES, BOTH_DEAD])
def test_a_board_on_which_nobody_lives_is_the_komi_and_said_to_be_open(diagram: str, evaluate: Evaluator) -> None:
    game = game_of(diagram, "chinese")
    judgement = judge(game, evaluate)
    assert judgement.result == f"W+{game.komi:g}"
    assert not judgement.settled


def test_kos_that_nobody_can_settle_are_told(evaluate: Evaluator) -> None:
    game = game_of(TRIPLE_KO, "chinese")
    judgement = judge(game, evaluate)
    assert not judgement.settled
    assert any("is neither alive nor dead yet" in text for text in judgement.doubts(game.vertex))


def test_a_komi_nobody_could_ever_win_back(evaluate: Evaluator) -> None:
    game = Game(size=9, komi=361, rules="chinese")
    player = SearchPlayer(evaluate, visits=4)
    for _ in range(4):
        game.play(player.move(game).move)
    assert judge(game, evaluate).black_score < -200


def test_two_hundred_handicap_stones_are_refused_in_words() -> None:
    with pytest.raises(InputError, match="a fixed handicap on 19x19 has 2 to 9 stones, not 200"):
        Game(size=19).place_handicap(200)
