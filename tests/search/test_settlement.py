"""The end of the game by who owns the points: what is left to play, when to pass, and what the judge is not sure of."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.search.evaluators import Uniform
from tests.search.test_solved import position
from tesuji import BLACK, PASS, WHITE, Color, Game, Search, SearchPlayer, SearchResult
from tesuji._core import play_out
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.go.coordinates import parse_vertex
from tesuji.search.endgame.judge import judge_by_ownership
from tesuji.search.endgame.passing import SHARE, sensible_move
from tesuji.search.endgame.resigning import Resigning, ResignOptions
from tesuji.search.endgame.settlement import Settlement

FINISHED = """
    . . X O . . .
    . . X O . . .
    . . X O O O O
    . X X X X X O
    . X O O O X X
    . X O . O X .
    . X O O O X .
"""
DAME = """
    . . X . O . .
    . . X O . O .
    . . X O O O .
    . . X X O . .
    . . . X O O O
    . . . X X X X
    . . . . . . .
"""
OPEN = """
    . . X O . . .
    . . X O . . .
    . . X O . . .
    . . . . . . .
    . . X O . . .
    . . X O . . .
    . . X O . . .
"""


def owned_by(diagram: str) -> Floats:
    """Who owns what, drawn: X and O for sure, x and o by and large, . nobody."""
    worth = {"X": 1.0, "O": -1.0, "x": 0.5, "o": -0.5, ".": 0.0}
    return np.array([[worth[letter] for letter in row.split()] for row in diagram.strip().splitlines()], np.float32)


FINISHED_OWNERS = owned_by("""
    X X X O O O O
    X X X O O O O
    X X X O O O O
    X X X X X X O
    X X X X X X X
    X X X X X X X
    X X X X X X X
""")
DAME_OWNERS = owned_by("""
    X X X . O O O
    X X X O O O O
    X X X O O O O
    X X X X O O O
    X X X X O O O
    X X X X X X X
    X X X X X X X
""")
OPEN_OWNERS = owned_by("""
    X X X O O O O
    X X X O O O O
    X X X O O O O
    X X x . o O O
    X X X O O O O
    X X X O O O O
    X X X O O O O
""")


class Knows(Uniform):
    """Knows who owns what, and likes one point best of all; the value is that of the count."""

    def __init__(self, owners: Floats, favourite: int, lead: float) -> None:
        self.owners, self.favourite, self.lead = owners, favourite, lead

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        said.policy[:] = 0.1 / (said.policy.shape[1] - 1)
        said.policy[:, self.favourite] = 0.9
        black = 0.97 if self.lead > 0 else 0.03
        value = np.where(planes[:, 0, 0, 0] > 0, black, 1 - black).astype(np.float32)
        scores, owners = np.full(len(planes), self.lead, np.float32), np.tile(self.owners, (len(planes), 1, 1))
        return Evaluation(said.policy, value, scores, owners)


def after_a_pass(diagram: str, to_play: Color, rules: str, komi: float) -> Game:
    game = position(diagram, to_play.opponent, komi=komi)
    game.rules = rules
    game.play(PASS)
    return game


def answer(game: Game, owners: Floats, favourite: str, lead: float) -> str:
    knows = Knows(owners, parse_vertex(favourite, game.size), lead)
    player = SearchPlayer(knows, visits=40, batch=1, prove=False, symmetry="none")
    return str(game.vertex(player.move(game).move))


def test_nothing_is_left_but_what_is_drawn() -> None:
    finished = Settlement.of(position(FINISHED, BLACK).board, FINISHED_OWNERS)
    assert finished.finished
    assert not finished.dame
    assert sorted(finished.dead) == [30, 31, 32, 37, 39, 44, 45, 46]
    dame = Settlement.of(position(DAME, BLACK).board, DAME_OWNERS)
    assert dame.finished
    assert dame.dame == {3}
    open_board = Settlement.of(position(OPEN, BLACK).board, OPEN_OWNERS)
    assert not open_board.finished
    assert open_board.open_borders == [{23, 24, 25}]


def test_ground_that_one_colour_surrounds_is_no_open_border() -> None:
    """A network is less than sure of single points deep inside; nobody can play there."""
    owners = FINISHED_OWNERS.copy()
    owners[0, 0] = 0.6
    assert Settlement.of(position(FINISHED, BLACK).board, owners).finished
    owners[0:3, 0:2] = 0.2
    assert not Settlement.of(position(FINISHED, BLACK).board, owners).finished


@pytest.mark.parametrize("rules", ["japanese", "chinese", "korean", "aga"])
@pytest.mark.parametrize(("to_play", "favourite"), [(BLACK, "A7"), (BLACK, "E6"), (WHITE, "F7"), (WHITE, "A2")])
def test_a_pass_is_answered_with_a_pass_when_nothing_gains(rules: str, to_play: Color, favourite: str) -> None:
    """The network would fill its own ground (A7, F7) or throw a stone into the other's (E6, A2)."""
    game = after_a_pass(FINISHED, to_play, rules, komi=0.5)
    assert answer(game, FINISHED_OWNERS, favourite, lead=22) == "pass"


def test_unprompted_too() -> None:
    game = position(FINISHED, BLACK, komi=0.5)
    game.rules = "japanese"
    assert answer(game, FINISHED_OWNERS, "A7", lead=22) == "pass"


