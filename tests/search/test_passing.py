"""Passing and the count: dead stones that are still on the board decide games where nobody takes them off."""

import dataclasses

import pytest

import tesuji
from tests.search.evaluators import Uniform
from tests.search.test_solved import position
from tesuji import BLACK, PASS, WHITE, Color, Game, SearchPlayer
from tesuji.search.endgame.passing import before_their_pass, sensible_move, wants_look
from tesuji.search.players import RandomPlayer
from tesuji.search.search import Search

# Two games of a learning run, at its last pass. One side's area by Benson is enough to win, but the stones let in there
# and the neutral points beside them outweigh it while they stand.
FILLED_BY_WHITE = """
    O O O O . X O
    X X X X X X .
    O . X X X . X
    X X . X . X O
    O X . X X O O
    O X X O X X O
    O O O O O O .
"""
FILLED_BY_BLACK = """
    X X X X X X X
    X X X O X O .
    O O O O O . O
    X O . O . O X
    X O O O O O X
    X X X O X X X
    X X X X . . .
"""
FILLED = [(FILLED_BY_WHITE, BLACK), (FILLED_BY_BLACK, WHITE)]


def lead(game: Game, color: Color) -> float:
    return game.black_score() if color == BLACK else -game.black_score()


@pytest.mark.parametrize(("diagram", "alive"), FILLED)
def test_owning_the_board_is_no_reason_to_pass_when_the_count_is_lost(diagram: str, alive: Color) -> None:
    game = position(diagram, alive, komi=7.5)
    assert lead(game, alive) < 0
    stones, regions = game.board.pass_alive(alive)
    assert 2 * len({*stones, *regions}) - 49 > 7.5
    result = Search(Uniform(), visits=30).run(game)
    move = sensible_move(game, result)
    assert move != PASS


@pytest.mark.parametrize(("diagram", "alive"), FILLED)
def test_what_was_let_in_is_captured_again(diagram: str, alive: Color) -> None:
    game = position(diagram, alive, komi=7.5)
    player, filler = SearchPlayer(Uniform(), visits=30), RandomPlayer(seed=1)
    while not game.is_over and game.move_count < 100:
        game.play((player if game.to_play == alive else filler).move(game).move)
    assert game.is_over
    assert lead(game, alive) > 0


ROOM_TO_FILL = """
    X X X X X X X
    X X X X X X .
    . X O . O O O
    O O O O O . O
    X O . O . O .
    . . . O O O .
    . . . . . . .
"""


@pytest.mark.parametrize("seed", range(3))
def test_passing_while_he_fills_never_costs_the_game(seed: int) -> None:
    """Black plays on in White's area for as long as he can; every pass of White's leaves a board that is won."""
    game = position(ROOM_TO_FILL, WHITE, komi=7.5)
    player = SearchPlayer(Uniform(), visits=30)
    filler = RandomPlayer(seed) if seed else SearchPlayer(Uniform(), visits=40, batch=1)
    while not game.is_over and game.move_count < 300:
        move = (player if game.to_play == WHITE else filler).move(game).move
        assert move != PASS or game.to_play == BLACK or game.black_score() < 0
        game.play(move)
    assert game.is_over
    assert game.black_score() < 0


TWO_ROOMS = """
    . X . . X O .
    X X X X X X X
    X X X X X X X
    O O O O O O O
    . O O O O O .
    O O O O O O O
    O O O O O O O
"""


def test_only_the_part_with_the_dead_stone_is_worth_a_move() -> None:
    """The room at C7 and D7 is clean: to fill it captures nothing, and ends as an eye given away."""
    game = position(TWO_ROOMS, BLACK, komi=-6.5)
    assert game.black_score() < 0
    result = Search(Uniform(), visits=200).run(game)
    for favourite in ("C7", "D7", "A7"):
        wished = next(move for move in result.moves if str(game.vertex(move.move)) == favourite)
        swayed = dataclasses.replace(result, move=wished.move)
        assert str(game.vertex(sensible_move(game, swayed))) == "G7"


# Two games of people by Japanese rules, at Black's last pass: the network wanted C3 and J8, in White's own ground.
DECIDED = [
    """
    . . . O O O X . .
    . . O . O X . . .
    . . O . O X X . .
    . . . O X O . . .
    . . . O X X X . .
    . . . O O X . . .
    . . . O X . X . .
    . . O X X . X . .
    . . O O X X . . .
    """,
    """
    . X O O O O . O .
    . . X X O . O . .
    . X . X X O O O X
    . X . X O X X X .
    . X . X O O O . .
    . . X . X X O . .
    . . X . X X O . .
    . . X . X O . O .
    . . X . X O . . .
    """,
]


@pytest.mark.parametrize("diagram", DECIDED)
def test_a_pass_is_answered_where_all_territory_is_decided(diagram: str) -> None:
    game = position(diagram, BLACK, komi=5.5, rules="japanese")
    game.play(PASS)
    result = Search(tesuji.load("default-9x9", precision="fp32"), visits=1).run(game)
    assert sensible_move(game, result) == PASS


# Against GNU Go, Black to move: three White stones at the bottom are dead, and as the board stands they win the game.
DEAD_LEFT_STANDING = """
    . . O X X O O . .
    . O O X X O . O .
    . O X . X X O O O
    . O X X . . X X O
    O O O X X X X O O
    X O X X . . X X O
    X X X O . . . X X
    . . X . O . O . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(("agreed", "passes"), [(True, True), (False, False)])
def test_a_pass_is_answered_with_dead_stones_on_the_board_where_they_are_agreed_upon(
    agreed: bool, passes: bool
) -> None:
    game = position(DEAD_LEFT_STANDING, WHITE, komi=6.5, rules="chinese")
    game.play(PASS)
    assert game.black_score() < 0
    result = Search(tesuji.load("default-9x9", precision="fp32"), visits=20).run(before_their_pass(game))
    assert (sensible_move(game, result, agreed=agreed) == PASS) is passes


KO_LEFT_OPEN = """
    . . . . . . . . .
    . . . . . . . . .
    O O . O . X . O .
    X O O . . . . . O
    X X O . X O O O .
    . X O O O O X X O
    . X X X O X . X X
    . . . X X X X . .
    . . . . . . . . .
"""


def test_a_ko_is_filled_before_a_pass_is_answered() -> None:
    game = position(KO_LEFT_OPEN, BLACK, komi=6.5, rules="japanese")
    game.play(PASS)
    result = Search(tesuji.load("default-9x9", precision="fp32"), visits=1).run(game)
    assert str(game.vertex(sensible_move(game, result))) == "J5"


# Against GNU Go, Black to move: at the root the network doubts White's corner, the search alone finds it decided.
NOTHING_BUT_FILLING = """
    . . . . . . . . .
    . O . X . X O X X
    . . O . . X X O X
    X O X X X X O O O
    . X X O X O . . O
    . . X O O O O O .
    X X X X X O O . .
    X O X O O . . . .
    X O O O . O . . .
"""


def test_passing_is_looked_at_before_own_ground_is_filled() -> None:
    game = position(NOTHING_BUT_FILLING, BLACK, komi=6.5, rules="japanese")
    evaluate = tesuji.load("default-9x9", precision="fp32")
    result = Search(evaluate, visits=100).run(game)
    assert wants_look(game, result)
    assert sensible_move(game, result) != PASS
    assert SearchPlayer(evaluate, visits=100).move(game).move == PASS
