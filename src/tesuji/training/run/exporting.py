"""Networks into and out of a run: built by name, started from weights, written as the best so far."""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

import tesuji
from tesuji.networks import library
from tesuji.networks.onnx.export import export
from tesuji.networks.weights import load_weights, save_weights
from tesuji.networks.zoo.description import describe
from tesuji.networks.zoo.network import Network
from tesuji.networks.zoo.network import create as create_network
from tesuji.training.run import checkpoints
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.validation import Metrics


def create(config: TrainConfig) -> Network:
    """The network of a completed configuration."""
    return create_network(config.network, planes=config.planes, size=config.size)


def value_settings(name: str) -> tuple[str, float]:
    """How the network's name says its value is trained: the loss and its weight."""
    heads = describe(name).spec.heads
    return heads.value_loss, heads.value_weight


@dataclass(frozen=True)
class Start:
    """Weights to begin from, and the network they belong to."""

    network: str
    planes: str
    weights: dict[str, torch.Tensor]


def start_from(start: str) -> Start:
    """The weights of a built-in network, of a run's newest checkpoint or of a safetensors file.

    Raises `ValueError` or `FileNotFoundError` when there are none.
    """
    path = Path(start).expanduser()
    if path.is_dir():
        saved = checkpoints.latest(path, lambda line: None)
        return Start(saved.config["network"], saved.config["planes"], saved.average or saved.weights)
    if not path.is_file():
        path = library.BUILTIN / f"{start}.safetensors"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in library.BUILTIN.glob("*.safetensors")))
        raise FileNotFoundError(
            f"no weights '{start}' to begin from; give a built-in network ({known or 'none yet'}), "
            "the folder of a run or a safetensors file"
        )
    network = load_weights(path)
    return Start(network.description.name, network.description.planes, dict(network.state_dict()))


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
