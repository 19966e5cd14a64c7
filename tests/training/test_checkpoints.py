"""Checkpoints: there and back, whole or not at all, and past a damaged one."""

import errno
from pathlib import Path
from typing import Any

import pytest
import torch

from tesuji.training.run import checkpoints
from tesuji.training.run.checkpoints import Checkpoint, CheckpointError


def checkpoint(step: int) -> Checkpoint:
    weights = {"kernel": torch.full((2, 3), float(step)), "count": torch.tensor(step)}
    return Checkpoint(
        {"network": "tiny"}, step, {"samples": 10 * step}, weights, random={"torch": torch.get_rng_state()}
    )


def test_there_and_back(tmp_path: Path) -> None:
    checkpoints.save(tmp_path, checkpoint(7), keep=3)
    back = checkpoints.latest(tmp_path, pytest.fail)
    assert (back.step, back.config, back.progress) == (7, {"network": "tiny"}, {"samples": 70})
    assert torch.equal(back.weights["kernel"], torch.full((2, 3), 7.0))
    assert torch.equal(back.random["torch"], torch.get_rng_state())


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for step in range(5):
        checkpoints.save(tmp_path, checkpoint(step), keep=2)
    assert [path.name for path in sorted((tmp_path / "checkpoints").iterdir())] == ["step-000000003", "step-000000004"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "missing", "json"])
def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path: Path, damage: str) -> None:
    checkpoints.save(tmp_path, checkpoint(1), keep=3)
    newest = checkpoints.save(tmp_path, checkpoint(2), keep=3)
    weights, state = newest / "weights.safetensors", newest / "state.json"
    blob = weights.read_bytes()
    if damage == "cut":
        weights.write_bytes(blob[:-5])
    elif damage == "flipped":
        weights.write_bytes(blob[:-1] + bytes([blob[-1] ^ 1]))
    elif damage == "missing":
        weights.unlink()
    else:
        state.write_text("{")
    said: list[str] = []
    assert checkpoints.latest(tmp_path, said.append).step == 1
    assert len(said) == 1
    assert "step-000000002 cannot be read" in said[0]


def test_no_checkpoint_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="there is no such folder"):
        checkpoints.latest(tmp_path / "nowhere", pytest.fail)
    with pytest.raises(CheckpointError, match="it has no checkpoint yet"):
        checkpoints.latest(tmp_path, pytest.fail)


def test_a_full_disk_leaves_the_earlier_checkpoint_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints.save(tmp_path, checkpoint(1), keep=3)
    write = checkpoints._write

    def full(path: Path, blob: bytes) -> None:
        if path.name == "optimizer.safetensors":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, blob)

    monkeypatch.setattr(checkpoints, "_write", full)
    with pytest.raises(OSError, match="No space left"):
        checkpoints.save(tmp_path, checkpoint(2), keep=3)
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["step-000000001"]
    assert checkpoints.latest(tmp_path, pytest.fail).step == 1


def test_nothing_is_pickled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("pickled")

    monkeypatch.setattr("pickle.dumps", refuse)
    monkeypatch.setattr("torch.save", refuse)
    monkeypatch.setattr("torch.load", refuse)
    checkpoints.save(tmp_path, checkpoint(1), keep=3)
    assert checkpoints.latest(tmp_path, pytest.fail).step == 1
