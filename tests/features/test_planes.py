"""The fast encoder against the slow one, and drawn positions for the planes a reader would doubt."""

import lzma
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.features import slow_planes
from tests.features.slow_planes import SlowPosition
from tesuji import PlaneSet
from tesuji.features.symmetry import transform

SETS = PlaneSet.names()
SHARED = Path(__file__).parents[2].parent / "shared" / "data"


class Follower:
    """Plays a game and keeps beside it all that the slow encoder asks for."""

    def __init__(self, size: int, komi: float, handicap: tesuji.Board | None = None) -> None:
        """With handicap stones White plays first."""
        self.game = tesuji.Game(size=size, komi=komi, rules="chinese")
        stones = handicap.stones(tesuji.BLACK) if handicap is not None else []
        if stones:
            self.game.setup(black=stones, to_play=tesuji.WHITE)
        board = {divmod(stone, size): "X" for stone in stones}
        self.slow = SlowPosition(size, "O" if stones else "X", komi, [board], [])

    def play(self, move: int) -> None:
        slow, color = self.slow, self.slow.to_play
        self.game.play(move)
        place = None if move == tesuji.PASS else divmod(move, slow.size)
        stones = slow.boards[0]
        result = stones if place is None else slow.after(stones, place, color)
        assert result is not None
        slow.ko = None if place is None else slow.ko_after(stones, result, place)
        slow.boards.insert(0, result)
        slow.moves.insert(0, place)
        slow.to_play = slow_planes.other(color)

    def compare(self, planes: str) -> bool:
        """Whether the two encoders were compared: a ladder beyond the limits of reading is left out."""
        fast = tesuji.encode([self.game], planes)[0]
        try:
            slow = slow_planes.encode(self.slow, planes)
        except slow_planes.TooDeepError:
            return False
        for channel, name in enumerate(PlaneSet.named(planes).channel_names):
            np.testing.assert_array_equal(fast[channel], slow[channel], err_msg=f"{name}\n{self.game}")
        return True


def random_move(follower: Follower, rng: random.Random) -> int:
    """Mostly near the last stones, so that fights, ladders and kos arise."""
    legal = follower.game.legal_moves()
    if rng.random() < 0.02 or len(legal) == 1:
        return int(tesuji.PASS)
    recent = [move for move in follower.slow.moves[:4] if move is not None]
    places = [(move, *divmod(move, follower.slow.size)) for move in legal[:-1]]
    near = [move for move, row, col in places if any(abs(row - r) + abs(col - c) <= 2 for r, c in recent)]
    return rng.choice(near if near and rng.random() < 0.7 else legal[:-1])


