"""Where a new network begins from the weights of another."""

from pathlib import Path

import pytest
import torch

from tesuji import networks
from tesuji.networks import TorchEvaluator
from tesuji.training.run import checkpoints
from tesuji.training.run.growing import grown
from tesuji.training.run.starting import begin_from, for_planes, weights_file


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


@pytest.mark.parametrize("family", ["gpool", "residual", "a0.conv"])
@pytest.mark.parametrize(("blocks", "filters"), [(3, 24), (5, 16), (5, 24)])
def test_a_larger_network_says_at_first_what_the_smaller_one_says(family: str, blocks: int, filters: int) -> None:
    torch.manual_seed(1)
    old = _lived_in(networks.create(f"{family}.3.16", planes="golois-21", size=9))
    new = networks.create(f"{family}.{blocks}.{filters}", planes="golois-21", size=9).eval()
    assert begin_from(new, grown(new, dict(old.state_dict()), f"{family}.3.16")) == []
    planes = (torch.rand(4, 21, 9, 9) < 0.3).float()
    before, after = (TorchEvaluator(net)(planes.numpy(), [7.0] * 4) for net in (old, new))
    torch.testing.assert_close(torch.from_numpy(after.policy), torch.from_numpy(before.policy))
    torch.testing.assert_close(torch.from_numpy(after.value), torch.from_numpy(before.value))


@pytest.mark.parametrize("family", ["gpool", "residual", "a0.conv"])
def test_every_part_of_a_larger_network_learns_within_two_steps(family: str) -> None:
    torch.manual_seed(1)
    old = _lived_in(networks.create(f"{family}.3.16", planes="golois-21", size=9))
    new = networks.create(f"{family}.4.24", planes="golois-21", size=9)
    begin_from(new, grown(new, dict(old.state_dict()), f"{family}.3.16"))
    before = {name: weight.detach().clone() for name, weight in new.named_parameters()}
    steps = torch.optim.SGD(new.parameters(), lr=0.1)
    for _ in range(2):
        outputs = new(torch.rand(8, 21, 9, 9), torch.full((8,), 7.0))
        steps.zero_grad()
        (outputs.policy.log_softmax(1)[:, 40].sum() + outputs.value.square().sum()).backward()
        steps.step()
    still = [name for name, weight in new.named_parameters() if torch.equal(weight, before[name])]
    assert [name for name in still if name.startswith("trunk")] == []


def _lived_in(network: networks.Network) -> networks.Network:
    """Batch norms and heads as after some training: nothing is at its first value."""
    for name, tensor in network.state_dict().items():
        if tensor.is_floating_point():
            tensor += 0.1 * torch.rand_like(tensor) if "running_var" in name else 0.1 * torch.randn_like(tensor)
    return network.eval()


def test_a_run_is_begun_from_at_its_best_not_at_its_newest(tmp_path: Path) -> None:
    """Training and learning both ask `weights_file` what a folder means."""
    (checkpoints.folder_of(tmp_path) / "step-000000100").mkdir(parents=True)
    (tmp_path / "best.safetensors").touch()
    assert checkpoints.newest(tmp_path) is not None
    assert weights_file(str(tmp_path)) == tmp_path / "best.safetensors"
