"""A board with its history: turns, superko, passes, handicap, setup, undo, results."""

import copy
import pickle

import pytest

from tests.go.drawing import diagram, game_on
from tesuji import BLACK, PASS, WHITE, Color, Game, IllegalMoveError, Rules

# Three points that White cannot live in: two stones there and a third that takes all of them off repeat the start.
NO_ROOM = """
    . . . X
    X X X X
    . . . .
    . . . .
"""


def play(game: Game, *moves: str) -> None:
    for move in moves:
        game.play(move)


def test_colours_alternate_unless_told_otherwise() -> None:
    game = Game(9)
    game.play("E5")
    game.play("D4", color=BLACK)
    assert game.moves == [(Color.BLACK, 40), (Color.BLACK, 48)]
    assert game.to_play == WHITE
    assert game.is_legal("E5", color=WHITE) is False


def test_legal_moves_are_sorted_and_end_with_pass() -> None:
    game = game_on("""
        . X .
        X . .
        . . .
    """)
    assert game.legal_moves(WHITE) == [2, 4, 5, 6, 7, 8, PASS]
    assert game.legal_moves() == [0, 2, 4, 5, 6, 7, 8, PASS]


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese", "aga", "new-zealand", "japanese", "korean"])
def test_every_rule_set_knows_the_ko(rules: str) -> None:
    game = game_on(
        """
        . X O .
        X . X O
        . X O .
        . . . .
        """,
        rules,
        WHITE,
    )
    game.play("B3")
    with pytest.raises(IllegalMoveError) as refusal:
        game.play("C3")
    assert refusal.value.reason == "ko"
    play(game, "A1", "D1")
    assert game.is_legal("C3")


@pytest.mark.parametrize(
    ("rules", "ko", "suicide", "scoring"),
    [
        ("tromp-taylor", "positional", True, "area"),
        ("chinese", "positional", False, "area"),
        ("aga", "situational", False, "area"),
        ("new-zealand", "situational", True, "area"),
        ("japanese", "simple", False, "territory"),
        ("korean", "simple", False, "territory"),
    ],
)
def test_rule_sets(rules: str, ko: str, suicide: bool, scoring: str) -> None:
    assert Rules.named(rules).plays_like(Rules(ko=ko, suicide=suicide, scoring=scoring))
    assert Rules.named(rules).name == rules
    game = game_on("O . X\nX X .\n. . .", rules, WHITE)
    assert game.is_legal("B3") is suicide


def test_rules_without_a_name_have_none() -> None:
    assert Rules(ko="simple", suicide=True, scoring="area").name == ""
    assert Rules(ko="positional", suicide=False).name == "chinese"
    assert Rules.named("japanese").name == "japanese"
    with pytest.raises(ValueError, match=r"no rules 'chinees'.*chinese"):
        Rules.named("chinees")
    with pytest.raises(ValueError, match="ko"):
        Rules(ko="super")


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("positional", False), ("situational", True)])
def test_a_suicide_may_repeat_a_position(ko: str, allowed: bool) -> None:
    game = game_on(NO_ROOM, Rules(ko=ko, suicide=True), WHITE)
    play(game, "A4", "pass", "B4", "pass")
    assert game.is_legal("C4") is allowed


def test_situational_superko_minds_who_is_to_play() -> None:
    game = game_on(NO_ROOM, Rules(ko="situational", suicide=True), WHITE)
    play(game, "A4", "pass", "B4", "pass", "C4")  # the start again, but with Black to play
    game.play("pass")
    # White at A4 would now give a situation seen before, and so would B4 after it.
    with pytest.raises(IllegalMoveError) as refusal:
        game.play("A4")
    assert refusal.value.reason == "superko"
    assert game.is_legal("B4")


def test_a_pass_makes_a_situation_of_its_own() -> None:
    game = game_on(NO_ROOM, Rules(ko="situational", suicide=True), WHITE)
    play(game, "pass", "pass")  # the start has now been seen with Black to play, too
    play(game, "A4", "pass", "B4", "pass")
    assert not game.is_legal("C4")


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("positional", False), ("situational", False)])
def test_a_triple_ko_goes_round_under_simple_ko_only(ko: str, allowed: bool) -> None:
    game = game_on(
        """
        X O . O . X . X O
        . X O . . . X O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X O . . . . . .
        X O . O . . . . .
        """,
        Rules(ko=ko),
    )
    start = game.board.hash
    play(game, "C9", "G9", "C1", "B9", "H9")
    assert game.is_legal("B1") is allowed
    if allowed:
        game.play("B1")
        assert game.board.hash == start