@pytest.mark.parametrize(("size", "games", "every"), [(5, 12, 1), (9, 5, 2), (13, 1, 20), (19, 1, 40)])
def test_fast_planes_equal_the_slow_ones(size: int, games: int, every: int) -> None:
    rng = random.Random(size)
    compared = skipped = 0
    for _ in range(games):
        follower = Follower(size, rng.choice([0.0, 0.5, 5.5, 7.0, 9.5, 11.5, -3.5]))
        for turn in range(size * size * 3 // 2):
            follower.play(random_move(follower, rng))
            if turn % every == 0:
                for planes in SETS:
                    if follower.compare(planes):
                        compared += 1
                    else:
                        skipped += 1
    assert compared > 10 * skipped
    assert compared > 50


@pytest.mark.parametrize("planes", SETS)
def test_every_symmetry_moves_every_plane(planes: str) -> None:
    rng = random.Random(1)
    for size in (5, 9, 19):
        follower = Follower(size, 7.5)
        for _ in range(size * size // 2):
            follower.play(random_move(follower, rng))
        plain = tesuji.encode([follower.game], planes)
        turned = tesuji.encode([follower.game] * 8, planes, symmetry=range(8))
        for symmetry in range(8):
            np.testing.assert_array_equal(turned[symmetry], transform(plain[0], symmetry))


@pytest.mark.parametrize("planes", SETS)
def test_a_set_knows_its_names_and_size(planes: str) -> None:
    chosen = PlaneSet.named(planes)
    assert chosen.channels == len(chosen.channel_names) == int(planes.split("-")[1])
    assert len(set(chosen.channel_names)) == chosen.channels
    game = tesuji.Game(size=9)
    game.play("E5")
    floats = tesuji.encode([game, game], planes)
    assert floats.shape == (2, chosen.channels, 9, 9)
    assert floats.dtype == np.float32
    small = tesuji.encode([game, game], planes, dtype=np.uint8)
    assert small.dtype == np.uint8
    np.testing.assert_array_equal(small, floats)


def test_encoding_leaves_the_game_as_it_was() -> None:
    rng = random.Random(3)
    follower = Follower(9, 7)
    for _ in range(60):
        follower.play(random_move(follower, rng))
    before = follower.game.hash
    for planes in SETS:
        tesuji.encode([follower.game], planes)
    assert follower.game.hash == before


def test_a_lost_chain_is_drawn_and_the_chains_beside_it() -> None:
    game = tesuji.Game(size=5)
    game.setup(black=["A1"], white=["B1", "B2", "A3"])  # A2 does not help: it is suicide
    planes = tesuji.encode([game], "golois-21")[0]
    assert np.argwhere(planes[1]).tolist() == [[4, 0]]
    assert np.argwhere(planes[2]).tolist() == [[3, 1], [4, 1]]
    assert planes[3:5].sum() == 0


def test_ancient_history_is_empty_and_setup_is_not_history() -> None:
    game = tesuji.Game(size=9)
    game.setup(black=["E5"], white=[])
    planes = tesuji.encode([game], "agz-17")[0]
    assert planes[:2].sum() == 1
    assert planes[2:16].sum() == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: tesuji.encode([g], "golois-22"), "no plane set 'golois-22'; known: golois-21"),
        (lambda g: tesuji.encode([], "agz-17"), "no games"),
        (lambda g: tesuji.encode([g], "agz-17", symmetry=8), "0 to 7"),
        (lambda g: tesuji.encode([g], "agz-17", symmetry=[0, 1]), "2 symmetries for 1 games"),
        (lambda g: tesuji.encode([g], "agz-17", dtype=np.float64), "float32 or uint8, not float64"),
        (lambda g: tesuji.encode([g, tesuji.Game(size=19)], "agz-17"), "differ in board size"),
    ],
)
def test_bad_requests_are_refused_in_one_line(call: Callable[[tesuji.Game], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(tesuji.Game(size=9))


REAL = [
    ("9x9_human", 16, 5), ("9x9_cgos_strong", 12, 5), ("9x9_cgos_mid", 12, 5), ("9x9_handicap", 12, 4),
    ("13x13_pro", 4, 3), ("19x19_kgs_6d", 2, 3), ("19x19_pro_modern", 2, 3), ("19x19_pro_classic", 2, 3),
    ("19x19_ai", 2, 3), ("19x19_tygem_top", 2, 3), ("19x19_handicap", 2, 3),
]  # fmt: skip


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data in {SHARED}")
@pytest.mark.parametrize(("name", "games", "each"), REAL)
def test_fast_planes_equal_the_slow_ones_on_real_games(name: str, games: int, each: int) -> None:
    """Some positions of each game, its last one among them; handicap stones are no history."""
    rng = random.Random(name)
    compared = 0
    with lzma.open(SHARED / f"{name}.sgfs.xz") as lines:
        for line in islice(lines, games):
            real = tesuji.read_sgf(line)
            follower = Follower(real.size, real.komi, real.start_board)
            chosen = {*rng.sample(range(len(real.moves)), each - 1), len(real.moves) - 1}
            for number, (_, move) in enumerate(real.moves):
                follower.play(move)
                if number in chosen:
                    compared += sum(follower.compare(planes) for planes in SETS)
    assert compared >= 0.8 * games * each * len(SETS)
