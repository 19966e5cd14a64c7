"""The last stage of training: a network in 8-bit integers learns to say what it says in real numbers."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.networks.evaluators.comparison import Positions
from tesuji.networks.int8.quantise import enough_positions, joined
from tesuji.networks.int8.trainable import calibrated, in_integers, integer_layers, learned
from tesuji.networks.onnx.export import note, serialise
from tesuji.networks.onnx.folding import folded
from tesuji.networks.weights import load_weights, read_note, save_weights
from tesuji.networks.zoo.network import Network, Outputs
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.checkpoints import Checkpoint
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.losses import forward, value_of
from tesuji.training.run.trainer import Source
from tesuji.training.run.validation import Metrics
from tesuji.training.run.watching import Watcher

REAL = "real.safetensors"
"""In the folder of such a run: the network in real numbers, to learn from and to go on with after a pause."""


class Judged:
    """Positions of another source, with a network's own judgements as what is to be learned."""

    def __init__(self, source: Source, network: Network) -> None:
        self.source, self.network = source, network.eval()

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` positions, as the other source draws them."""
        return self._judged(self.source.training(count, seed))

    def validation(self) -> Iterator[TensorBatch]:
        """The other source's held-out positions: how often the best move is the network's is its top-1."""
        return map(self._judged, self.source.validation())

    @torch.no_grad()
    def _judged(self, batch: TensorBatch) -> TensorBatch:
        said = forward(self.network, batch, value_of(self.network))
        return dataclasses.replace(batch, **_targets(said, batch))


def _targets(said: Outputs, batch: TensorBatch) -> dict[str, Tensor]:
    known = torch.ones_like(batch.value_mask)
    found: dict[str, Tensor] = {}
    if said.policy is not None:
        chances = torch.softmax(said.policy, 1)
        found["policy"] = functional.pad(chances, (0, batch.policy.shape[1] - chances.shape[1]))
    if said.value is not None:
        found |= {"value": torch.sigmoid(said.value), "value_mask": known}
    if said.black_score is not None:
        found |= {"black_score": said.black_score, "score_mask": known}
    if said.ownership is not None:
        found |= {"black_ownership": torch.tanh(said.ownership / 2), "ownership_mask": known}
    return found


class IntegerStage:
    """A run over integers: the network in real numbers, and what the run's folder is to hold of both."""

    def __init__(self, config: TrainConfig, source: Source, folder: Path) -> None:
        self.config, self.folder = config, folder
        assert config.size is not None
        drawn = source.training(enough_positions(config.size), config.seed)
        self._positions = Positions(drawn.planes.numpy(), drawn.komi.numpy())

    def begin(self, real: Network, record: dict[str, Any], watcher: Watcher) -> Network:
        """The network in integers as calibration leaves it; the real one is kept in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        save_weights(real, self.folder / REAL, record)
        made = calibrated(real, self._positions)
        count = len(integer_layers(made.state_dict()))
        watcher.said(
            f"{count} convolutions in integers learn from {self.config.start} in real numbers; "
            "top-1 is how often both like the same move best"
        )
        return made

    def resume(self, saved: Checkpoint) -> tuple[Network, Network]:
        """The real network and the one in integers, still without its weights."""
        path = self.folder / REAL
        if not path.is_file():
            raise InputError(f"'{path}' is gone, from which this run learns; begin anew in another folder")
        real = load_weights(path)
        return real, in_integers(real, integer_layers(saved.weights))

    def export(self, network: nn.Module, folder: Path, metrics: Metrics) -> None:
        """Writes `best.onnx` with both precisions, and `best.safetensors` in real numbers to train on from."""
        assert isinstance(network, Network)
        real = load_weights(self.folder / REAL).eval()
        said = {name: round(value, 5) for name, value in metrics.row().items() if value == value}
        learnt = {"data": [Path(name).name for name in self.config.data], "against_real": said}
        record = read_note(self.folder / REAL)["record"] | {"int8": learnt}
        model = onnx.load_from_string(serialise(folded(real), note(real, record)))
        data = joined(model, learned(network).model(), self._positions, "the network")
        save_weights(real, folder / "best.safetensors", record)
        write_atomically(folder / "best.onnx", data)
