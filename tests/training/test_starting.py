"""Where a new network begins from the weights of another."""

import pytest
import torch

from tesuji import networks
from tesuji.networks import TorchEvaluator
from tesuji.training.run.starting import begin_from, for_planes


def test_a_network_that_counts_begins_as_one_that_reads_komi_from_its_planes() -> None:
    torch.manual_seed(1)
    old = networks.create("a0.conv.bin.3.16+pass+norelu+komi+ownership", planes="golois-31", size=9).eval()
    new = networks.create("gpool.3.16", size=9).eval()
    fresh = begin_from(new, for_planes(dict(old.state_dict()), "golois-31", "golois-21", 9))
    assert "trunk.3.pooling.0.weight" in fresh
    planes = (torch.rand(4, 31, 9, 9) < 0.3).float()
    planes[:, 21:] = 0
    planes[:, 28] = 1  # komi 7
    planes[:, 0] = 1
    before = TorchEvaluator(old)(planes.numpy(), [7.0] * 4)
    after = TorchEvaluator(new)(planes[:, :21].numpy(), [7.0] * 4)
    torch.testing.assert_close(torch.from_numpy(after.policy), torch.from_numpy(before.policy))
    assert after.black_ownership is not None
    assert before.black_ownership is not None
    torch.testing.assert_close(torch.from_numpy(after.black_ownership), torch.from_numpy(before.black_ownership))


def test_planes_that_are_new_change_nothing_at_first() -> None:
    torch.manual_seed(1)
    old = networks.create("gpool.2.16", planes="golois-21", size=9).eval()
    new = networks.create("gpool.2.16", planes="human-30", size=9).eval()
    assert begin_from(new, for_planes(dict(old.state_dict()), "golois-21", "human-30", 9)) == []
    planes = torch.rand(4, 30, 9, 9)
    before = TorchEvaluator(old)(planes[:, :21].numpy(), [7.0] * 4)
    after = TorchEvaluator(new)(planes.numpy(), [7.0] * 4)
    torch.testing.assert_close(torch.from_numpy(after.policy), torch.from_numpy(before.policy))


def test_another_trunk_is_refused() -> None:
    old, new = (networks.create(f"gpool.{blocks}.16", size=9) for blocks in (2, 3))
    with pytest.raises(ValueError, match="begin from weights of the same trunk"):
        begin_from(new, dict(old.state_dict()))