ROUND = ("C9", "G9", "C1", "B9", "H9", "B1")
TRIPLE_KO = """
    X O . O . X . X O
    . X O . . . X O .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . X O . . . . . .
    X O . O . . . . .
"""


def test_a_triple_ko_ends_without_result_at_the_third_time() -> None:
    game = game_on(TRIPLE_KO, "japanese")
    play(game, *ROUND, *ROUND[:-1])
    assert not game.is_over
    game.play(ROUND[-1])
    assert (game.is_over, game.is_void, game.result()) == (True, True, "Void")
    assert pickled(game).is_void
    game.undo()
    assert (game.is_over, game.result()) == (False, None)
    game.play("E5")  # who plays elsewhere goes on
    assert not game.is_over


def test_passes_repeat_no_position() -> None:
    game = game_on(TRIPLE_KO, "japanese")
    play(game, *["pass"] * 6)
    assert not game.is_void
    assert game.result() != "Void"


def test_the_player_who_took_a_ko_may_fill_it_out_of_turn() -> None:
    game = game_on(". X O .\nX . X O\n. X O .\n. . . .", "japanese", WHITE)
    game.play("B3")
    assert not game.is_legal("C3", BLACK)
    assert game.is_legal("C3", WHITE)


def test_two_passes_end_the_game_and_one_may_play_on() -> None:
    game = Game(9, komi=7.5)
    play(game, "E5", "pass")
    assert game.passes == 1
    assert not game.is_over
    assert game.result() is None
    game.play("pass")
    assert game.is_over
    assert game.result() == "B+73.5"
    game.play("D4")
    assert not game.is_over
    assert game.result() is None


def test_nobody_plays_on_after_a_resignation() -> None:
    game = Game(9)
    game.play("E5")
    game.resign(WHITE)
    assert game.is_over
    assert game.result() == "B+R"
    assert game.legal_moves() == []
    for move in ("D4", "pass"):
        with pytest.raises(IllegalMoveError, match="resigned"):
            game.play(move)
    game.undo()
    assert not game.is_over
    assert game.moves == [(BLACK, 40)]


def test_endless_games_under_simple_ko_are_cut() -> None:
    game = Game(2, komi=0, rules=Rules(ko="simple", suicide=False))
    moves = 0
    while not game.is_over:
        legal = game.legal_moves()
        game.play(legal[0])
        moves += 1
        assert moves < 1000
    assert game.passes < 2
    assert game.result() is not None


def test_undo_restores_everything() -> None:
    game = game_on("""
        . X O .
        X O . O
        . X O .
        . . . .
    """)
    before = [game.diagram(), game.hash, game.legal_moves(), game.to_play, game.captured(BLACK), game.board.ko]
    game.play("C3")
    assert game.captured(BLACK) == 1
    game.undo()
    assert before == [
        game.diagram(),
        game.hash,
        game.legal_moves(),
        game.to_play,
        game.captured(BLACK),
        game.board.ko,
    ]
    with pytest.raises(ValueError, match="no move to undo"):
        game.undo()


def test_undo_lifts_the_superko_of_the_undone_moves() -> None:
    game = game_on(". X O .\nX . X O\n. X O .\n. . . .", "chinese", WHITE)
    game.play("B3")
    game.undo()
    game.play("pass")
    play(game, "pass", "B3")
    game.undo()
    assert game.passes == 2
    assert game.is_over


def pickled(game: Game) -> Game:
    copied: Game = pickle.loads(pickle.dumps(game))
    return copied


def test_a_game_travels_between_processes() -> None:
    handicap = Game(19, komi=0.5, rules="japanese")
    handicap.place_handicap(4)
    play(handicap, "R10", "pass")
    handicap.resign(WHITE)
    drawn = game_on(". X O .\nX . X O\n. X O .\n. . . .", Rules(ko="situational", suicide=True), WHITE, komi=-2.5)
    drawn.play("B3")
    drawn.to_play = WHITE
    for game in (handicap, drawn, Game(2)):
        same = pickled(game)
        assert (same.size, same.komi, same.rules, same.moves) == (game.size, game.komi, game.rules, game.moves)
        assert (same.hash, same.to_play, same.handicap) == (game.hash, game.to_play, game.handicap)
        assert (same.result(), same.start_board) == (game.result(), game.start_board)
        assert same.legal_moves() == game.legal_moves()


