"""Dead, alive or in seki: drawn positions, one fact each."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.go.finished_boards import LOST_STONES, SEKI
from tests.search.evaluators import Uniform
from tesuji import BLACK, PASS, WHITE, Board, Color, Game
from tesuji.features.evaluation import Evaluation, Floats, NetworkInfo
from tesuji.search.endgame.judge import Judgement, eyes_in_seki, judge, judge_by_ownership
from tesuji.search.endgame.ownership import head_ownership, rollout_ownership
from tesuji.search.endgame.passing import before_their_pass, sensible_move
from tesuji.search.search import Search


class Opinion:
    """An evaluator of fixed opinion: this ownership for the board as it lies, and every move alike."""

    name = "opinion"
    planes = "agz-17"
    has_pass = False
    komi_grid: Floats | None = None
    info = NetworkInfo()

    def __init__(self, size: int, owned: Floats | None = None) -> None:
        self.size, self.owned = size, owned

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        count, area = len(planes), self.size * self.size
        policy = np.full((count, area + 1), 1 / area, np.float32)
        owned = None if self.owned is None else np.stack([self.owned] * count)
        return Evaluation(policy, np.full(count, 0.5, np.float32), black_ownership=owned)

    def plays(self, size: int) -> bool:
        return size == self.size


def game_of(diagram: str, rules: str = "chinese") -> Game:
    board = Board.from_diagram(diagram)
    game = Game(size=board.size, komi=7, rules=rules)
    game.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=BLACK)
    return game


def owned_as_area(game: Game, dead: Sequence[str] = ()) -> Floats:
    """What a perfect network says: the area once `dead` are off the board."""
    gone = {Game(game.size).vertex(vertex) for vertex in dead}
    board = game.board
    stones = {color: [p for p in board.stones(color) if game.vertex(p) not in gone] for color in (BLACK, WHITE)}
    after = Game(size=game.size)
    after.setup(black=stones[BLACK], white=stones[WHITE], to_play=BLACK)
    owners: list[Color | None] = after.board.area_owners()
    values = [0.0 if owner is None else 1.0 if owner == BLACK else -1.0 for owner in owners]
    return np.array(values, np.float32).reshape(game.size, game.size)


def vertices(game: Game, points: Sequence[int]) -> set[str]:
    return {game.vertex(point) for point in points}


def judged(diagram: str, dead: Sequence[str] = (), rules: str = "chinese") -> tuple[Game, Judgement]:
    game = game_of(diagram, rules)
    return game, judge_by_ownership(game, owned_as_area(game, dead))


def test_lost_stones_are_dead_and_the_rest_alive() -> None:
    game, judgement = judged(LOST_STONES, dead=["C7", "H4", "J1"])
    assert vertices(game, judgement.dead) == {"C7", "H4", "J1"}
    assert not judgement.seki
    assert len(judgement.alive) == 18


def test_the_score_takes_the_dead_off() -> None:
    game, judgement = judged(LOST_STONES, dead=["C7", "H4", "J1"])
    assert judgement.black_score == 45 - 36 - 7
    assert judgement.result == "B+2"
    assert game.black_score() != judgement.black_score


def test_chains_without_two_eyes_that_nobody_can_attack_are_in_seki() -> None:
    game, judgement = judged(SEKI)
    assert not judgement.dead
    white, black = {"B5", "C5", "B4", "B3", "C3", "B2", "B1", "C1"}, {f"{c}{r}" for c in "DE" for r in range(1, 6)}
    assert vertices(game, judgement.seki) == white | black


def test_a_group_with_its_own_territory_is_not_in_seki() -> None:
    _, judgement = judged(LOST_STONES.replace("X O", ". ."), dead=["C7", "H4", "J1"])
    assert not judgement.seki


def test_the_opening_is_not_a_seki() -> None:
    game = Game(size=9)
    game.play("E5")
    game.play("C3")
    judgement = judge_by_ownership(game, owned_as_area(game))
    assert not judgement.seki
    assert len(judgement.alive) == 2


def test_benson_overrules_the_network() -> None:
    game = game_of(SEKI)
    judgement = judge_by_ownership(game, np.full((9, 9), -1, np.float32))
    assert game.board.stones(BLACK)[0] in judgement.alive  # the chain with two eyes at the top left
    assert "A9" not in vertices(game, judgement.dead)


def test_the_head_is_asked_in_all_symmetries_and_turned_back() -> None:
    game = game_of(LOST_STONES)
    corner = np.zeros((9, 9), np.float32)
    corner[0, 0] = 1.0  # says "the top left" whatever way the board is turned
    owned = head_ownership(game, Opinion(9, corner))
    assert owned is not None
    assert owned[0, 0] == owned[0, 8] == owned[8, 0] == owned[8, 8] == pytest.approx(0.25)
    assert owned.sum() == pytest.approx(1.0)


def test_without_a_head_the_policy_plays_the_game_to_the_end() -> None:
    game = game_of("""
        . X . X O . O
        X X X X O O .
        . X . X O O O
        X X X X O . O
        . . . X O O O
        . O . X O . .
        . . . X O . .
    """)
    assert head_ownership(game, Opinion(7)) is None
    judgement = judge(game, Opinion(7), rollouts=16)
    assert vertices(game, judgement.dead) == {"B2"}
    assert judgement.result == "0"  # 28 points to 21 and komi 7
    assert game.moves == []


def test_where_the_head_is_undecided_the_game_is_played_out() -> None:
    game = game_of("""
        . X . X O . O
        X X X X O O .
        . X . X O O O
        X X X X O . O
        . . . X O O O
        . O . X O . .
        . . . X O . .
    """)
    undecided = Opinion(7, np.full((7, 7), -0.1, np.float32))
    assert vertices(game, judge_by_ownership(game, np.full((7, 7), -0.1, np.float32)).dead) == set()
    assert vertices(game, judge(game, undecided).dead) == {"B2"}


def test_rollouts_know_that_a_ko_may_be_filled_by_its_owner() -> None:
    game = Game(size=5)
    for move in ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"]:
        game.play(move)
    assert not game.is_legal("C2")
    assert rollout_ownership(game, Opinion(5), rollouts=8).shape == (5, 5)


def test_the_passes_at_the_end_do_not_matter() -> None:
    game = game_of(LOST_STONES)
    game.play("pass")
    game.play("pass")
    opinion = Opinion(9, owned_as_area(game, dead=["C7"]))
    assert judge(game, opinion).black_score == pytest.approx(judge(game_of(LOST_STONES), opinion).black_score)
    assert game.is_over


ONE_EYE_EACH = """
    . X . X O . . . .
    X X X X O O O O O
    X X X O . . . . .
    X X X O O O O . .
    O O O X X X O . .
    O O . X X X O . .
    O O O X X X O . .
    O O O X X X O . .
    . O O X . X O . .
