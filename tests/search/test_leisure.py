"""Stones that die whenever the opponent likes, though it looks as if nobody could move there: no network is asked."""

import numpy as np
import pytest

from tests.search.test_judge import game_of, judged, owned_as_area, vertices
from tests.search.test_strange_positions import BENT_FOUR
from tesuji.search.endgame.judge import judge_by_ownership

WHITE_LOST = {"D9", "B8", "C8", "D8", "B7", "A6", "B6"}
# The same five points away from the corner: who takes four of them has two eyes.
BENT_FOUR_ON_THE_SIDE = """
    . X X O . O X X .
    X X X O X O O X X
    X . X O X X . O X
    X X X O O O O O X
    X X X X X X X X X
    X X X X X X X X X
    X X X X X X X X X
    O O O O O O O O O
    O . O . O O . O .
"""
# Black has the two in the middle of four: taken as three, they leave three, and Black plays the middle again.
TWO_IN_THE_MIDDLE = """
    . X X . O X . X X
    O O O O O X X X .
    X X X X X X . X X
    X X X X X X X X X
    X . X . X X X X X
    X X X X X X X X X
    X X X X X X X X X
    O O O O O O O O O
    O . O . O O . O .
"""
# The corner, and a seki on the other side of the board: threats that last for ever.
BENT_FOUR_AND_SEKI = """
    X X . O X X . X .
    X O O O X . X X X
    . O X X X X X . X
    O O X X X X X X X
    X X X X X X X O O
    X . X X X X X O X
    X X X X . X O O X
    X . X X X X O . X
    X X X X X X O . X
"""
# No wall is alive for certain.
OPEN_WALLS = """
    X X . O X . . . .
    X O O O X . . . .
    . O X X X . . . .
    O O X . . . . . .
    X X X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
COLORS = str.maketrans("XO", "OX")


def turned(diagram: str, quarter_turns: int) -> str:
    rows = [line.split() for line in diagram.strip().splitlines()]
    for _ in range(quarter_turns):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    return "\n".join(" ".join(row) for row in rows)


def mirrored(diagram: str) -> str:
    return "\n".join(" ".join(reversed(line.split())) for line in diagram.strip().splitlines())


@pytest.mark.parametrize("rules", ["japanese", "korean", "chinese", "aga"])
def test_four_in_the_corner_are_dead_though_nobody_moves(rules: str) -> None:
    game, judgement = judged(BENT_FOUR, rules=rules)
    assert vertices(game, judgement.dead) == WHITE_LOST
    assert judgement.seki == []
    assert judgement.settled


@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_in_every_corner_and_for_either_colour(quarter_turns: int, mirror: bool, swapped: bool) -> None:
    diagram = turned(mirrored(BENT_FOUR) if mirror else BENT_FOUR, quarter_turns)
    game, judgement = judged(diagram.translate(COLORS) if swapped else diagram, rules="japanese")
    lead = judgement.black_score + game.komi
    assert lead == (-20 if swapped else 20)
    assert len(judgement.dead) == len(WHITE_LOST)


def test_four_on_the_side_live() -> None:
    game, judgement = judged(BENT_FOUR_ON_THE_SIDE, rules="japanese")
    assert judgement.dead == []
    assert {"D9", "F9", "E8", "F7"} <= vertices(game, judgement.seki)


def test_a_shape_too_small_for_two_eyes_is_dead() -> None:
    game, judgement = judged(TWO_IN_THE_MIDDLE, rules="japanese")
    assert vertices(game, judgement.dead) == {"E9", "A8", "B8", "C8", "D8", "E8"}


@pytest.mark.parametrize(("firmness", "dead"), [(0.9, WHITE_LOST), (0.6, set())])
def test_nothing_is_dead_whose_wall_may_fall(firmness: float, dead: set[str]) -> None:
    game = game_of(OPEN_WALLS, "japanese")
    judgement = judge_by_ownership(game, np.float32(firmness) * owned_as_area(game))
    assert vertices(game, judgement.dead) == dead


@pytest.mark.parametrize(("rules", "dead"), [("japanese", WHITE_LOST), ("chinese", set())])
def test_threats_that_nobody_can_take_away_count_where_the_ko_is_played_out(rules: str, dead: set[str]) -> None:
    game, judgement = judged(BENT_FOUR_AND_SEKI, rules=rules)
    assert vertices(game, judgement.dead) == dead
    assert {"H5", "J1", "J4", "G1"} <= vertices(game, judgement.seki)
