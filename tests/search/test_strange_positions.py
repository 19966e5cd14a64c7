"""Positions that rules lawyers ask about, judged and played by the shipped networks: an answer people understand.

Scores and dead stones of the settled ones are GNU Go's too.
"""

import pytest

import tesuji
from tesuji import BLACK, PASS, WHITE, Board, Color, Evaluator, Game, InputError
from tesuji.search.endgame.judge import judge
from tesuji.search.players import SearchPlayer

NO_STONES = "\n".join([". " * 9] * 9)
# Three white stones and two black ones in the other's ground.
BOTH_DEAD = """
    . . . . X O . . .
    . O O . X O . X .
    . . O . X O . X .
    . . . . X O . . .
    X X X X X O O O O
    . X . X O O . O .
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O .
"""
# White cannot touch the three stones in the corner; Black gives them and a fourth whenever he likes, and it is ko.
BENT_FOUR = """
    X X . O X X . X .
    X O O O X . X X X
    . O X X X X X . X
    O O X . X . X X X
    X X X X X X X . X
    X . X X X X X X X
    X X X X X X X X X
    O O O O O O O O O
    O . O . O O . O .
"""
# Nobody has an eye, and each side saves itself by taking one of three kos.
TRIPLE_KO = """
    X X X X O O O O O
    X X X O . O O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X . X O O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X . X O O O O
    X X X X O O O O O
"""
# The corner has A9 and White E9; who plays C9 between them is taken.
SEKI_WITH_EYES = """
    . X . O . O X . X
    X X O O O O X X X
    O O O X X X X . X
    X X X X . X X X X
    . X . X X X . X .
    X X X X X X X X X
    O O O O O O O O O
    . O . O O O . O .
    O O O O . O O O O
"""
STRANGE = {
    "no stones": NO_STONES, "both dead": BOTH_DEAD, "bent four": BENT_FOUR, "triple ko": TRIPLE_KO,
    "seki with eyes": SEKI_WITH_EYES,
}  # fmt: skip


@pytest.fixture(scope="module")
def evaluate() -> Evaluator:
    return tesuji.load("default-9x9")


def game_of(diagram: str, rules: str, komi: float | None = None) -> Game:
    board = Board.from_diagram(diagram)
    game = Game(size=9, rules=rules) if komi is None else Game(size=9, rules=rules, komi=komi)
    game.setup(black=list(board.stones(BLACK)), white=list(board.stones(WHITE)))
    return game


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("name", STRANGE)
def test_a_move_that_may_be_played(name: str, rules: str, evaluate: Evaluator) -> None:
    game = game_of(STRANGE[name], rules)
    assert game.is_legal(SearchPlayer(evaluate, visits=4).move(game).move)


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("diagram", [BENT_FOUR, SEKI_WITH_EYES])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("after_a_pass", [False, True])
def test_nobody_gives_his_stones_away_where_nothing_can_be_gained(
    diagram: str, rules: str, to_play: Color, after_a_pass: bool, evaluate: Evaluator
) -> None:
    """Neither who has lost, by a move into his own seki, nor who has the bent four, or whose it is."""
    game = game_of(diagram, rules)
    game.to_play = to_play.opponent if after_a_pass else to_play
    if after_a_pass:
        game.play(PASS)
    assert SearchPlayer(evaluate, visits=16).move(game).move == PASS


@pytest.mark.parametrize(
    ("diagram", "rules", "result", "dead"),
    [
        (BOTH_DEAD, "chinese", "W+6", "B8 C8 H8 C7 H7"),
        (BOTH_DEAD, "japanese", "W+2.5", "B8 C8 H8 C7 H7"),
        (BENT_FOUR, "chinese", "B+38", "D9 B8 C8 D8 B7 A6 B6"),
        (BENT_FOUR, "japanese", "B+13.5", "D9 B8 C8 D8 B7 A6 B6"),
        (SEKI_WITH_EYES, "chinese", "W+1", ""),
        (SEKI_WITH_EYES, "japanese", "W+4.5", ""),
    ],
)
def test_settled_boards_are_counted_as_players_do(
    diagram: str, rules: str, result: str, dead: str, evaluate: Evaluator
) -> None:
    game = game_of(diagram, rules)
    judgement = judge(game, evaluate)
    assert judgement.result == result
    assert [str(game.vertex(point)) for point in judgement.dead] == dead.split()
    assert judgement.doubts(game.vertex) == []


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_a_seki_with_eyes_is_told_as_one(rules: str, evaluate: Evaluator) -> None:
    game = game_of(SEKI_WITH_EYES, rules)
    seki = {str(game.vertex(point)) for point in judge(game, evaluate).seki}
    assert seki == {"B9", "A8", "B8", "D9", "F9", "C8", "D8", "E8", "F8", "A7", "B7", "C7"}


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_a_board_without_stones_is_the_komi_and_said_to_be_open(rules: str, evaluate: Evaluator) -> None:
    game = game_of(NO_STONES, rules)
    judgement = judge(game, evaluate)
    assert judgement.result == f"W+{game.komi:g}"
    assert judgement.doubts(game.vertex) == ["the border at A9, B9, C9, D9 is open: still to be played"]


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_kos_that_nobody_can_settle_are_told(rules: str, evaluate: Evaluator) -> None:
    game = game_of(TRIPLE_KO, rules)
    judgement = judge(game, evaluate)
    assert not judgement.settled
    told = {f"the group at {ko} is neither alive nor dead yet" for ko in ("D8", "E5", "E2")}
    assert told.intersection(judgement.doubts(game.vertex))


def test_a_komi_nobody_could_ever_win_back(evaluate: Evaluator) -> None:
    game = game_of(BOTH_DEAD, "chinese", komi=361)
    assert judge(game, evaluate).result == "W+360"
    opening, player = Game(size=9, komi=361, rules="chinese"), SearchPlayer(evaluate, visits=4)
    for _ in range(4):
        opening.play(player.move(opening).move)
    assert len(opening.moves) == 4


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("visits", [1, 12])
def test_no_game_ends_with_its_first_moves(rules: str, visits: int, evaluate: Evaluator) -> None:
    """Five stones own the whole of 9x9 as the network sees it, and one stone does by the bare count."""
    player = SearchPlayer(evaluate, visits=visits)
    handicap = Game(size=9, komi=0.5, rules=rules)
    handicap.place_handicap(5)
    for _ in range(6):
        move = player.move(handicap).move
        assert move != PASS
        handicap.play(move)
    slip = Game(size=9, rules=rules)
    slip.play("E5")
    slip.play(PASS)
    assert player.move(slip).move != PASS


def test_two_hundred_handicap_stones_are_refused_in_words() -> None:
    with pytest.raises(InputError, match="a fixed handicap on 19x19 has 2 to 9 stones, not 200"):
        Game(size=19).place_handicap(200)


def test_two_hundred_stones_set_up_by_hand_own_the_board() -> None:
    stones = [point for point in range(361) if point // 19 % 2 == 0 or point % 19 % 2 == 0][:200]
    game = Game(size=19, komi=0.5, rules="chinese")
    game.setup(black=stones, to_play=WHITE)
    judgement = judge(game, tesuji.load("default-19x19"))
    assert judgement.result == "B+360.5"
    assert judgement.dead == []
