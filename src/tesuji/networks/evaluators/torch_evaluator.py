"""Judges positions with a torch network, as training sees it: the evaluator of the moments between updates."""

from collections.abc import Sequence

import numpy as np
import torch

from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Floats, NetworkInfo
from tesuji.networks.onnx.outputs import EvaluationOutputs
from tesuji.networks.zoo.layers import size_as_keras
from tesuji.networks.zoo.network import Network


class TorchEvaluator:
    """A network of the zoo ready to judge positions, on whatever device it lies.

    It shares the network's weights. The network must be in evaluation mode: batch statistics would make a
    position's value depend on its neighbours, so a network in training is refused.
    """

    def __init__(self, network: Network) -> None:
        description = network.description
        self.network = network
        self.name = description.name
        self.planes = description.planes
        self.has_pass = description.has_pass
        self._outputs = EvaluationOutputs(network)
        grid = self._outputs.komi_grid
        self.komi_grid = np.array(grid, np.float32) if grid else None
        self.info = NetworkInfo(size=description.size, parameters=size_as_keras(network))

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        return self.network.description.plays(size)

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        if self.network.training:
            raise InputError(f"'{self.name}' is in training mode; call eval() before judging positions with it")
        size = planes.shape[-1]
        if not self.plays(size):
            board = self.network.description.size
            raise InputError(f"'{self.name}' plays on {board}x{board} only, not on {size}x{size}")
        device = next(self.network.parameters()).device
        with torch.inference_mode():
            results = self._outputs(
                torch.from_numpy(np.ascontiguousarray(planes, np.float32)).to(device),
                torch.as_tensor(np.asarray(komi, np.float32)).to(device),
            )
        fields = {name: result.float().cpu().numpy() for name, result in zip(self._outputs.names, results, strict=True)}
        if "policy" not in fields:
            uniform = np.append(np.full(size * size, 1 / (size * size), np.float32), np.float32(0))
            fields["policy"] = np.tile(uniform, (len(planes), 1))
        if "value" not in fields:
            fields["value"] = np.full(len(planes), 0.5, np.float32)
        return Evaluation(**fields)
