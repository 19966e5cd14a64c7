"""What every kind of network says: shapes, points of view, komi."""

import itertools

import pytest
import torch

from tests.networks.small import SMALL, random_input
from tesuji import networks
from tesuji.networks.zoo.attention import between
from tesuji.networks.zoo.heads import nine_index, win_logit, win_weights


@pytest.mark.parametrize(("name", "size"), SMALL)
def test_outputs_have_their_shapes(name: str, size: int) -> None:
    network = networks.create(name, size=size).eval()
    description = network.description
    outputs = network(random_input(network), torch.full((3,), 7.5))
    present = {field for field, output in outputs._asdict().items() if output is not None}
    assert present == set(description.heads)
    moves = size * size + description.has_pass
    shapes = {
        "policy": (3, moves),
        "next_policies": (3, 2, moves),
        "value": (3,),
        "nine": (3, 9),
        "score": (3, 2 * description.komi_limit + 1),
        "black_score": (3,),
        "ownership": (3, size, size),
    }
    for field in present:
        assert getattr(outputs, field).shape == shapes[field], field


@pytest.mark.parametrize("name", [name for name, size in SMALL if networks.describe(name, size=size).any_size])
def test_convolutional_networks_take_any_board(name: str) -> None:
    network = networks.create(name, size=9).eval()
    for size in (5, 13):
        policy = network(random_input(network, size=size), torch.zeros(3)).policy
        assert policy.shape == (3, size * size + network.description.has_pass)


def test_a_network_with_a_komi_head_asks_for_komi() -> None:
    network = networks.create("se.1.32.16+komi", size=9)
    with pytest.raises(ValueError, match="depends on komi"):
        network(random_input(network))


def test_every_parameter_of_the_built_in_kind_learns() -> None:
    network = networks.create("se.2.32.16+pass+norelu+komi+ownership", size=9)
    outputs = network(random_input(network), torch.tensor([7.0, 5.5, 7.5]))
    losses = (torch.logsumexp(outputs.policy, 1), outputs.value, outputs.ownership**2)
    sum(loss.sum() for loss in losses).backward()  # type: ignore[union-attr]
    assert [name for name, p in network.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0] == []


def test_starts_like_keras() -> None:
    network = networks.create("a0.2.64", size=9)
    weight = network.get_parameter("trunk.2.first.0.weight")
    limit = (6 / (9 * 64 + 9 * 64)) ** 0.5
    assert 0.98 * limit < weight.abs().max() <= limit
    norm = network.get_submodule("trunk.0.1")
    assert isinstance(norm, torch.nn.BatchNorm2d)
    assert (norm.eps, norm.momentum) == (1e-3, 0.01)


SCORES = torch.arange(-81.0, 82.0)


class TestKomi:
    def test_a_draw_counts_one_half(self) -> None:
        score = torch.full((1, 163), -50.0)
        score[0, 81 + 7] = 0.0  # Black wins by exactly 7 on the board
        komi = torch.tensor([6.5, 7.0, 7.5])
        value = torch.sigmoid(win_logit(score.expand(3, -1), win_weights(SCORES, komi)))
        torch.testing.assert_close(value, torch.tensor([1.0, 0.5, 0.0]), atol=1e-6, rtol=0)

    def test_more_komi_never_helps_black(self) -> None:
        logits = torch.randn(1, 163, generator=torch.manual_seed(2)).expand(401, -1)
        value = win_logit(logits, win_weights(SCORES, torch.linspace(-100, 100, 401)))
        assert (value.diff() <= 1e-6).all()
        assert torch.isfinite(value).all()

    def test_the_value_belongs_to_the_player_to_move(self) -> None:
        network = networks.create("se.1.32.16+komi", size=9).eval()
        planes = random_input(network, 2)
        outputs = network(planes, torch.full((2,), 7.5))
        black = (torch.softmax(outputs.score, 1) * win_weights(SCORES, torch.full((2,), 7.5))).sum(1)
        to_play = torch.stack([1 - black[0], black[1]])  # white moves first in this batch
        torch.testing.assert_close(torch.sigmoid(outputs.value), to_play)

    def test_komi_reads_the_output_the_paper_names(self) -> None:
        assert nine_index(torch.tensor([0.5, 7.5, 6.5, 40.0, -9.0])).tolist() == [0, 4, 3, 8, 0]


def test_a_network_of_ones_own() -> None:
    from tesuji.networks.zoo import registry

    @networks.register("plain", ["layers", "width"], example="plain.2.16")
    def plain(inputs: int, layers: int, width: int) -> torch.nn.Module:
        """Convolutions, one after the other."""
        sizes = [inputs] + [width] * layers
        parts = [torch.nn.Conv2d(a, b, 3, padding=1) for a, b in itertools.pairwise(sizes)]
        return torch.nn.Sequential(*parts)

    try:
        network = networks.create("plain.2.16+pass+komi", size=9)
        assert network(random_input(network), torch.zeros(3)).policy.shape == (3, 82)
        assert networks.parameters("plain.2.16") > 21 * 16 * 9
        with pytest.raises(ValueError, match="exists already"):
            networks.register("plain", ["width"])
    finally:
        registry.forget("plain")


@pytest.mark.parametrize("name", ["eformer.1.1.16+pass", "rt.rt.16"])
def test_attention_is_written_as_onnx_without_the_general_exporter(name: str) -> None:
    from torch import fx

    from tesuji.networks.onnx.graph import GraphWriter
    from tesuji.networks.onnx.outputs import EvaluationOutputs

    writer = GraphWriter(fx.symbolic_trace(EvaluationOutputs(networks.create(name, size=9).eval())))
    writer.write()
    assert len(writer.results) == 2


def test_distances_number_pairs_of_points_by_rows_and_columns() -> None:
    found = between(torch.zeros(2, 3, 5, 5)).reshape(5, 5, 5, 5)
    assert found[0, 0, 0, 0] == 0
    assert found[1, 3, 3, 2] == found[3, 2, 1, 3] == 19 * 2 + 1
    assert between(torch.zeros(1, 1, 21, 21)).max() == 360  # farther apart than 18 lines counts as 18
