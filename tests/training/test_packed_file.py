"""The packed file itself: damage is found, size and memory stay within their promises, a killed pack leaves nothing."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import GameSet
from tesuji._core import Filter, PackedFile, PackedWriter, pack_records
from tesuji.training.data.packing import PackedRecord, pack_games


def record_of(moves: int, size: int = 19, shift: int = 0) -> PackedRecord:
    """Stones on every other point in turn: legal, and quick to make."""
    record = PackedRecord()
    record.size, record.komi, record.result = size, 7.5, "B+R"
    record.moves = [(1 + i % 2, (2 * i + shift) % (size * size)) for i in range(moves)]
    return record


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "some.games"
    pack_games((record_of(170, shift=n % 20) for n in range(1000)), path)
    return path


def test_two_to_three_bytes_a_move(packed: Path) -> None:
    assert 2 <= os.path.getsize(packed) / (1000 * 170) < 3


def test_a_flipped_byte_anywhere_is_found(packed: Path, tmp_path: Path) -> None:
    whole = packed.read_bytes()
    for place in [0, 9, 20, 50, 64, 5000, len(whole) // 2, len(whole) - 60_000, len(whole) - 9, len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 4
        (tmp_path / "x.games").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"x\.games (is|has)"):
            PackedFile(str(tmp_path / "x.games")).check()


def test_damage_is_found_by_the_batch_that_touches_it(packed: Path, tmp_path: Path) -> None:
    damaged = bytearray(packed.read_bytes())
    damaged[100_000] ^= 1
    (tmp_path / "x.games").write_bytes(damaged)
    games = GameSet(tmp_path / "x.games")
    assert len(games.at([0], [5]).value) == 1
    for threads in (1, 2):
        with pytest.raises(ValueError, match="damaged between bytes 65600 and 131136"):
            games.batch(1000, "agz-17", threads=threads)


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.3, 0.999])
def test_a_file_cut_anywhere_is_refused(packed: Path, tmp_path: Path, share: float) -> None:
    whole = packed.read_bytes()
    (tmp_path / "x.games").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ValueError, match=r"is not a packed file|was cut"):
        GameSet(tmp_path / "x.games")


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        GameSet(tmp_path / "missing.games")
    with pytest.raises(OSError, match="directory"):
        GameSet(tmp_path)
    with pytest.raises(ValueError, match="at least one"):
        GameSet()


def test_mixed_sizes_need_a_choice(tmp_path: Path) -> None:
    pack_games([record_of(10, 9), record_of(10, 13), record_of(20, 9)], tmp_path / "x.games")
    with pytest.raises(ValueError, match=r"boards of 9x9, 13x13; choose one: GameSet\(\.\.\., size=9\)"):
        GameSet(tmp_path / "x.games")
    assert GameSet(tmp_path / "x.games", size=9).games.tolist() == [0, 2]
    assert GameSet(tmp_path / "x.games", size=13).batch(4, "agz-17").planes.shape == (4, 17, 13, 13)
    with pytest.raises(ValueError, match="no game of 19x19"):
        GameSet(tmp_path / "x.games", size=19)


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.games"
    pack_games([record_of(10)], path)
    before = path.read_bytes()
    script = (
        "import os; from tesuji._core import PackedWriter, pack_records, Filter, PackedRecord\n"
        f"writer = PackedWriter({str(path)!r}); record = PackedRecord(); record.moves = [(1, 3)]\n"
        "writer.append(pack_records([record], Filter()), False); os._exit(1)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 1
    assert path.read_bytes() == before
    assert len(list(tmp_path.glob("x.games.*.part"))) == 1
    writer = PackedWriter(str(path))
    assert len(list(tmp_path.glob("*.part"))) == 1  # its own: it has cleared away what the dead one left
    del writer  # given up without finishing
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_only_drafts_of_dead_writers_to_the_same_file_are_removed(tmp_path: Path) -> None:
    first = PackedWriter(str(tmp_path / "x.games"))
    for name in ("x.games.part", "x.games.12a.part", "x.games.12.part.part", "y.games.12.part", "x.games.12.part"):
        (tmp_path / name).touch()
    second = PackedWriter(str(tmp_path / "x.games"))
    chunk = pack_records([record_of(10)], Filter())
    for writer in (first, second):
        writer.append(chunk, False)
        writer.finish()
    assert len(GameSet(tmp_path / "x.games")) == 1
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["x.games", "x.games.12.part.part", "x.games.12a.part", "x.games.part", "y.games.12.part"]


def test_disk_full_is_reported_and_nothing_remains(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    script = f"""
import resource, signal
from tesuji._core import PackedRecord
from tesuji.training.data.packing import pack_games
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
record = PackedRecord(); record.moves = [(1 + i % 2, 2 * i) for i in range(150)]
try:
    pack_games([record] * 1000, {str(tmp_path / "x.games")!r})
except OSError as problem:
    print("refused", problem)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "refused" in done.stdout
    assert "x.games" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_open_and_sample_without_reading_everything(tmp_path: Path) -> None:
    """Fifty thousand games here stand for a million: time and memory grow with the index alone."""
    path = tmp_path / "many.games"
    record = record_of(170)
    pack_games((record for _ in range(50_000)), path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    games = GameSet(path)
    opened = time.perf_counter() - started
    games.batch(256, "golois-31")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert opened < 1.0
    assert grown < 250_000  # KiB, the mapped file (24 MB) included


def test_weights_must_fit_the_files(packed: Path) -> None:
    with pytest.raises(ValueError, match="2 weights for 1 files"):
        GameSet(packed, weights=[1, 2])
    with pytest.raises(ValueError, match="positive"):
        GameSet(packed, weights=[-1])


def test_record_of_a_game_with_everything(tmp_path: Path) -> None:
    game = tesuji.Game(size=13, komi=0.5, rules="japanese")
    game.place_handicap(4)
    game.play("C3")
    game.play("E5", color=tesuji.WHITE)  # out of turn
    game.play("pass")
    game.resign(tesuji.BLACK)
    record = PackedRecord.of(game)
    record.black_rating, record.white_rating = "2310", "9p"
    record.add_target(1, policy=[(7, 2.0), (8, 6.0)], white_winrate=0.5)
    pack_games([record], tmp_path / "x.games")
    back = GameSet(tmp_path / "x.games").record(0)
    for name in (
        "size",
        "komi",
        "rules",
        "result",
        "black_rating",
        "white_rating",
        "handicap",
        "black",
        "first",
        "moves",
    ):
        assert getattr(back, name) == getattr(record, name)
    assert back.result == "W+R"
    assert back.moves[1][0] == back.moves[0][0] == tesuji.WHITE
    (target,) = back.targets
    assert target.position == 1
    np.testing.assert_allclose([p for _, p in target.policy], [0.25, 0.75], atol=1e-4)
    assert (target.white_score, target.white_ownership) == (None, [])


def test_packing_what_was_unpacked_gives_the_same_bytes(tmp_path: Path) -> None:
    record = record_of(60, size=9)
    # Forty times 655.35 of 65535 steps are rounded down: what is kept sums to less than one.
    record.add_target(3, policy=[(0, 0.6), *((point, 0.01) for point in range(1, 41))])
    first, second = tmp_path / "first.games", tmp_path / "second.games"
    pack_games([record], first)
    pack_games([GameSet(first).record(0)], second)
    assert first.read_bytes() == second.read_bytes()
