"""Each kind of explanation on a drawn position: told where it is true, and not where it is not."""

from tests.go.drawing import game_on
from tesuji import WHITE, Color, Game
from tesuji.go.coordinates import parse_vertex
from tesuji.reviews.moment import Moment, Reason
from tesuji.reviews.ownership_facts import part_of_board
from tesuji.reviews.reasons import reason_for
from tesuji.reviews.stone_facts import ladder_line

Owned = tuple[float, ...] | None


def explained(
    game: Game, move: str, better: str, replies: str = "", owned_better: Owned = None, owned_after: Owned = None
) -> Reason | None:
    points = [parse_vertex(text, game.size) for text in (move, better, *replies.split())]
    line = tuple(points[2:])
    return reason_for(Moment(game, game.to_play, points[0], points[1], line, owned_better, owned_after))


def kind(reason: Reason | None) -> str:
    return reason.kind if reason else ""


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . O . . . . . .
    . O X . . . . . .
    . . O O . . . . .
    . . . . . . . . .
"""


def test_running_from_a_ladder_that_does_not_work() -> None:
    game = game_on(LADDER)
    found = explained(game, "D3", "G9", "E3")
    assert kind(found) == "ladder"
    assert found is not None
    assert found.text.startswith("loses the ladder: C3 is caught after E3 D4 D5 E4 ")
    assert len(found.line) > 6


def test_a_ladder_with_a_breaker_is_not_told() -> None:
    game = game_on(LADDER.replace(". . . . . . . . .", ". . . . . X . . ."))
    assert kind(explained(game, "D3", "G9", "E3")) != "ladder"


def test_the_line_of_a_ladder_ends_with_the_capture() -> None:
    game = game_on(LADDER)
    game.play("D3")
    chain = parse_vertex("C3", 9)
    line = ladder_line(game.board, chain, WHITE, parse_vertex("E3", 9))
    color: Color = WHITE
    for move in line:
        game.play(move, color)
        color = color.opponent
    assert game.board.at(chain) is None


ATARI = """
    . . . . .
    . O O O .
    O X X X .
    . O O O .
    . . . . .
"""


def test_stones_left_in_atari() -> None:
    found = explained(game_on(ATARI), "A5", "E3", "E3")
    assert found == Reason("atari", "leaves three stones at B3 in atari", tuple(range(11, 14)))


def test_stones_in_atari_that_nobody_takes_are_not_told() -> None:
    assert explained(game_on(ATARI), "A5", "E3", "A1") is None


def test_stones_put_into_atari_by_the_move_itself() -> None:
    game = game_on("""
        . O O O .
        . . X X O
        . O O . O
        . . . O .
        . . . . .
    """)
    assert kind(explained(game, "D3", "B4", "B4")) == "self-atari"


def test_a_stone_played_to_be_taken() -> None:
    game = game_on("""
        . O . . .
        . . . . .
        O . . . .
        . . . . .
        . . . . .
    """)
    found = explained(game, "A5", "C3", "A4")
    assert found is not None
    assert found.text == "plays a stone that A4 takes"


def test_an_own_eye_filled() -> None:
    game = game_on("""
        . X . X O
        X X X X O
        O O O O O
        . O . O .
        O O O O O
    """)
    found = explained(game, "A5", "pass", "C5")
    assert found == Reason("eye", "fills own eye at A5", (0,))


def test_connecting_out_of_atari_fills_no_eye() -> None:
    game = game_on("""
        . X O . .
        X O . . .
        O . . . .
        . . . . .
        . . . . .
    """)
    assert kind(explained(game, "A5", "C3", "D5")) != "eye"


def test_a_capture_missed() -> None:
    game = game_on(ATARI, to_play=WHITE)
    found = explained(game, "A5", "E3", "E3")
    assert found is not None
    assert found.text == "misses the capture of three stones: E3 takes B3"


def test_a_ladder_missed() -> None:
    game = game_on(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O X . . . . . .
        . . O O . . . . .
        . . . . . . . . .
        """,
        to_play=WHITE,
    )
    found = explained(game, "H8", "C4", "D3")
    assert kind(found) == "missed-ladder"
    assert found is not None
    assert found.text == "misses the ladder: C4 catches C3"


DIVIDED = """
    . X . O .
    X X . O O
    X . . . O
    X X . O O
    . X . O .
"""


def owned(text: str) -> tuple[float, ...]:
    return tuple({"X": 1.0, "O": -1.0, ".": 0.0}[letter] for letter in text.split())


BLACKS = owned("X X . O O X X . O O X X . O O X X . O O X X . O O")
WHITES = owned("O " * 25)


def test_a_group_that_dies() -> None:
    found = explained(game_on(DIVIDED), "C1", "C3", "B3", BLACKS, WHITES)
    assert found is not None
    assert found.kind == "dies"
    assert found.text == "the group at B5 dies: next B3"
    assert parse_vertex("A4", 5) in found.points


def test_a_group_that_lives() -> None:
    found = explained(game_on(DIVIDED), "C1", "C3", "D3", owned("X " * 25), BLACKS)
    assert found is not None
    assert found.text == "lets the group at D5 live: next D3"


def test_nothing_is_said_of_groups_without_ownership() -> None:
    assert explained(game_on(DIVIDED), "C1", "C3", "B3") is None


def test_an_area_given_up_is_named_where_most_of_it_lies() -> None:
    game = Game(9, 0)
    before, after = [0.0] * 81, [0.0] * 81
    for point in range(81):
        if part_of_board(point, 9) == "lower right corner":
            before[point], after[point] = 0.8, -0.8
    found = explained(game, "A9", "G3", "G3", tuple(before), tuple(after))
    assert found is not None
    assert found.text == "gives up the lower right corner: 7 points of ownership change hands"
    assert len(found.points) == 9


def test_an_area_gained_is_not_given_up() -> None:
    assert explained(Game(9, 0), "A9", "G3", "G3", (0.0,) * 81, (0.9,) * 81) is None


def test_white_gives_up_what_turns_black() -> None:
    game = Game(9, 0)
    game.play("A1")
    found = explained(game, "A9", "G3", "G3", (-0.5,) * 81, (0.5,) * 81)
    assert found is not None
    assert found.text == "40 points of ownership change hands"


def test_a_pass_too_early() -> None:
    found = explained(Game(9, 0), "pass", "E5", "E5")
    assert found is not None
    assert found.kind == "pass"
