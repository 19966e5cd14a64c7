"""The course library's calls: arrays filled in place, fixed order, validation apart, clear refusals."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
import tesuji.golois as golois
from tesuji.features.symmetry import transform
from tesuji.training.data.packing import PackedRecord, export_games_data, pack_games

Arrays = dict[str, np.ndarray]


def random_record(seed: int) -> PackedRecord:
    rng = random.Random(seed)
    game = tesuji.Game(size=19, komi=rng.choice([6.5, 7.5]), rules="chinese")
    for _ in range(rng.randrange(20, 60)):
        game.play(tesuji.PASS if rng.random() < 0.05 else rng.choice(game.legal_moves()[:-1]))
    record = PackedRecord.of(game, rng.choice(["B+R", "W+R"]))
    for position in range(len(game.moves)):
        record.add_target(position, white_winrate=round(rng.random(), 3), white_score=0.0)
    return record


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory as students have it."""
    export_games_data([random_record(seed) for seed in range(30)], tmp_path / "games.data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(golois, "_chosen", ())
    return tmp_path


def arrays(count: int, planes: int = 31) -> Arrays:
    shapes = {"input_data": (count, 19, 19, planes), "policy": (count, 361), "value": (count,)}
    shapes |= {"end": (count, 19, 19, 2), "groups": (count, 19, 19, 1)}
    return {name: np.full(shape, -7, np.float32) for name, shape in shapes.items()}


def batch(count: int, index: int, planes: int = 31) -> Arrays:
    filled = arrays(count, planes)
    golois.getBatch(**filled, index=index)
    return filled


def validation(count: int) -> Arrays:
    filled = arrays(count)
    del filled["groups"]
    golois.getValidation(*filled.values())
    return filled


def test_every_array_is_filled(folder: Path) -> None:
    filled = batch(40, 0)
    for name, array in filled.items():
        assert (array >= 0).all(), name
    assert set(np.unique(filled["input_data"])) == {0, 1}
    np.testing.assert_array_equal(filled["policy"].sum(axis=1), 1)
    assert set(np.unique(filled["end"])) == {0, 1}
    np.testing.assert_array_equal(filled["input_data"][..., :21], batch(40, 0, planes=21)["input_data"])


def test_the_position_the_labels_speak_of(folder: Path) -> None:
    """Every validation row is found again in the records, replayed by the rules."""
    filled = validation(5)
    pairs = [line.split() for line in (folder / "validation.data").read_text().splitlines()[1:]]
    for row, (number, move) in enumerate(pairs):
        record = random_record(int(number))
        game = record.game()
        final = game.copy()
        while len(game.moves) > int(move):
            game.undo()
        planes = tesuji.encode([game], "golois-31")[0]
        np.testing.assert_array_equal(filled["input_data"][row].transpose(2, 0, 1), planes)
        assert filled["policy"][row].argmax() == record.moves[int(move)][1]
        assert filled["value"][row] == pytest.approx(record.targets[int(move)].white_winrate, abs=1e-4)
        final_planes = tesuji.encode([final], "agz-17")[0]
        mine = 0 if final.to_play == game.to_play else 1
        np.testing.assert_array_equal(filled["end"][row][..., 0], final_planes[mine])
        np.testing.assert_array_equal(filled["end"][row][..., 1], final_planes[1 - mine])


def test_groups_number_the_chains(folder: Path) -> None:
    filled = batch(20, 3)
    for row in range(20):
        groups, planes = filled["groups"][row][..., 0], filled["input_data"][row]
        stones = planes[..., 11] + planes[..., 12]
        np.testing.assert_array_equal(groups > 0, stones > 0)
        for side in (11, 12):
            together = (planes[:-1, :, side] * planes[1:, :, side]) > 0
            assert (groups[:-1][together] == groups[1:][together]).all()


def test_index_walks_a_fixed_shuffle_of_all_training_positions(folder: Path) -> None:
    validation(5)
    kept = {line.split()[0] for line in (folder / "validation.data").read_text().splitlines()[1:]}
    total = sum(sum(move >= 0 for _, move in random_record(seed).moves) for seed in range(30) if str(seed) not in kept)
    whole = batch(total, 0)
    canonical = {min(transform(p.transpose(2, 0, 1), s).tobytes() for s in range(8)) for p in whole["input_data"]}
    assert len(canonical) > 0.8 * total  # openings meet; a walk that repeats itself would not
    np.testing.assert_array_equal(batch(7, 11)["input_data"], batch(7, 11)["input_data"])
    # Behind the end it begins anew: the same positions, though turned another way.
    again = {min(transform(p.transpose(2, 0, 1), s).tobytes() for s in range(8)) for p in batch(3, total)["input_data"]}
    first = {min(transform(p.transpose(2, 0, 1), s).tobytes() for s in range(8)) for p in whole["input_data"][:3]}
    assert again == first


def test_validation_is_the_same_in_every_run(folder: Path) -> None:
    first = validation(5)
    golois._open.cache_clear()
    again = validation(5)
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
    with pytest.raises(ValueError, match="holds 5 positions, not 6"):
        validation(6)


def test_the_old_librarys_validation_is_refused(folder: Path) -> None:
    (folder / "validation.data").write_bytes(b"\x00\x01binary")
    golois._open.cache_clear()
    with pytest.raises(ValueError, match="was not written by tesuji"):
        validation(2)


def test_a_packed_file_of_another_size(folder: Path) -> None:
    game = tesuji.Game(size=9)
    for vertex in ("E5", "C3", "G7", "C7"):
        game.play(vertex)
    pack_games([PackedRecord.of(game, "B+R")] * 20, folder / "nine.games")
    golois.setData("nine.games")
    filled = {
        "input_data": np.zeros((4, 9, 9, 21), np.float32),
        "policy": np.zeros((4, 81), np.float32),
        "value": np.ones(4, np.float32),
        "end": np.zeros((4, 9, 9, 2), np.float32),
    }
    golois.getValidation(*filled.values())
    assert (filled["value"] == 0).all()
    with pytest.raises(ValueError, match="arrays of 19x19 for games of 9x9"):
        batch(2, 0)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("input_data", np.zeros((2, 19, 19, 22), np.float32), r"must be \(N, 19, 19, 21\) or"),
        ("input_data", np.zeros((2, 19, 19, 31)), "must be a float32 array .* not an array of float64"),
        ("input_data", [1, 2], "not list"),
        ("policy", np.zeros((2, 362), np.float32), r"policy must be \(2, 361\)"),
        ("policy", np.zeros((2, 361), np.int32), "policy must be a float32 array"),
        ("value", np.zeros((3,), np.float32), r"value must be \(2,\)"),
        ("end", np.zeros((2, 2, 19, 19), np.float32), r"end must be \(2, 19, 19, 2\)"),
        ("groups", np.zeros((2, 19, 38), np.float32)[..., ::2], "C-contiguous"),
    ],
)
def test_arrays_that_do_not_fit_are_named(folder: Path, name: str, array: object, message: str) -> None:
    given: dict[str, Any] = {**arrays(2), name: array}
    with pytest.raises(ValueError, match=message):
        golois.getBatch(**given, index=0)


def test_games_left_out_are_told(folder: Path) -> None:
    text = (folder / "games.data").read_text()
    (folder / "games.data").write_text(text[: len(text) // 2])
    golois._open.cache_clear()
    with pytest.warns(UserWarning, match=r"games\.data: \d+ games kept, left out: 1 cut off"):
        batch(2, 0)


def test_no_games_data_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(golois, "_chosen", ())
    with pytest.raises(FileNotFoundError, match=r"no games\.data in"):
        batch(2, 0)
