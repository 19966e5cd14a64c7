"""What planes and tree do, in one word: a search whose answers follow from the planes themselves."""

import hashlib
from collections.abc import Sequence

import numpy as np

from tesuji._core import Game, play_out
from tesuji.features.evaluation import Evaluation, Floats, NetworkInfo
from tesuji.search.options import PAPERS_SEARCH, SearchOptions
from tesuji.search.search import Search


class PlanesDecide:
    """Answers drawn from the bytes of a position's planes: whoever changes a plane changes the search."""

    name = "planes-decide"
    has_pass = True
    komi_grid: Floats | None = None
    info = NetworkInfo()

    def __init__(self, planes: str) -> None:
        self.planes = planes

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        moves = planes.shape[-1] ** 2 + 1
        drawn = np.stack([_bytes_of(row, moves + 1) for row in planes]).astype(np.float32) + 1
        policy = drawn[:, :moves] ** 2  # whole numbers, so that no rounding tells machines apart
        return Evaluation(policy / policy.sum(axis=1, keepdims=True), (drawn[:, moves] / 257).astype(np.float32))

    def plays(self, size: int) -> bool:
        return True


def _bytes_of(row: Floats, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(hashlib.shake_128(row.tobytes()).digest(count), np.uint8)


def signature(positions: int = 6, visits: int = 150) -> str:
    """One short word for what the encoder and the tree do; a change that claims to keep behaviour keeps it."""
    digest = hashlib.sha256()
    for seed in range(positions):
        planes = ("golois-31", "golois-21", "agz-17", "alphago-47")[seed % 4]
        game = Game(size=(5, 9)[seed % 2], komi=7.5, rules=("tromp-taylor", "chinese", "japanese")[seed % 3])
        play_out(game, seed, max_moves=4 * seed)
        # Not our defaults: other ones are not another behaviour.
        result = Search(PlanesDecide(planes), SearchOptions(**PAPERS_SEARCH), visits=visits).run(game)
        digest.update(repr([(move.move, move.visits) for move in result.moves]).encode())
    return digest.hexdigest()[:12]