def test_dame_are_played_where_they_count() -> None:
    assert answer(after_a_pass(DAME, BLACK, "chinese", komi=15.5), DAME_OWNERS, "D7", lead=14) == "D7"
    assert answer(after_a_pass(DAME, BLACK, "japanese", komi=0.5), DAME_OWNERS, "A1", lead=5) == "pass"


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
@pytest.mark.parametrize(("hope", "move"), [(0.14, "pass"), (0.5, "E6")])
def test_nobody_invades_without_hope_what_is_counted_and_lost(hope: float, move: str, rules: str) -> None:
    game = position(FINISHED, BLACK, komi=40.5)
    game.rules = rules
    knows = Knows(FINISHED_OWNERS, parse_vertex("E6", 7), -18)
    result = Search(knows, visits=40, batch=1, prove=False, symmetry="none").run(game, pass_share=SHARE)
    moves = tuple(replace(each, value=0.01 if each.move == PASS else hope) for each in result.moves)
    hoping = replace(result, value=hope, moves=moves)
    assert str(game.vertex(sensible_move(game, hoping))) == move


def test_an_open_border_is_no_place_to_pass() -> None:
    assert answer(after_a_pass(OPEN, BLACK, "japanese", komi=0.5), OPEN_OWNERS, "D4", lead=5) == "D4"


def test_the_judge_says_what_he_is_not_sure_of() -> None:
    game = position(OPEN, BLACK, komi=0.5)
    judged = judge_by_ownership(game, OPEN_OWNERS)
    assert not judged.settled
    assert judged.doubts(game.vertex) == ["the border at C4, D4, E4 is open: still to be played"]
    doubtful = FINISHED_OWNERS.copy()
    doubtful[4:, 2:5] = -0.2
    game = position(FINISHED, BLACK, komi=0.5)
    said = judge_by_ownership(game, doubtful).doubts(game.vertex)
    assert "the group at C3 is neither alive nor dead yet" in said
    assert judge_by_ownership(game, FINISHED_OWNERS).settled


def told(value: float, black_score: float | None, moves: int = 60) -> tuple[Game, SearchResult]:
    """A 9x9 game after many moves, and a search whose chosen move is worth this to Black."""
    game = Game(size=9, komi=7)
    play_out(game, seed=4, max_moves=moves)
    while game.to_play != BLACK or game.is_over:
        game.undo()
    result = Search(Uniform(), visits=4).run(game)
    chosen = replace(result.chosen, value=value, black_score=black_score, visits=2, proven=None)
    others = tuple(move for move in result.moves if move.move != result.move)
    return game, replace(result, moves=(chosen, *others))


def asked(patience: Resigning, game: Game, result: SearchResult, times: int = 3) -> list[bool]:
    """What a player says of giving up at turns in a row, at each of which the search finds the same."""
    said = []
    for _ in range(times):
        said.append(patience.gives_up(game, result))
        play_out(game, seed=1, max_moves=2)
    return said


@pytest.mark.parametrize(
    ("value", "black_score", "gives_up"),
    [
        (0.02, None, True),
        (0.02, -12.0, True),
        (0.09, -20.0, True),  # far behind: the win rate is slow to follow
        (0.09, -8.0, False),
        (0.02, -3.0, False),  # a few points: the endgame may turn it
        (0.30, -20.0, False),
    ],
)
def test_a_game_is_given_up_by_win_rate_and_score(value: float, black_score: float | None, gives_up: bool) -> None:
    game, result = told(value, black_score)
    patience = Resigning(ResignOptions(threshold=0.05, moves=3))
    assert asked(patience, game, result) == [False, False, gives_up]


@pytest.mark.parametrize("moves", [10, 46])
def test_nobody_gives_up_before_the_fights_are_over(moves: int) -> None:
    game, result = told(0.01, -30.0, moves)
    patience = Resigning(ResignOptions())
    assert not any(patience.gives_up(game, result) for _ in range(6))


@pytest.mark.parametrize(("firmness", "gives_up"), [(0.95, True), (0.5, False)])
def test_who_is_behind_by_more_than_is_in_doubt_gives_up_though_the_win_rate_lags(
    firmness: float, gives_up: bool
) -> None:
    game, result = told(0.25, -30.0)
    owned = replace(result, black_ownership=np.full((9, 9), -firmness, np.float32))
    patience = Resigning(ResignOptions())
    assert asked(patience, game, owned) == [False, False, gives_up]


@pytest.mark.parametrize(("firmness", "gives_up"), [(0.92, True), (0.88, False), (0.8, False)])
def test_nobody_gives_up_who_is_behind_by_little_more_than_is_in_doubt(firmness: float, gives_up: bool) -> None:
    game, result = told(0.01, -12.0)
    owned = replace(result, black_ownership=np.full((9, 9), -firmness, np.float32))
    patience = Resigning(ResignOptions())
    assert asked(patience, game, owned) == [False, False, gives_up]


def test_a_question_asked_again_is_not_another_turn() -> None:
    """As `reg_genmove` asks, and a client that takes a move back."""
    game, result = told(0.02, -12.0)
    patience = Resigning(ResignOptions())
    assert not any(patience.gives_up(game, result) for _ in range(6))
    play_out(game, seed=1, max_moves=2)
    assert asked(patience, game, result, 2) == [False, True]


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("firmness", [0.95, 0.6])
def test_nobody_gives_up_what_is_rather_won_however_early_told_to(threshold: float, firmness: float) -> None:
    for value, gives_up in ((0.51, False), (0.19, True)):
        game, result = told(value, -70.0)
        owned = replace(result, black_ownership=np.full((9, 9), -firmness, np.float32))
        assert asked(Resigning(ResignOptions(threshold=threshold)), game, owned) == [False, False, gives_up]


def test_who_never_gives_up_never_does() -> None:
    game, result = told(0.0, -81.0)
    assert not any(asked(Resigning(ResignOptions(threshold=0)), game, result))


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_a_win_rate_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match="it must be a win rate from 0, never, to 1"):
        ResignOptions(threshold=threshold)
