"""Heads that count: win rate, score, ownership and komi agree, whatever the weights are."""

import pytest
import torch

from tests.networks.small import random_input
from tesuji import networks
from tesuji.networks.onnx.outputs import EvaluationOutputs
from tesuji.networks.zoo.count_heads import CountValue
from tesuji.networks.zoo.layers import Silent


def shaken(name: str = "gpool.3.16", size: int = 9) -> networks.Network:
    """A network whose silent layers speak as well."""
    torch.manual_seed(5)
    network = networks.create(name, size=size)
    for parameter in network.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return network.eval()


@pytest.mark.parametrize("size", [5, 9])
def test_the_value_falls_with_komi(size: int) -> None:
    network = shaken(size=size)
    planes = random_input(network, batch=1).expand(161, -1, -1, -1)
    value = network(planes, torch.linspace(-40, 40, 161)).value  # White to play: komi is good
    assert network.black_sign(planes)[0] < 0
    assert (value.diff() >= -1e-5).all()
    assert value[-1] > value[0]


def test_nothing_but_the_policy_changes_with_komi() -> None:
    network = shaken()
    planes = random_input(network, batch=1).expand(2, -1, -1, -1)
    outputs = network(planes, torch.tensor([-5.0, 15.0]))
    for field in ("score", "black_score", "ownership"):
        output = getattr(outputs, field)
        torch.testing.assert_close(output[0], output[1])
    assert not torch.allclose(outputs.policy[0], outputs.policy[1])


def test_the_score_begins_as_the_sum_of_the_ownership() -> None:
    network = networks.create("gpool.3.16", size=9).eval()
    judged = dict(
        zip(
            EvaluationOutputs(network).names,
            EvaluationOutputs(network)(random_input(network), torch.zeros(3)),
            strict=True,
        )
    )
    torch.testing.assert_close(judged["black_score"], judged["black_ownership"].sum((1, 2)), atol=2, rtol=0)


def test_a_settled_board_is_counted_and_a_lead_does_not_saturate() -> None:
    value = CountValue(4, limit=81, side=9)
    with torch.no_grad():
        for parameter in value.output.parameters():
            parameter.zero_()
        last = value.output[0]
        assert isinstance(last, torch.nn.Linear)
        last.bias[8:12] = torch.tensor([9.0, 0.0, 0.0, 0.0])  # all the weight on the narrowest part
        owned = torch.ones(2, 9, 9)
        owned[0, :4] = -1  # 45 against 36 points: 9 more
        chances = torch.softmax(value.eval()(torch.zeros(2, 4, 9, 9), owned, torch.ones(2)), 1)
    assert chances.argmax(1).tolist() == [81 + 9, 81 + 81]
    assert chances[0, 81 + 9 - 1 : 81 + 9 + 2].sum() > 0.9


def test_a_score_of_the_wrong_parity_can_be_unlikely() -> None:
    value = CountValue(4, limit=20, side=5)
    with torch.no_grad():
        for parameter in value.output.parameters():
            parameter.zero_()
        last = value.output[0]
        assert isinstance(last, torch.nn.Linear)
        last.bias[12] = 5.0
        chances = torch.softmax(value.eval()(torch.zeros(1, 4, 5, 5), torch.zeros(1, 5, 5), torch.ones(1)), 1)[0]
    even = (value.scores % 2) == 0
    assert chances[even].sum() < 0.02


def test_what_black_leads_by_white_lacks() -> None:
    torch.manual_seed(1)
    value = CountValue(4, limit=81, side=9).eval()
    for parameter in value.parameters():
        torch.nn.init.normal_(parameter, 0, 0.5)
    features, owned = torch.randn(5, 4, 9, 9), torch.tanh(torch.randn(5, 9, 9))
    with torch.no_grad():
        black, white = (value(features, owned, sign * torch.ones(5)) for sign in (1, -1))
    torch.testing.assert_close(black.flip(1), white)
    assert (black - white).abs().max() > 1


def test_planes_that_show_komi_are_refused() -> None:
    with pytest.raises(ValueError, match="must not show it"):
        networks.describe("gpool.6.64", planes="golois-31")


def test_counting_brings_the_ownership_along() -> None:
    described = networks.describe("se.2.32.16+count", size=9)
    assert {"ownership", "score", "black_score", "value"} <= set(described.heads)
    assert described.komi_limit == 81
    assert networks.describe("se.2.32.16+count", size=19).komi_limit == 361


def test_new_parts_begin_silent() -> None:
    network = networks.create("gpool.6.64", size=9)
    silent = [part for part in network.modules() if isinstance(part, Silent)]
    assert len(silent) == 5  # pooling in two blocks, the refinement of points and pass, the mixture
    assert all(not parameter.any() for part in silent for parameter in part.parameters())
