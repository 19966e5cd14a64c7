"""A training run on a disk that is really full: it goes on while it can, and nothing written before is lost."""

from pathlib import Path

import pytest

from tests.small_disk import SmallDisk, small_disk
from tests.training.test_trainer import Heard, train
from tesuji.training.run import checkpoints
from tesuji.training.run.logs import CsvLog
from tesuji.training.run.watching import Status

__all__ = ["small_disk"]


class Filling(Heard):
    """Fills the disk after one step and makes room again after another."""

    def __init__(self, disk: SmallDisk, full_at: int, free_at: int) -> None:
        super().__init__()
        self.disk, self.full_at, self.free_at = disk, full_at, free_at

    def stepped(self, status: Status) -> None:
        super().stepped(status)
        if status.step == self.full_at:
            self.disk.fill()
        if status.step == self.free_at:
            self.disk.grow(4096)


def steps(run: Path, table: str) -> list[int]:
    return [int(row["step"]) for row in CsvLog(run / table).rows()]


def test_a_disk_that_is_full_for_a_while_costs_a_checkpoint_and_some_rows(small_disk: SmallDisk) -> None:
    run, heard = small_disk.folder / "run", Filling(small_disk, full_at=85, free_at=125)
    assert train(run, heard).outcome.finished
    assert any("checkpoint of step 100 not written: [Errno 28] No space left on device" in line for line in heard.lines)
    assert steps(run, "validation.csv")[-1] == 200
    assert set(steps(run, "log.csv")) >= {*range(10, 81, 10), *range(130, 201, 10)}
    assert checkpoints.latest(run, pytest.fail).step == 200


def test_a_run_that_ends_on_a_full_disk_goes_on_from_its_last_checkpoint(small_disk: SmallDisk) -> None:
    run = small_disk.folder / "run"
    with pytest.raises(OSError, match=r"step 200 not written: .*No space left on device.*step-000000100"):
        train(run, Filling(small_disk, full_at=150, free_at=-1))
    assert checkpoints.latest(run, pytest.fail).step == 100
    small_disk.grow(4096)
    whole = train(run, resume=True)
    assert whole.outcome.finished
    assert steps(run, "validation.csv") == [100, 200]
    assert steps(run, "log.csv") == list(range(10, 201, 10))
