"""Networks out of a run's settings and into model files: built by name, written as the best so far."""

from pathlib import Path

from torch import nn

import tesuji
from tesuji.networks.onnx.export import export
from tesuji.networks.weights import save_weights
from tesuji.networks.zoo.description import describe
from tesuji.networks.zoo.network import Network
from tesuji.networks.zoo.network import create as create_network
from tesuji.training.run.config import USUAL, USUAL_PLANES, TrainConfig
from tesuji.training.run.validation import Metrics


def create(config: TrainConfig) -> Network:
    """The network of a completed configuration."""
    return create_network(config.network, planes=config.planes, size=config.size)


def own_planes(network: str) -> str:
    """The plane set of a network by name when nobody says which: its family's."""
    return USUAL_PLANES if network == USUAL else describe(network).planes


def value_settings(name: str) -> tuple[str, float]:
    """How the network's name says its value is trained: the loss and its weight."""
    heads = describe(name).spec.heads
    return heads.value_loss, heads.value_weight


class Exporter:
    """Writes the best network of a run: `best.safetensors` to train on, `best.onnx` to play with."""

    def __init__(self, config: TrainConfig) -> None:
        self.config = config

    def __call__(self, network: nn.Module, folder: Path, metrics: Metrics) -> None:
        """Replaces what the folder holds. The files carry the configuration and the validation."""
        assert isinstance(network, Network)
        record = {
            "tesuji": tesuji.__version__,
            "data": [Path(name).name for name in self.config.data],
            "weights": list(self.config.weights),
            "validation": {name: round(value, 5) for name, value in metrics.row().items() if value == value},
        }
        save_weights(network, folder / "best.safetensors", record)
        export(network, folder / "best.onnx", record)
