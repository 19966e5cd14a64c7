"""Counts known from elsewhere: legal positions, and sequences of moves."""

from itertools import product

import pytest

from tesuji import PASS, Board, Game, _core


def is_legal_position(stones: tuple[str, ...], size: int) -> bool:
    rows = [" ".join(stones[row * size : (row + 1) * size]) for row in range(size)]
    try:
        Board.from_diagram("\n".join(rows))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(("size", "positions"), [(2, 57), (3, 12675)])
def test_legal_positions(size: int, positions: int) -> None:
    assert sum(is_legal_position(stones, size) for stones in product(".XO", repeat=size * size)) == positions
    assert _core.count_legal_positions(size) == positions


def test_a_single_point_has_one_legal_position() -> None:
    assert _core.count_legal_positions(1) == 1


@pytest.mark.slow
def test_legal_positions_of_four_by_four() -> None:
    assert _core.count_legal_positions(4) == 24318165


def sequences(game: Game, depth: int) -> list[int]:
    """How many sequences of 1, 2, ... `depth` moves there are, passes left out."""
    counts = [0] * depth
    for move in game.legal_moves():
        if move == PASS:
            continue
        counts[0] += 1
        if depth > 1:
            after = game.copy()
            after.play(move)
            for length, count in enumerate(sequences(after, depth - 1), start=1):
                counts[length] += count
    return counts


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (2, [4, 12, 24, 16, 32, 32, 16, 48]),
        (3, [9, 72, 504, 2976, 14720]),
        (4, [16, 240, 3360, 43576]),
    ],
)
def test_move_sequences(size: int, counts: list[int]) -> None:
    assert sequences(Game(size, rules="chinese"), len(counts)) == counts
