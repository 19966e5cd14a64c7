"""Networks that train as their integers compute: the same judgements as the file's integers, through every family."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

import tesuji
from tests.networks.small import trained
from tesuji import networks
from tesuji.networks.evaluators.comparison import Positions, compare
from tesuji.networks.evaluators.factory import Running, evaluator
from tesuji.networks.int8.quantise import add_int8, joined
from tesuji.networks.int8.rounding import IntegerConv, Rounding
from tesuji.networks.int8.trainable import calibrated, in_integers, integer_layers, learned
from tesuji.networks.onnx.export import note, serialise
from tesuji.networks.onnx.folding import folded
from tesuji.training.data.real_positions import real_positions

NAMES = ["gpool.2.16", "a0.conv.bin.2.16+pass+norelu+komi+ownership", "se.2.32.16+pass+komi", "a0.2.16+swish"]


def positions_of(network: networks.Network) -> Positions:
    return real_positions(network.description.planes, 9, 164)


def both(real: networks.Network, made: networks.Network, given: Positions) -> bytes:
    model = onnx.load_from_string(serialise(folded(real), note(real)))
    return joined(model, learned(made).model(), given, "net")


@pytest.mark.parametrize("name", NAMES)
def test_torch_says_what_the_integers_of_the_file_say(name: str) -> None:
    real = trained(name, 9)
    given = positions_of(real)
    made = calibrated(real, given.part(0, 100))
    with torch.no_grad():  # as if it had learned: every step and weight a little elsewhere
        for layer in made.modules():
            if isinstance(layer, IntegerConv):
                layer.log_steps.add_(0.03)
                layer.gives.log_step.sub_(0.02)
                layer.weight.mul_(1.01)
    small = evaluator(both(real, made, given), "net", Running(precision="int8"))
    found = compare(networks.TorchEvaluator(made), small, given.part(100, 164))
    apart = compare(networks.TorchEvaluator(real), small, given.part(100, 164))
    assert found.mean["value"] < 0.0005  # a number at the border of two integers may fall to either side
    assert found.mean["value"] < 0.2 * apart.mean["value"]
    assert found.mean["policy"] < 0.2 * apart.mean["policy"]


def test_it_begins_as_the_export_would(tmp_path: Path) -> None:
    real = trained(NAMES[0], 9)
    given = positions_of(real)
    networks.export(real, tmp_path / "a.onnx")
    file = add_int8((tmp_path / "a.onnx").read_bytes(), given.part(0, 100), "net")
    ours = both(real, calibrated(real, given.part(0, 100)), given)
    pair = [evaluator(data, "net", Running(precision="int8")) for data in (file, ours)]
    assert compare(pair[0], pair[1], given.part(100, 164)).mean["value"] < 1e-4


def test_a_saved_one_is_built_again_from_its_names() -> None:
    real = trained(NAMES[0], 9)
    given = positions_of(real)
    made = calibrated(real, given.part(0, 100))
    again = in_integers(real, integer_layers(made.state_dict()))
    again.load_state_dict(made.state_dict())
    pair = networks.TorchEvaluator(made), networks.TorchEvaluator(again)
    assert compare(*pair, given.part(100, 164)).largest["value"] == 0
    # Values that are read twice have one step, which both readers learn.
    names = [name for name, part in again.named_modules(remove_duplicate=False) if isinstance(part, Rounding)]
    assert len(names) > len([part for part in again.modules() if isinstance(part, Rounding)])
    with pytest.raises(tesuji.InputError, match=r"'gpool\.2\.16' has no convolution 'trunk\.9\.first' to put into"):
        in_integers(real, ["trunk.9.first"])


def test_gradients_reach_weights_and_steps_and_stop_beyond_the_range() -> None:
    rounding = Rounding()
    rounding.tell(torch.tensor(0.1), 10)
    numbers = torch.tensor([-3.0, -0.52, 0.0, 1.26, 99.0], requires_grad=True)
    told = rounding(numbers[:, None, None, None])
    np.testing.assert_allclose(told.detach().flatten(), [-1.0, -0.5, 0.0, 1.3, 24.5], atol=1e-6)
    told.sum().backward()
    assert numbers.grad is not None
    assert numbers.grad.tolist() == [0, 1, 1, 1, 0]
    # By the step itself: the integer where it is cut off, else what rounding added; times the step for its logarithm.
    expected = 0.1 * (-10 + (-5 + 5.2) + 0 + (13 - 12.6) + 245)
    assert rounding.log_step.grad is not None
    assert rounding.log_step.grad.item() == pytest.approx(expected, rel=1e-4)
