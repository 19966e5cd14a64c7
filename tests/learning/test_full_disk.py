"""The disk fills up for real: one clear line, and with room again the same command goes on with all there was."""

from pathlib import Path

import pytest

from tests.small_disk import SmallDisk, small_disk
from tesuji import GameSet
from tesuji.interfaces.cli import run as command
from tesuji.learning.loop.run_folder import RunFolder
from tesuji.learning.selfplay.shards import rows, shards

__all__ = ["small_disk"]

QUICK = "--size 5 --komi 3.5 --visits 6 --processes 1 --set {0}fast_visits=2 --set {0}move_limit=20"


def stored(folder: Path) -> list[str]:
    return [f"{record.moves} {record.result}" for shard in shards(folder) for record in GameSet(shard.path)]


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line on the screen, unfolded."""
    lines = capsys.readouterr().err.split("tesuji: ")
    assert "Traceback" not in "".join(lines)
    return " ".join(lines[-1].split())


def test_self_play_keeps_every_game_it_has_written(
    small_disk: SmallDisk, network: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_disk.grow(64)
    games = small_disk.folder / "games"
    words = ["selfplay", str(network), "-o", str(games), "--games", "400", *QUICK.format("").split()]
    assert command(words) == 2
    assert "No space left on device; all games before are kept" in told(capsys)
    kept = stored(games)
    assert 0 < len(kept) < 400
    assert len(rows(games)) == len(kept)
    small_disk.grow(4096)
    assert command(words) == 0
    assert stored(games)[: len(kept)] == kept
    assert len(stored(games)) == len(rows(games)) == 400


LEARN = f"{QUICK.format('selfplay.')} --games 12 --rounds 2 --network a0.1.8+conv+pass --set gate=none --set reuse=2"


# On these the state, a training's network, the run's network and a checkpoint are the first that find no room.
@pytest.mark.parametrize("kilobytes", [24, 96, 160, 224])
def test_learning_goes_on_from_whichever_stage_the_disk_stopped(
    kilobytes: int, small_disk: SmallDisk, capsys: pytest.CaptureFixture[str]
) -> None:
    small_disk.grow(kilobytes)
    folder = small_disk.folder / "run"
    words = ["learn", str(folder), *LEARN.split(), "--set", "train.batch=32", "--set", "train.threads=1"]
    assert command(words) == 2
    line = told(capsys)
    assert "No space left on device" in line
    assert str(folder) in line
    played = stored(folder / "games" / "0001")
    begun = (folder / "state.json").exists()
    small_disk.grow(8192)
    assert command(["learn", str(folder), "--resume"] if begun else words) == 0
    assert stored(folder / "games" / "0001")[: len(played)] == played
    with RunFolder(folder) as run:
        _, state = run.read()
    assert [row["selfplay"]["games"] for row in state.rounds] == [12, 12]
    assert state.best == "0002"
