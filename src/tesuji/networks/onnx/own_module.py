"""A torch module of one's own as a model file: planes and komi in, the policy and value of the player to move out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import tesuji
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.factory import evaluator
from tesuji.networks.onnx.builder import OPSET
from tesuji.networks.onnx.export import TOLERANCE, annotate, quiet
from tesuji.networks.onnx.model_file import ModelInfo
from tesuji.networks.zoo.network import Outputs

_SAMPLES = 4


class _Judged(nn.Module):
    """The module with probabilities in place of logits, and a pass in the policy."""

    def __init__(self, module: nn.Module, size: int) -> None:
        super().__init__()
        self.module, self.points = module, size * size

    def forward(self, planes: Tensor, komi: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = _logits(self.module(planes, komi))
        chances = torch.softmax(policy.flatten(1), 1)
        if chances.shape[1] == self.points:
            chances = functional.pad(chances, (0, 1))
        return chances, torch.sigmoid(value.reshape(-1))


def _logits(found: Any) -> tuple[Tensor, Tensor]:
    """Policy and value of what a module returned."""
    policy, value = (found.policy, found.value) if isinstance(found, Outputs) else found[:2]
    if policy is None or value is None:
        raise InputError("a module that plays needs a policy and a value")
    return policy, value


def export_module(
    module: nn.Module, path: str | Path, *, planes: str, size: int, training: Mapping[str, Any] | None = None
) -> ModelInfo:
    """Writes a module that takes `(planes [B, C, N, N], komi [B])` and returns `(policy, value)` logits.

    Raises `InputError`, and leaves no file, when it returns something else or the file would differ from it.
    """
    name, was_training = type(module).__name__, module.training
    judged = _Judged(module, size).eval()
    device = next((parameter.device for parameter in module.parameters()), torch.device("cpu"))
    rng = np.random.default_rng(0)
    boards = (rng.random((_SAMPLES, plane_set(planes).channels, size, size)) < 0.3).astype(np.float32)
    komi = np.linspace(-2, 9, _SAMPLES).astype(np.float32)
    given = (torch.from_numpy(boards).to(device), torch.from_numpy(komi).to(device))
    try:
        expected, has_pass = _outputs(module, judged, given, size)
        info = ModelInfo(
            name=name, planes=planes, size=size, any_size=False, has_pass=has_pass, value_of="to_play",
            outputs=("policy", "value"), needs_komi=True, tesuji=tesuji.__version__, training=dict(training or {}),
            parameters=sum(parameter.numel() for parameter in module.parameters()),
        )  # fmt: skip
        data = _serialise(judged, given, info)
    finally:
        module.train(was_training)
    written = evaluator(data, "the exported file")(boards, komi)
    for kind, target, got in zip(info.outputs, expected, (written.policy, written.value), strict=True):
        worst = float(np.abs(target.cpu().numpy() - got).max())
        if not worst <= TOLERANCE:
            raise InputError(f"the exported file differs from '{name}' by {worst:.1e} in its {kind}; not written")
    write_atomically(Path(path), data)
    return info


def _outputs(
    module: nn.Module, judged: nn.Module, given: tuple[Tensor, Tensor], size: int
) -> tuple[tuple[Tensor, Tensor], bool]:
    """What the module says of the samples, and whether it speaks of passing."""
    with torch.no_grad():
        moves = _logits(module(*given))[0].flatten(1).shape[1]
        if moves not in (size * size, size * size + 1):
            raise InputError(f"the policy of '{type(module).__name__}' has {moves} moves; {size}x{size} has {size**2}")
        return judged(*given), moves > size * size


def _serialise(judged: nn.Module, given: tuple[Tensor, Tensor], info: ModelInfo) -> bytes:
    batch = torch.export.Dim("batch")
    with quiet(), torch.no_grad():
        try:
            program = torch.onnx.export(
                judged, given, input_names=["planes", "komi"], output_names=list(info.outputs),
                dynamic_shapes=({0: batch}, {0: batch}), opset_version=OPSET, dynamo=True, verbose=False,
            )  # fmt: skip
        except Exception as fault:  # somebody else's module may hold anything
            reason = str(fault).strip().splitlines()[0]
            raise InputError(f"torch cannot export '{info.name}': {reason}") from fault
        assert program is not None
        model = program.model_proto
    annotate(model, info)
    return bytes(model.SerializeToString())