"""


def test_groups_in_seki_may_have_an_eye() -> None:
    game, judgement = judged(ONE_EYE_EACH)
    assert {"A5", "D1"} <= vertices(game, judgement.seki)
    assert {"G1", "A6"} <= vertices(game, judgement.alive)


def test_territory_rules_do_not_count_eyes_in_seki() -> None:
    game, judgement = judged(ONE_EYE_EACH, rules="japanese")
    black = [point for point in judgement.seki if game.board.at(point) == BLACK]
    assert eyes_in_seki(game.board, black) == 1
    assert eyes_in_seki(game.board, judgement.seki) == 0
    assert judgement.black_score == game.black_score()


def test_a_point_that_open_dame_ask_to_be_filled_does_not_count_by_territory() -> None:
    """Once White stands at G1, the stone at F1 must be joined."""
    diagram = """
        . . X O . . .
        . . X O . . .
        . . X O O . .
        . . X X O O O
        . . . X X O .
        . . . . X O O
        . . . . . X .
    """
    game, judgement = judged(diagram, rules="japanese")
    assert vertices(game, judgement.protections) == {"E1"}
    assert judgement.black_score == game.black_score() - 1
    assert not judgement.settled
    assert "E1 has to be filled" in judgement.doubts(game.vertex)[-1]
    by_area = judged(diagram, rules="chinese")[1]
    assert by_area.protections == []
    assert by_area.settled


def test_a_stone_that_a_neutral_point_joins_to_its_own_needs_no_protection() -> None:
    """E4 has E3 and the neutral D4, where Black may join it to the others."""
    game, judgement = judged(
        """
        . . X O . . .
        . . X O . . .
        . . X O O O O
        . . X . X O .
        . . X X . X O
        . . . X X X O
        . . . . . X O
        """,
        rules="japanese",
    )
    owners = {str(game.vertex(point)): owner for point, owner in enumerate(judgement.owners)}
    assert owners["D4"] is None
    assert owners["E3"] == BLACK
    assert judgement.protections == []


def test_a_win_by_dead_stones_is_not_a_win_once_they_are_agreed_upon() -> None:
    # White's stone at B2 is dead but keeps Black's corner from counting: as the board stands White leads.
    diagram = """
        . . . . X O .
        . . . . X O O
        . . . . X O .
        . . . . X O O
        . . . . X O .
        . O . . X O O
        . . . . X O .
    """
    for rules, passes_back in (("tromp-taylor", True), ("chinese", False)):
        game = game_of(diagram, rules)
        game.play("pass")
        assert game.black_score() < 0
        owned = owned_as_area(game, dead=["B2"])
        result = Search(Opinion(7), visits=8, batch=1).run(before_their_pass(game))
        result = replace(result, black_ownership=owned)
        assert (sensible_move(game, result) == PASS) == passes_back


def test_their_pass_is_not_searched_where_dead_stones_go_after_the_game() -> None:
    for rules, passes in (("chinese", 0), ("aga", 0), ("tromp-taylor", 1), ("japanese", 1)):
        game = game_of(LOST_STONES, rules)
        game.play("pass")
        position = before_their_pass(game)
        assert (position.passes, position.to_play, position.diagram()) == (passes, WHITE, game.diagram())
        assert game.passes == 1


def test_games_far_from_their_end_do_not_keep_anybody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.search.endgame.ownership.MOST_SECONDS", 0.3)
    began = time.monotonic()
    owned = rollout_ownership(Game(size=25), Uniform(), rollouts=8)
    assert owned.shape == (25, 25)
    assert time.monotonic() - began < 20