@pytest.mark.parametrize("duplicate", [Game.copy, copy.copy, copy.deepcopy, pickled])
def test_a_copy_lives_its_own_life(duplicate) -> None:  # type: ignore[no-untyped-def]
    game = Game(9, komi=6.5, rules="japanese")
    game.play("E5")
    other = duplicate(game)
    other.play("D4")
    other.komi = 0
    assert game.moves == [(BLACK, 40)]
    assert (game.komi, game.rules.name) == (6.5, "japanese")
    assert other.moves == [(BLACK, 40), (WHITE, 48)]


@pytest.mark.parametrize(
    ("size", "stones", "vertices"),
    [
        (9, 2, "C3 G7"),
        (9, 4, "C3 G7 C7 G3"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (19, 3, "D4 Q16 D16"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    ],
)
def test_fixed_handicap_stands_where_gtp_says(size: int, stones: int, vertices: str) -> None:
    game = Game(size)
    points = game.place_handicap(stones)
    assert {game.vertex(point) for point in points} == set(vertices.split())
    assert (game.handicap, game.to_play, game.moves) == (stones, WHITE, [])
    assert game.board.stones(BLACK) == sorted(points)


@pytest.mark.parametrize(("size", "stones"), [(9, 1), (9, 10), (8, 5), (7, 5), (5, 2), (19, 0), (19, -3)])
def test_an_impossible_handicap_changes_nothing(size: int, stones: int) -> None:
    game = Game(size)
    with pytest.raises(ValueError, match=f"{size}x{size}"):
        game.place_handicap(stones)
    assert game.board.stones(BLACK) == []
    assert game.to_play == BLACK


def test_handicap_needs_an_empty_board() -> None:
    game = Game(9)
    game.play("E5")
    with pytest.raises(ValueError, match="empty board"):
        game.place_handicap(2)


def test_setup_begins_anew() -> None:
    game = Game(4)
    game.play("A1")
    game.setup(black=["A4", 1], white=["D1"], to_play=WHITE)
    assert game.diagram() == diagram("""
        X X . .
        . . . .
        . . . .
        . . . O
    """)
    assert (game.moves, game.to_play, game.start_to_play) == ([], WHITE, WHITE)
    assert game.start_board == game.board


@pytest.mark.parametrize(
    ("black", "white", "fault"),
    [
        (["A1", "A1"], [], "two stones"),
        (["A1"], ["A1"], "two stones"),
        (["E5"], [], "no vertex 'E5'"),
        ([16], [], "no point 16"),
        (["pass"], [], "pass"),
        (["A2", "B1"], ["A1"], "no liberty"),
    ],
)
def test_an_impossible_setup_changes_nothing(black: list[int | str], white: list[int | str], fault: str) -> None:
    game = Game(4)
    game.play("C3")
    before = (game.diagram(), game.moves, game.hash)
    with pytest.raises(ValueError, match=fault):
        game.setup(black=black, white=white)
    assert (game.diagram(), game.moves, game.hash) == before


def test_games_differ_in_their_hash_by_turn_ko_and_history() -> None:
    one, other = Game(9), Game(9)
    play(one, "E5", "D4", "C3")
    play(other, "C3", "D4", "E5")
    assert one.board.hash == other.board.hash
    assert one.hash != other.hash  # the planes show different recent positions
    passed = Game(9)
    passed.play("pass")
    assert passed.hash != Game(9).hash


def test_an_illegal_move_names_move_rule_and_position() -> None:
    game = Game(4)
    game.play("C3")
    with pytest.raises(IllegalMoveError) as refusal:
        game.play("c3")
    error = refusal.value
    assert (error.move, error.color, error.reason) == ("C3", WHITE, "occupied")
    assert error.diagram == game.diagram()
    assert str(error).splitlines()[0] == "white C3 is illegal: occupied"
    assert game.diagram() in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.move, copied.reason) == (str(error), "C3", "occupied")
