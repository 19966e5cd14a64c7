"""A sample of real games; `python -m tests.go.replay_all` replays all of them."""

from itertools import islice
from pathlib import Path

import pytest

from tests.go.real_games import DATA, is_counted_by_area, lines, replay

FILES = sorted(DATA.glob("*.sgfs.xz"))
needs_data = pytest.mark.skipif(not FILES, reason=f"no real games: {DATA} is not there")


@needs_data
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_real_games_are_legal_and_count_as_stated(path: Path) -> None:
    counted = filter(is_counted_by_area, islice(lines(path), 4000))
    tally = replay(islice(counted, 60), path.name)
    assert tally.illegal == []
    if "cgos" in path.name:
        assert tally.games == 60
        assert tally.other_score == []


@needs_data
def test_a_wrong_result_would_be_noticed() -> None:
    path = next(path for path in FILES if "cgos" in path.name)
    game = next(filter(is_counted_by_area, lines(path)))
    assert replay(iter([game.replace("KM[7]", "KM[6]")]), "one").other_score
    assert replay(iter([game.replace(";B[", ";B[aa];B[aa];B[", 1)]), "one").illegal
