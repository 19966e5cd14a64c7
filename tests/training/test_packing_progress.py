"""How far packing has come: it must show within one large file too."""

from pathlib import Path

import numpy as np
import pytest

from tesuji.training.data.packing import pack

RECORDS = 10_000


def write_games_data(path: Path) -> None:
    path.write_text(f"{RECORDS}\n" + "7.5 B 2\n0 1 0.5 0\n1 2 0.5 0\n" * RECORDS)


def write_teacher(path: Path) -> None:
    policy = np.zeros((RECORDS, 10), np.float16)
    policy[:, 4] = 1
    np.savez(
        path,
        moves=np.full(RECORDS, b"aa"),
        komi=np.full(RECORDS, 7, np.float16),
        policy=policy,
        white_winrate=np.full(RECORDS, 0.5, np.float16),
        white_score=np.zeros(RECORDS, np.float16),
        white_ownership=np.zeros((RECORDS, 9), np.int8),
    )


@pytest.mark.parametrize("before", [0, 1], ids=["alone", "after another"])
@pytest.mark.parametrize("name", ["games.data", "teacher.npz"])
def test_the_share_grows_within_one_file(name: str, before: int, tmp_path: Path) -> None:
    source = tmp_path / name
    (write_teacher if source.suffix == ".npz" else write_games_data)(source)
    seen: list[tuple[int, float]] = []
    report = pack(
        [source] * (1 + before),
        tmp_path / "out.games",
        threads=1,
        drop_duplicates=False,
        progress=lambda so_far: seen.append((so_far.read, so_far.done)),
    )
    assert report.kept == RECORDS * (1 + before)
    shares = [done for _, done in seen]
    assert shares == sorted(shares)
    assert len(set(shares)) > 5
    assert shares[-1] == 1
    for read, done in seen[:-4]:  # a few parts are always under way
        assert done == pytest.approx(read / report.read, abs=0.45 / (1 + before))
