"""Steps of kernels that are made orthogonal."""

import copy

import torch
from torch import nn

from tesuji.training.run.muon import Muon, is_wide, orthogonal


def test_singular_values_come_near_one() -> None:
    torch.manual_seed(1)
    for shape in ((24, 90), (90, 24)):
        matrix = torch.randn(shape) @ torch.diag(torch.linspace(0.2, 1, shape[1]))
        before, after = (torch.linalg.svdvals(found) for found in (matrix, orthogonal(matrix)))
        assert before.max() / before.min() > 2.5
        assert after.min() > 0.4
        assert after.max() < 1.3


def test_directions_stay() -> None:
    torch.manual_seed(1)
    matrix = torch.randn(20, 50)
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    turned = left.T @ orthogonal(matrix) @ right.T
    off = turned - torch.diag(torch.diagonal(turned))
    assert off.abs().max() < 1e-3


def test_wide_kernels_take_orthogonal_steps_and_all_else_those_of_adamw() -> None:
    torch.manual_seed(1)
    network = nn.Sequential(nn.Conv2d(16, 32, 3), nn.BatchNorm2d(32), nn.Conv2d(32, 1, 1))
    assert [is_wide(parameter) for parameter in network.parameters()] == [True, False, False, False, False, False]
    twin = nn.Sequential(nn.Conv2d(16, 32, 3), nn.BatchNorm2d(32), nn.Conv2d(32, 1, 1))
    twin.load_state_dict(network.state_dict())
    muon, adamw = Muon(network.parameters(), lr=0.01), torch.optim.AdamW(twin.parameters(), lr=0.01)
    kernel = next(network.parameters()).detach().clone()
    planes = torch.randn(4, 16, 5, 5)
    for model, steps in ((network, muon), (twin, adamw)):
        model(planes).square().mean().backward()
        model[0].weight.grad = torch.sin(torch.arange(32 * 144.0) ** 2).view(32, 16, 3, 3)  # no direction is weak
        steps.step()
    for mine, theirs in list(zip(network.parameters(), twin.parameters(), strict=True))[1:]:
        assert torch.equal(mine, theirs)
    step = (next(network.parameters()).detach() - kernel * (1 - 0.01 * 0.01)).flatten(1)
    lengths = torch.linalg.svdvals(step) / (0.01 * 0.2 * 144**0.5)
    assert lengths.min() > 0.4
    assert lengths.max() < 1.3


def test_a_run_goes_on_where_it_was_left() -> None:
    torch.manual_seed(1)
    planes = torch.randn(8, 4, 16, 5, 5)

    def stepped(network: nn.Sequential, steps: Muon, batches: torch.Tensor) -> None:
        for batch in batches:
            network(batch).square().mean().backward()
            steps.step()
            steps.zero_grad()

    whole = nn.Sequential(nn.Conv2d(16, 32, 3), nn.Conv2d(32, 1, 1))
    muon = Muon(whole.parameters(), lr=0.01)
    stepped(whole, muon, planes[:4])
    resumed = nn.Sequential(nn.Conv2d(16, 32, 3), nn.Conv2d(32, 1, 1))
    resumed.load_state_dict(whole.state_dict())
    again = Muon(resumed.parameters(), lr=0.01)
    again.load_state_dict(copy.deepcopy(muon.state_dict()))
    stepped(whole, muon, planes[4:])
    stepped(resumed, again, planes[4:])
    for mine, theirs in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(mine, theirs)
