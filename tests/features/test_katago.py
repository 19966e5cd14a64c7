"""KataGo's inputs: the fast encoder against a plain one under all rules, and drawn facts."""

import random

import numpy as np
import pytest

import tesuji
from tests.features import slow_katago
from tests.features.slow_katago import SlowGame
from tests.features.slow_ladders import TooDeepError
from tesuji import BLACK, PASS, WHITE, Board, Game, PlaneSet
from tesuji._core import vertex_text

V7 = PlaneSet.named("katago-v7")
NAMES = list(V7.channel_names)
RULES = {
    "tromp-taylor": ("positional", True, False),
    "chinese": ("positional", False, False),
    "aga": ("situational", False, False),
    "new-zealand": ("situational", True, False),
    "japanese": ("simple", False, True),
    "korean": ("simple", False, True),
}


def plane(game: Game, name: str) -> np.ndarray:
    return np.asarray(tesuji.encode([game], V7)[0, NAMES.index(name)])


def number(game: Game, name: str) -> float:
    channel = plane(game, name)
    assert channel.min() == channel.max()
    return float(channel[0, 0])


def places(game: Game, name: str) -> set[str]:
    return {vertex_text(int(point), game.size) for point in np.flatnonzero(plane(game, name))}


def random_move(game: Game, slow: SlowGame, rng: random.Random, passing: float) -> int:
    points = [point for point in game.legal_moves() if point != PASS]
    if game.move_count % 2:  # eyes are filled half of the time: there are dead stones and kos, and life too
        points = [point for point in points if not game.board.is_eye(point, game.to_play)]
    if not points or rng.random() < passing:
        return int(PASS)
    recent = [place for _, place in slow.turns[:4] if place is not None]
    near = [p for p in points if any(abs(p // game.size - r) + abs(p % game.size - c) <= 2 for r, c in recent)]
    return rng.choice(near if near and rng.random() < 0.6 else points)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("size", "games"), [(4, 3), (5, 2), (7, 1), (9, 1)])
def test_fast_inputs_equal_the_slow_ones(size: int, games: int, rules: str) -> None:
    rng = random.Random(f"{size}{rules}")
    compared = skipped = 0
    for _ in range(games):
        komi = rng.choice([0.0, 0.5, 6.5, 7.0, -3.5, 500.0])
        game, slow = Game(size=size, komi=komi, rules=rules), SlowGame(size, komi, *RULES[rules])
        passing = rng.choice([0.02, 0.2])
        for turn in range(size * size * 2):
            move = random_move(game, slow, rng, passing)
            game.play(move)
            slow.play(None if move == PASS else divmod(move, size))
            if turn % (1, 5, 16)[(size > 5) + (size > 7)]:
                continue
            try:
                expected = slow_katago.encode(slow)
            except TooDeepError:
                skipped += 1
                continue
            compared += 1
            fast = tesuji.encode([game], V7)[0]
            for channel, name in enumerate(NAMES):
                np.testing.assert_allclose(fast[channel], expected[channel], atol=1e-6, err_msg=f"{name}\n{game}")
    assert compared > 8 + 10 * skipped


def test_the_last_moves_are_shown_as_far_as_they_alternate() -> None:
    game = Game(size=9, rules="tromp-taylor")
    for move in ("C3", "G7", "pass", "C7", "G3"):
        game.play(move)
    assert [places(game, f"move before {i}") for i in range(1, 6)] == [{"G3"}, {"C7"}, set(), {"G7"}, {"C3"}]
    assert [number(game, f"pass before {i}") for i in range(1, 6)] == [0, 0, 1, 0, 0]
    game.play("E5", WHITE)
    game.play("E3", WHITE)  # out of turn: what came before is not shown
    assert [places(game, f"move before {i}") for i in range(1, 4)] == [{"E3"}, set(), set()]


def test_a_game_that_begins_from_a_setup_has_no_history() -> None:
    played, set_up = Game(size=9), Game(size=9)
    for move in ("C3", "G7", "C7"):
        played.play(move)
    set_up.setup(black=["C3", "C7"], white=["G7"], to_play=WHITE)
    assert places(played, "move before 1") == {"C7"}
    for i in range(1, 6):
        assert places(set_up, f"move before {i}") == set()
    same = [name for name in NAMES if not name.startswith("move before")]
    for name in same:
        np.testing.assert_array_equal(plane(played, name), plane(set_up, name))


def test_komi_is_the_movers_and_waves_with_the_parity_of_the_board() -> None:
    game = Game(size=9, komi=7.5)
    assert (number(game, "komi / 20"), number(game, "komi wave")) == (-0.375, -0.5)
    game.play("E5")
    assert (number(game, "komi / 20"), number(game, "komi wave")) == (0.375, 0.5)
    waves = [number(Game(size=10, komi=-komi), "komi wave") for komi in (6, 6.25, 6.5, 7, 7.5, 8)]
    assert waves == [0, 0.25, 0.5, 0, -0.5, 0]


def test_under_territory_rules_every_stone_costs_a_point_and_no_area_is_shown() -> None:
    game = Game(size=9, komi=6.5, rules="japanese")
    game.play("E5")
    assert number(game, "komi / 20") == 7.5 / 20
    assert (number(game, "territory rules"), number(game, "tax in seki"), number(game, "komi wave")) == (1, 1, 0)
    assert places(game, "opponent's area") == set()
    game.play("pass")
    assert number(game, "a pass ends the game") == 1


@pytest.mark.parametrize(("komi", "told"), [(-90.0, True), (90.0, False)])
def test_only_the_winner_is_told_that_a_pass_ends_the_game(komi: float, told: bool) -> None:
    game = Game(size=9, komi=komi)
    game.play("E5")
    game.play("pass")
    assert game.to_play == BLACK
    assert number(game, "a pass ends the game") == told
    assert number(game, "pass before 1") == told
    assert places(game, "move before 2") == ({"E5"} if told else set())


@pytest.mark.parametrize(("rules", "alive"), [("chinese", True), ("new-zealand", False)])
def test_an_eye_with_a_stone_away_from_its_wall_needs_the_ban_on_suicide(rules: str, alive: bool) -> None:
    # A5 touches no black stone. Where White may take his stones off himself, Black must answer inside.
    game = Game(size=5, rules=rules)
    board = Board.from_diagram("""
        O O . X .
        O X X X X
        X X . . .
        . . . . .
        . . . . .
    """)
    game.setup(black=board.stones(BLACK), white=board.stones(WHITE))
    assert (places(game, "own area") >= {"A5", "B5", "A4"}) is alive
    assert (places(game, "opponent's area") >= {"A5", "B5", "A4"}) is not alive
    assert bool(board.pass_alive(BLACK, suicide=not alive)[0]) is alive


@pytest.mark.parametrize(("rules", "banned"), [("tromp-taylor", {"B5"}), ("new-zealand", set()), ("chinese", set())])
def test_superko_marks_a_suicide_that_brings_a_position_back(rules: str, banned: set[str]) -> None:
    # Black A5, White passes, Black B5 and both stones are gone: the position before A5, but White is to move.
    game = Game(size=5, rules=rules)
    game.setup(white=["C5", "A4", "B4", "C4"], to_play=BLACK)
    game.play("A5")
    game.play("pass")
    assert places(game, "forbidden by ko") == banned


def test_a_ko_is_marked_until_somebody_plays_elsewhere() -> None:
    game = Game(size=5, rules="japanese")
    game.setup(black=["B5", "A4"], white=["C5", "B4"], to_play=WHITE)
    game.play("A5")
    assert places(game, "forbidden by ko") == {"B5"}
    game.play("E1")
    assert places(game, "forbidden by ko") == set()


def test_a_working_ladder_begins_on_one_side_only() -> None:
    game = Game(size=7)
    game.setup(black=["C5"], white=["C6", "B5", "B4"], to_play=WHITE)
    assert places(game, "in a ladder") == {"C5"}
    assert places(game, "starts a ladder") == {"D5"}
    for name in ("in a ladder, 1 before", "in a ladder, 2 before"):
        assert places(game, name) == {"C5"}
