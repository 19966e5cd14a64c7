"""Games to start with: some thousands of our own self-play, which come with the package; no stranger's games."""

import lzma
import os
from pathlib import Path

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.training.data.game_set import GameSet

SAMPLES = Path(__file__).parent / "samples"
_NAME = "selfplay-{size}x{size}.games.xz"


def sample_sizes() -> list[int]:
    """The board sizes of which there are games."""
    return sorted(int(file.name.split("-")[1].split("x")[0]) for file in SAMPLES.glob(_NAME.format(size="*")))


def sample_games(path: str | os.PathLike[str] = "sample.games", size: int = 9) -> GameSet:
    """Writes the games that come with Tesuji as a packed file, and opens it.

        games = tesuji.sample_games("sample.games")
        tesuji.fit("se.4.64.32", "sample.games", minutes=5)

    They are of `default-9x9` against itself at a few visits a move, with what its searches found in some positions:
    enough to try everything, too few and too weak for a strong network.
    """
    sizes = sample_sizes()
    if size not in sizes:
        known = " and ".join(f"{lines}x{lines}" for lines in sizes)
        raise InputError(f"no games of {size}x{size} come with Tesuji, only of {known}; `tesuji selfplay` makes others")
    write_atomically(path, lzma.decompress((SAMPLES / _NAME.format(size=size)).read_bytes()))
    return GameSet(path)
