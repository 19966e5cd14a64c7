"""Positions as if they had been set up: what a network is shown of them."""

import numpy as np
import pytest
import torch

from tests.training.packed import packed
from tesuji import BLACK, Game, encode
from tesuji.features.planes import plane_set
from tesuji.training.data.game_set import GameSet
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.config import ConfigError
from tesuji.training.run.forgetting import Forgetting

PLANES = "golois-21"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return packed(tmp_path_factory.mktemp("data") / "train.games", 40)


def drawn(data: str) -> TensorBatch:
    return TensorBatch.of(GameSet(data).batch(64, PLANES, seed=3))


def past(batch: TensorBatch) -> torch.Tensor:
    """How many points each row shows of each earlier position."""
    return batch.planes[:, 13:].sum((2, 3))


def test_a_board_set_up_has_no_past() -> None:
    """What is imitated: the planes of all earlier positions are empty."""
    game = Game(size=9)
    game.setup(black=[0, 1], white=[40], to_play=BLACK)
    names = plane_set(PLANES).channel_names
    assert all(name.endswith(" before") for name in names[13:])
    assert not np.any(encode([game], PLANES)[0, 13:])


def test_the_present_stays_and_the_past_goes_from_some_move_on(data: str) -> None:
    before, after = drawn(data), Forgetting(1.0, PLANES)(drawn(data), seed=1)
    assert torch.equal(before.planes[:, :13], after.planes[:, :13])
    shown = past(after).reshape(len(after), 4, 2).sum(2) > 0
    assert not (shown[:, 1:] & ~shown[:, :-1]).any()
    assert not shown[:, 3].any()
    assert shown[:, 0].any()
    assert not shown[:, 0].all()


def test_a_share_of_the_positions_forgets_the_same_ones_for_a_seed(data: str) -> None:
    first, again, other = (Forgetting(0.3, PLANES)(drawn(data), seed) for seed in (1, 1, 2))
    touched = (first.planes != drawn(data).planes).flatten(1).any(1).float().mean()
    assert 0.1 < touched < 0.5
    assert torch.equal(first.planes, again.planes)
    assert not torch.equal(first.planes, other.planes)


def test_nothing_is_forgotten_unless_told(data: str) -> None:
    assert torch.equal(Forgetting(0.0, PLANES)(drawn(data), seed=1).planes, drawn(data).planes)


def test_planes_without_a_past_have_nothing_to_forget() -> None:
    with pytest.raises(ConfigError, match="the planes alphago-47 show nothing of the past"):
        Forgetting(0.1, "alphago-47")
