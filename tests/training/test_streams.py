"""Endless batches: the same as `GameSet.batch`, shared out between readers without loss."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

import tesuji
from tesuji import GameSet
from tesuji.training.data.packing import PackedRecord, pack_games
from tesuji.training.data.streams import keras_stream, stream
from tesuji.training.data.torch_stream import GameStream


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> GameSet:
    path = tmp_path_factory.mktemp("streams") / "x.games"
    records = []
    for seed in range(20):
        game = tesuji.Game(size=9, rules="chinese")
        tesuji._core.play_out(game, seed, max_moves=40)
        records.append(PackedRecord.of(game, ["B+R", "W+R"][seed % 2]))
    pack_games(records, path)
    return GameSet(path)


def test_two_readers_share_one_stream(games: GameSet) -> None:
    whole = [batch.planes for batch in islice(stream(games, 8, "agz-17", seed=3), 6)]
    even = [batch.planes for batch in islice(stream(games, 8, "agz-17", seed=3, start=0, step=2), 3)]
    odd = [batch.planes for batch in islice(stream(games, 8, "agz-17", seed=3, start=1, step=2), 3)]
    np.testing.assert_array_equal(whole[::2], even)
    np.testing.assert_array_equal(whole[1::2], odd)
    joined = games.batch(48, "agz-17", seed=3).planes
    np.testing.assert_array_equal(np.concatenate(whole), joined)


def test_keras_gets_channels_last_and_whites_value(games: GameSet) -> None:
    inputs, labels, weights = next(keras_stream(games, 16, "golois-21", seed=1))
    batch = games.batch(16, "golois-21", seed=1, passes=False)
    assert inputs.shape == (16, 9, 9, 21)
    np.testing.assert_array_equal(inputs[3, :, :, 11], batch.planes[3, 11])
    assert labels["policy"].shape == (16, 81)
    assert (labels["policy"].sum(axis=1) == 1).all()
    white = [games.record(int(game)).result == "W+R" for game in batch.game]
    assert labels["value"].tolist() == white
    assert weights["policy"].tolist() == weights["value"].tolist() == [1] * 16


def test_a_result_at_unknown_komi_weighs_nothing(tmp_path: Path) -> None:
    record = PackedRecord()
    record.size, record.result, record.moves = 9, "B+3.5", [(1, 40), (2, 41)]
    pack_games([record], tmp_path / "x.games")
    _, _, weights = next(keras_stream(GameSet(tmp_path / "x.games"), 8, seed=1))
    assert weights["value"].tolist() == [0] * 8
    assert weights["policy"].tolist() == [1] * 8


@pytest.mark.parametrize("workers", [0, 2])
def test_a_torch_loader_sees_the_same_stream(games: GameSet, workers: int) -> None:
    loader = DataLoader(GameStream(games, 8, "agz-17", seed=5), batch_size=None, num_workers=workers)
    seen = [batch["planes"] for batch in islice(loader, 4)]
    expected = games.batch(32, "agz-17", seed=5).planes
    np.testing.assert_array_equal(torch.cat(seen).numpy(), expected)
