"""Batches from packed files: shares, the split, and files that will not do."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.packed import packed, random_record
from tesuji import PASS, Game
from tesuji.training.data.packing import PackedRecord, pack_games
from tesuji.training.run.config import ConfigError, TrainConfig
from tesuji.training.run.sources import GameSource


def source(**settings: object) -> GameSource:
    return GameSource(TrainConfig(planes="golois-31").changed(settings))


def test_shares_are_kept_batch_by_batch(tmp_path: Path) -> None:
    """Two files told apart by who wins: Black in one, White in the other."""
    for name, result in (("black", "B+R"), ("white", "W+R")):
        records = [random_record(n + (result == "W+R") * 100) for n in range(20)]
        for record in records:
            record.result = result
        pack_games(records, tmp_path / name)
    files = [str(tmp_path / "black"), str(tmp_path / "white")]
    from_files = source(data=files, weights=[0.75, 0.25], validation_games=2)
    batch = from_files.training(40, seed=5)
    black_wins = torch.where(batch.black_to_play, batch.value, 1 - batch.value)
    assert black_wins.tolist() == [1.0] * 30 + [0.0] * 10
    again = from_files.training(40, seed=5)
    assert torch.equal(again.planes, batch.planes)
    assert not torch.equal(from_files.training(40, seed=6).planes, batch.planes)
    totals = sum(int((b.value_mask * 1).sum()) for b in (from_files.training(7, seed=s) for s in range(20)))
    assert totals == 140


def test_no_validation_game_is_trained_on(tmp_path: Path) -> None:
    file, same = packed(tmp_path / "a", 30), packed(tmp_path / "b", 30)
    split = source(data=[file, same], validation_games=10)
    assert [len(part) for part in split.parts] == [20, 20]
    batches = list(split.validation())
    assert sum(len(batch) for batch in batches) == 10
    assert all(torch.equal(a.planes, b.planes) for a, b in zip(batches, split.validation(), strict=True))


def test_a_file_of_its_own_for_validation(tmp_path: Path) -> None:
    train, held_out = packed(tmp_path / "train", 30), packed(tmp_path / "held", 5, first_seed=10)
    split = source(data=[train], validation=[held_out])
    assert len(split.parts[0]) == 25
    assert len(split.held_out) == 5


def test_a_teachers_records_give_only_their_targets(tmp_path: Path) -> None:
    records = []
    for seed in range(6):
        record: PackedRecord = random_record(seed)
        record.add_target(
            position=len(record.moves), policy=[(3, 0.25), (80, 0.5), (-1, 0.25)], white_winrate=0.9, white_score=4.5,
            white_ownership=[-100] * 81,
        )  # fmt: skip
        records.append(record)
    pack_games(records, tmp_path / "teacher")
    batch = source(data=[str(tmp_path / "teacher")], validation=[packed(tmp_path / "v", 2, first_seed=900)]).training(
        8, 1
    )
    assert batch.policy[:, 81].tolist() == pytest.approx([0.25] * 8, abs=1e-3)
    white = torch.where(batch.black_to_play, 1 - batch.value, batch.value)
    assert white.tolist() == pytest.approx([0.9] * 8, abs=1e-3)
    assert batch.black_score.tolist() == pytest.approx([2.5] * 8, abs=0.05)
    assert np.allclose(batch.black_ownership.numpy(), 1.0, atol=0.01)


def test_files_that_will_not_do(tmp_path: Path) -> None:
    small, nine, thirteen = packed(tmp_path / "s", 3), packed(tmp_path / "9", 12), packed(tmp_path / "13", 12, size=13)
    with pytest.raises(ValueError, match="nothing to learn from"):
        source()
    with pytest.raises(FileNotFoundError, match=r"no data file 'nowhere.games'"):
        source(data=["nowhere.games"])
    with pytest.raises(ValueError, match=r"cannot keep 3 of 3 games for validation"):
        source(data=[small], validation_games=3)
    with pytest.raises(ValueError, match=r"different board sizes .*9 9x9, .*13 13x13\); choose one with --set size=N"):
        source(data=[nine, thirteen])
    with pytest.raises(ValueError, match=r"no game of 13x13"):
        source(data=[nine], size=13)
    with pytest.raises(ValueError, match=r"validation leaves no game of .*"):
        source(data=[small], validation=[small])
    with pytest.raises(ValueError, match=r"weights are .*must not be negative"):
        source(data=[nine], weights=[-1])
    broken = tmp_path / "broken"
    broken.write_bytes((tmp_path / "9").read_bytes()[:100])
    with pytest.raises(ValueError, match="broken"):
        source(data=[str(broken)])


def test_boards_of_several_sizes_come_in_batches_of_one(tmp_path: Path) -> None:
    both = tmp_path / "both"
    pack_games([random_record(n) for n in range(30)] + [random_record(n, size=13) for n in range(10)], both)
    thirteen = packed(tmp_path / "13", 12, size=13, first_seed=500)
    mixed = source(data=[str(both), thirteen], weights=[0.5, 0.5], mixed=True, validation_games=3)
    assert mixed.size == 9
    assert {batch.planes.shape[-1] for batch in mixed.validation()} == {9}
    sizes = [mixed.training(4, seed).planes.shape[-1] for seed in range(200)]
    assert set(sizes) == {9, 13}
    # Of the first file's half a part is 13x13, of the second all.
    assert 50 < sizes.count(9) < 100
    assert torch.equal(mixed.training(4, 7).planes, mixed.training(4, 7).planes)


def test_the_size_asked_for_is_validated_and_must_be_there(tmp_path: Path) -> None:
    nine, thirteen = packed(tmp_path / "9", 12), packed(tmp_path / "13", 12, size=13)
    mixed = source(data=[nine, thirteen], mixed=True, size=13, validation_games=3)
    assert (mixed.size, mixed.held_out.size) == (13, 13)
    with pytest.raises(ConfigError, match="no board of 19x19 in the data to validate on"):
        source(data=[nine, thirteen], mixed=True, size=19)


def counted_record(seed: int) -> PackedRecord:
    """Black walls off two columns, White the rest, then both pass: 18 points against 63."""
    game = Game(size=9, komi=7.0, rules="tromp-taylor")
    for row in range(9):
        game.play(9 * row + 1 + seed % 2)
        game.play(9 * row + 2 + seed % 2)
    game.play(PASS)
    game.play(PASS)
    return PackedRecord.of(game)


def test_endings_are_counted_boards_with_their_owners(tmp_path: Path) -> None:
    pack_games([counted_record(seed) for seed in range(2)] + [random_record(n) for n in range(20)], tmp_path / "a")
    pack_games([random_record(n) for n in range(50, 60)], tmp_path / "v")
    from_files = source(data=[str(tmp_path / "a")], validation=[str(tmp_path / "v")], endings=0.5, ending_moves=4)
    batch = from_files.training(40, seed=3)
    assert batch.score_mask[20:].all()
    assert batch.ownership_mask[20:].all()
    assert not batch.policy[20:].any()  # what is played on a settled board teaches nothing
    assert set(batch.black_score[20:].tolist()) == {18.0 - 63, 27.0 - 54}
    torch.testing.assert_close(batch.black_ownership[20:].sum((1, 2)), batch.black_score[20:])


def test_endings_need_a_counted_game(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no game of the data was counted"):
        source(data=[packed(tmp_path / "a", 30)], endings=0.1)


def test_games_may_teach_the_value_and_few_of_their_moves(tmp_path: Path) -> None:
    file = packed(tmp_path / "a", 30)
    batch = source(data=[file], validation_games=5, move_share=0.25).training(40, seed=3)
    assert int((batch.policy.sum(1) > 0).sum()) == 10
    assert batch.value_mask.all()


def test_the_seeds_of_batches_and_of_validation_are_apart(tmp_path: Path) -> None:
    file = packed(tmp_path / "a", 30)
    one, two = source(data=[file], seed=1), source(data=[file], seed=2)
    assert list(one.held_out.games) == list(two.held_out.games)
    other = source(data=[file], validation_seed=2)
    assert list(one.held_out.games) != list(other.held_out.games)


def test_positions_alike_or_games_alike(tmp_path: Path) -> None:
    """A long game and a short one: by positions the long one is drawn more often, by games as often as the other."""
    records = [random_record(1), random_record(2)]
    records[0].moves = records[0].moves[:5]
    pack_games(records, tmp_path / "two")
    held_out = packed(tmp_path / "v", 2, first_seed=900)
    shares = {}
    for way in ("games", "positions"):
        drawn = source(data=[str(tmp_path / "two")], validation=[held_out], positions=way).training(400, 1)
        stones = drawn.planes[:, 11:13].sum((1, 2, 3))
        shares[way] = float((stones < 5).float().mean())
    assert shares["games"] > shares["positions"] + 0.1
