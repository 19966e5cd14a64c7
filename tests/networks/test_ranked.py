"""Networks that are told a rank, and the built-in one that imitates people."""

from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import Game, InputError
from tesuji._core import rank_inputs
from tesuji.features.evaluation import ConstantEvaluator, Evaluation, Floats
from tesuji.networks import library
from tesuji.networks.evaluators.ranked import Ranked
from tesuji.networks.evaluators.wrappers import Joined
from tesuji.training.data.real_positions import real_positions


class Watching(ConstantEvaluator):
    """Remembers what it was shown."""

    def __call__(self, planes: Floats, komi: object) -> Evaluation:
        self.seen = planes.copy()
        return super().__call__(planes, [7.0] * len(planes))


def test_a_rank_fills_the_last_planes_and_leaves_the_callers_alone() -> None:
    inner = Watching(planes="human-30")
    planes = tesuji.encode([Game(size=9)], "human-30")
    before = planes.copy()
    Ranked(inner, "12k")(planes, [7.0])
    np.testing.assert_array_equal(planes, before)
    np.testing.assert_array_equal(inner.seen[:, :21], before[:, :21])
    np.testing.assert_allclose(inner.seen[0, 21:, 4, 4], rank_inputs("12k")[1])
    assert Ranked(inner, "12 kyu").name == "constant@12k"


def test_a_network_without_ranks_is_told_none() -> None:
    with pytest.raises(InputError, match="asks for no rank; leave out @12k"):
        Ranked(ConstantEvaluator(), "12k")


@pytest.mark.parametrize("rank", ["40k", "god", "12"])
def test_what_is_no_rank_is_refused(rank: str) -> None:
    with pytest.raises(ValueError, match="write 30k to 1k or 1d to 9d"):
        tesuji.load(f"human-9x9@{rank}")


def test_a_value_network_may_read_the_first_planes_alone() -> None:
    value = Watching(value=0.75)
    joined = Joined(ConstantEvaluator(planes="human-30"), value)
    assert joined(tesuji.encode([Game(size=9)], "human-30"), [7.0]).value.tolist() == [0.75]
    assert value.seen.shape == (1, 21, 9, 9)
    with pytest.raises(InputError, match="both must read the same planes"):
        Joined(ConstantEvaluator(), ConstantEvaluator(planes="human-30"))


def test_names_with_a_rank(tmp_path: Path) -> None:
    assert library.split_rank("human-9x9@12k") == ("human-9x9", "12k")
    assert library.split_rank("human-9x9") == ("human-9x9", "")
    assert library.find("human-9x9@12k") == library.find("human-9x9")
    odd = tmp_path / "mine@home.onnx"
    odd.write_bytes(b"")
    assert library.split_rank(odd) == (str(odd), "")
    inside = tmp_path / "me@home" / "net.onnx"
    assert library.split_rank(inside) == (str(inside), "")
    assert library.split_rank(f"{inside}@5k") == (str(inside), "5k")


def test_stronger_people_play_the_engines_favourite_more_often() -> None:
    shown = real_positions("human-30", 9, 200)
    engine = tesuji.load("default-9x9")
    best = engine(np.ascontiguousarray(shown.planes[:, :21]), shown.komi).policy.argmax(1)
    shares = {}
    for rank in ("20k", "8k", "3d"):
        said = tesuji.load(f"human-9x9@{rank}")(shown.planes, shown.komi).policy
        np.testing.assert_allclose(said.sum(1), 1, atol=1e-4)
        shares[rank] = float(said[np.arange(200), best].mean())
    assert shares["20k"] + 0.03 < min(shares["8k"], shares["3d"])


def test_a_person_plays_a_whole_game_and_repeats_it_by_its_seed() -> None:
    def played(visits: int, seed: int, moves: int) -> list[int]:
        player, game = tesuji.human_player("12k", visits=visits, seed=seed), Game(size=9)
        while not game.is_over and game.move_count < moves:
            game.play(player.move(game).move)
        return [move for _, move in game.moves]

    assert played(0, 1, 12) == played(0, 1, 12)
    assert len({tuple(played(0, seed, 12)) for seed in range(4)}) > 1
    assert len(played(8, 1, 6)) == 6
    assert len(played(0, 2, 200)) < 200  # it passes when nothing is left


def test_bad_wishes() -> None:
    with pytest.raises(InputError, match="no rank '0k'"):
        tesuji.human_player("0k")
    with pytest.raises(InputError, match="visits is -1"):
        tesuji.human_player("5k", visits=-1)
