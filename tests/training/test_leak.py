"""No game of validation in training: not itself, not turned, not in part, not by a long common beginning."""

import random
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import GameSet
from tesuji.features.symmetry import transform_point
from tesuji.training.data.packing import PackedRecord, pack_games
from tesuji.training.run.sources import LeakError, check_no_leak

Moves = list[tuple[int, int]]


def random_moves(seed: int, count: int = 50) -> Moves:
    rng = random.Random(seed)
    game = tesuji.Game(size=9, rules="chinese")
    for _ in range(count):
        game.play(rng.choice(game.legal_moves()[:-1]))
    return [(int(color), move) for color, move in game.moves]


def turned(moves: Moves, symmetry: int) -> Moves:
    return [(color, transform_point(move, symmetry, 9)) for color, move in moves]


def set_of(path: Path, games: list[Moves]) -> GameSet:
    records = []
    for moves in games:
        record = PackedRecord()
        record.size, record.moves = 9, moves
        records.append(record)
    pack_games(records, path)
    return GameSet(path)


def test_a_split_shares_nothing_and_loses_nothing(tmp_path: Path) -> None:
    games = set_of(tmp_path / "all.games", [random_moves(seed) for seed in range(100)])
    train, validation = games.split(20, seed=5)
    assert (len(train), len(validation)) == (80, 20)
    assert set(train.games) | set(validation.games) == set(games.games)
    check_no_leak(train, validation)
    assert games.split(20, seed=5)[1].games.tolist() == validation.games.tolist()
    assert games.split(20, seed=6)[1].games.tolist() != validation.games.tolist()
    with pytest.raises(LeakError, match="20 of 100 training games are also validation games"):
        check_no_leak(games, validation)
    drawn = train.batch(2000, "agz-17").game
    assert not set(drawn) & set(validation.games)
    assert not set(games.batch(2000, "agz-17", exclude=validation).game) & set(validation.games)


@pytest.mark.parametrize("kind", ["turned", "part", "whole", "beginning"])
@pytest.mark.parametrize("symmetry", [0, 5])
def test_relatives_of_validation_games_are_found(tmp_path: Path, kind: str, symmetry: int) -> None:
    game = random_moves(1)
    others = {
        "turned": turned(game, 3),
        "part": game[:20],
        "whole": [*game, (1, tesuji.PASS)],
        "beginning": [*game[:35], (2, tesuji.PASS)],
    }
    validation = set_of(tmp_path / "validation.games", [game])
    train = set_of(tmp_path / "train.games", [random_moves(2), turned(others[kind], symmetry), random_moves(3)])
    assert train.shared_with(validation).tolist() == [1]
    check_no_leak(train.without(validation), validation)
    if kind == "part":  # also the other way round
        assert validation.shared_with(train).tolist() == [0]


def test_common_openings_are_no_leak(tmp_path: Path) -> None:
    opening = random_moves(1)[:14]
    one = set_of(tmp_path / "one.games", [opening, random_moves(2)])
    other = set_of(tmp_path / "other.games", [opening + [(1, tesuji.PASS)] * 20, random_moves(3)])
    assert one.shared_with(other).tolist() == []


def test_one_position_of_each_game(tmp_path: Path) -> None:
    games = set_of(tmp_path / "all.games", [random_moves(seed) + [(1, tesuji.PASS)] * 30 for seed in range(50)])
    numbers, moves = games.one_of_each(seed=1)
    assert numbers.tolist() == list(range(50))
    assert len(set(moves)) > 20
    np.testing.assert_array_equal(moves, games.one_of_each(seed=1)[1])
    numbers, moves = games.one_of_each(seed=1, passes=False)
    assert games.at(numbers, moves, "agz-17").policy[:, 81].sum() == 0


def test_a_split_of_all_or_nothing_is_refused(tmp_path: Path) -> None:
    games = set_of(tmp_path / "all.games", [random_moves(seed) for seed in range(3)])
    for count in (0, 3, -1):
        with pytest.raises(ValueError, match=f"cannot keep {count} of 3 games"):
            games.split(count)
