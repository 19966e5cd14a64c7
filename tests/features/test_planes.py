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
from tests.features.follower import Follower, random_move
from tests.features.slow_ladders import TooDeepError
from tesuji import PlaneSet
from tesuji.features.symmetry import transform

SETS = PlaneSet.names()
DRAWN = [name for name in SETS if name != "katago-v7"]  # which has a plain counterpart and tests of its own
SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def compare(follower: Follower, planes: str) -> bool:
    """Whether the two encoders were compared: a ladder beyond the limits of reading is left out."""
    fast = tesuji.encode([follower.game], planes)[0]
    try:
        slow = slow_planes.encode(follower.slow, planes)
    except TooDeepError:
        return False
    for channel, name in enumerate(PlaneSet.named(planes).channel_names):
        np.testing.assert_array_equal(fast[channel], slow[channel], err_msg=f"{name}\n{follower.game}")
    return True


@pytest.mark.parametrize(("size", "games", "every"), [(5, 12, 1), (9, 5, 2), (13, 1, 20), (19, 1, 40)])
def test_fast_planes_equal_the_slow_ones(size: int, games: int, every: int) -> None:
    rng = random.Random(size)
    compared = skipped = 0
    for _ in range(games):
        follower = Follower(size, rng.choice([0.0, 0.5, 5.5, 7.0, 9.5, 11.5, -3.5]))
        for turn in range(size * size * 3 // 2):
            follower.play(random_move(follower, rng))
            if turn % every == 0:
                for planes in DRAWN:
                    if compare(follower, planes):
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
    assert chosen.channels == len(chosen.channel_names)
    assert planes.endswith((f"-{chosen.channels}", "-v7"))
    assert len(set(chosen.channel_names)) == chosen.channels
    game = tesuji.Game(size=9)
    game.play("E5")
    floats = tesuji.encode([game, game], planes)
    assert floats.shape == (2, chosen.channels, 9, 9)
    assert floats.dtype == np.float32
    if not chosen.binary:
        with pytest.raises(ValueError, match=f"the planes {planes} hold more than zeros and ones; take float32"):
            tesuji.encode([game], planes, dtype=np.uint8)
        return
    small = tesuji.encode([game, game], planes, dtype=np.uint8)
    assert small.dtype == np.uint8
    np.testing.assert_array_equal(small, floats)


def test_a_set_knows_what_it_shows() -> None:
    facts = {
        name: (chosen.history, chosen.reads_komi, chosen.binary, chosen.global_inputs)
        for name, chosen in ((name, PlaneSet.named(name)) for name in SETS)
    }
    assert facts == {
        "golois-21": (5, False, True, 0),
        "golois-31": (5, True, True, 0),
        "agz-17": (8, False, True, 0),
        "toronto-18": (8, False, True, 0),
        "alphago-47": (8, False, True, 0),
        "leela-18": (8, False, True, 0),
        "katago-v7": (6, True, False, 20),
        "human-30": (5, False, False, 9),
    }


@pytest.mark.parametrize("planes", SETS)
def test_only_what_a_set_claims_to_read_changes_its_planes(planes: str) -> None:
    """Two games that differ in komi, or in a position before the history, look alike unless the set says so."""
    chosen = PlaneSet.named(planes)
    moves = [0, 2, 4, 6, 18, 20, 22, 24, 36, 38, 40, 42]
    low, high, moved = (tesuji.Game(size=9, komi=komi, rules="chinese") for komi in (3.5, 6.5, 3.5))
    for game, order in ((low, moves), (high, moves), (moved, [*moves[2:4], *moves[:2], *moves[4:]])):
        for move in order:
            game.play(move)
    assert chosen.reads_komi == bool((tesuji.encode([low], planes) != tesuji.encode([high], planes)).any())
    assert chosen.history <= 9
    np.testing.assert_array_equal(tesuji.encode([low], planes), tesuji.encode([moved], planes))


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
        (lambda g: tesuji.encode([g], "golois-22"), "no plane set 'golois-22'; did you mean 'golois-21'"),
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
                    compared += sum(compare(follower, planes) for planes in DRAWN)
    assert compared >= 0.8 * games * each * len(DRAWN)
