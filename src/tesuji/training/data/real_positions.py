"""Positions to calibrate and compare networks with: of a packed file, or of a small sample of self-play."""

from pathlib import Path

from tesuji.base.errors import InputError
from tesuji.networks.evaluators.comparison import Positions
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.sample_games import SAMPLES


def real_positions(planes: str, size: int, count: int, source: Path | None = None, seed: int = 1) -> Positions:
    """`count` positions drawn from the games of `source`, or of the sample that comes with Tesuji.

    Raises `InputError` where there is no sample of this size, or the file holds fewer positions.
    """
    path = source or SAMPLES / f"{size}x{size}.games"
    if not path.is_file():
        missing = f"no packed file '{source}'" if source else f"there is no sample of {size}x{size} games"
        raise InputError(f"{missing}; name a packed file (`tesuji data pack` makes one)")
    games = GameSet(path, size=size)
    held = int(games.table()["moves"].sum())
    if held < count:
        raise InputError(f"{path.name} holds {held} positions of {size}x{size}; {count} are needed")
    batch = games.batch(count, planes, seed=seed, positions="positions")
    return Positions(batch.planes, batch.komi)
