"""A run from beginning to end: what `tesuji train` and `tesuji.fit` both call."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from tesuji.base.field_help import with_field_help
from tesuji.base.files import write_atomically
from tesuji.base.frames import frame_of
from tesuji.base.machine import keep_freed_memory
from tesuji.base.quantities import counted
from tesuji.networks.onnx.export import export
from tesuji.networks.onnx.model_file import ModelInfo, read_info
from tesuji.networks.onnx.own_module import export_module
from tesuji.networks.weights import read_note
from tesuji.networks.zoo.network import Network
from tesuji.training.run import checkpoints, exporting
from tesuji.training.run.checkpoints import Checkpoint
from tesuji.training.run.config import USUAL_PLANES, ConfigError, TrainConfig
from tesuji.training.run.curves import draw
from tesuji.training.run.growing import grown
from tesuji.training.run.logs import CsvLog
from tesuji.training.run.processes import Processes, best_precision
from tesuji.training.run.sources import GameSource
from tesuji.training.run.starting import Start, begin_from, for_planes, start_from, weights_file
from tesuji.training.run.trainer import Export, Outcome, Source, Trainer
from tesuji.training.run.validation import Metrics
from tesuji.training.run.watching import Watcher

if TYPE_CHECKING:
    import pandas


@with_field_help
@dataclass(frozen=True)
class Fitted:
    """What `fit` gives back."""

    network: nn.Module
    """Trained, in evaluation mode; the averaged weights where there are such."""
    folder: Path
    history: list[dict[str, float]]
    """One row for each validation."""
    outcome: Outcome
    config: TrainConfig
    """All that the run was told, with what data, schedule and network decided."""

    def to_rows(self) -> list[dict[str, float]]:
        """One row for each validation, as `history`."""
        return self.history

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())

    def __repr__(self) -> str:
        told = f"top-1 {self.metrics.top1:.1%}, value MSE {self.metrics.value_mse:.3f}, " if self.metrics else ""
        return f"Fitted({self.config.network}, {told}{counted(self.outcome.step, 'step')}, in '{self.folder}')"

    def export(self, path: str | Path) -> ModelInfo:
        """Writes the network as a model file, which plays anywhere; also a module of one's own."""
        if self.config.quantize:
            data = (self.folder / "best.onnx").read_bytes()
            write_atomically(Path(path), data)
            return read_info(data, str(path))
        if isinstance(self.network, Network):
            return export(self.network, path)
        assert self.config.planes is not None
        if self.config.size is None:
            raise ConfigError("the board size is not known; give fit(..., size=N)")
        return export_module(self.network, path, planes=self.config.planes, size=self.config.size)

    @property
    def metrics(self) -> Metrics | None:
        """The last validation."""
        return self.outcome.metrics


def next_folder(root: Path) -> Path:
    """A new name for a run below `root`."""
    number = 1
    while (root / f"run-{number}").exists():
        number += 1
    return root / f"run-{number}"


def train(
    folder: Path, settings: Mapping[str, object], *, resume: bool = False, watcher: Watcher | None = None,
    network: nn.Module | None = None, source: Source | None = None,
) -> Outcome:  # fmt: skip
    """Trains by the settings, or goes on with the run in the folder.

    Raises `ValueError` for settings that cannot be, before anything is written.
    """
    return _run(folder, settings, resume, watcher or Watcher(), network, source).outcome


def fit(
    network: str | nn.Module, data: Any = (), *, folder: str | Path | None = None, resume: bool = False,
    watcher: Watcher | None = None, **settings: object,
) -> Fitted:  # fmt: skip
    """Trains a network, by name or one's own module, on packed games: `tesuji.fit("se.8.192.48", "train.games")`.

    `data` is a packed file, several, or anything with the two methods of `Source`. Other arguments are settings of
    `TrainConfig`. One's own module takes `(planes [B, C, N, N], komi [B])` and returns `(policy, value)` logits: the
    policy over N*N points or N*N + 1 moves, the value of the player to move; or `tesuji.networks.Outputs`.
    """
    source = data if hasattr(data, "training") else None
    if source is None and data:
        settings["data"] = [str(data)] if isinstance(data, str | Path) else [str(path) for path in data]
    if isinstance(network, str):
        settings["network"] = network
    own = None if isinstance(network, str) else network
    where = Path(folder) if folder is not None else next_folder(Path("runs"))
    return _run(where, settings, resume, watcher or Watcher(), own, source)


def _run(
    folder: Path, settings: Mapping[str, object], resume: bool, watcher: Watcher, network: nn.Module | None,
    source: Source | None,
) -> Fitted:  # fmt: skip
    saved = checkpoints.latest(folder, watcher.said) if resume else None
    if saved is None:
        _refuse_used(folder)
    config, start = _configured(saved, settings, network)
    with Processes(config.device) as processes:
        if processes.device.type == "cpu":
            keep_freed_memory()
        if config.threads:
            torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        source = source or GameSource(config)
        config = _completed(config, source, network, processes)
        best: Export | None = None if network is not None else exporting.Exporter(config)
        network = network if network is not None else exporting.create(config)
        if config.mixed and isinstance(network, Network) and not network.description.any_size:
            raise ConfigError(f"{config.network} reads boards of one size; leave out mixed, or choose +conv heads")
        if start is not None:
            planes = config.planes or start.planes
            weights = for_planes(start.weights, start.planes, planes, config.size)
            fresh = begin_from(network, grown(network, weights, start.network))
            if fresh and config.quantize:
                raise ConfigError(f"{config.start} lacks {fresh[0]}; train it before it goes into integers")
            if fresh:
                watcher.said(f"begins from {config.start}, except for {', '.join(fresh)}")
        if config.quantize:
            network, source, best = _integers(config, network, source, folder, saved, watcher)
        trainer = Trainer(config, network, source, folder, processes, watcher, best)
        if saved:
            trainer.restore(saved)
        if processes.first:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / "config.toml", config.toml())
        outcome = trainer.run()
        if processes.first:
            _picture(folder, watcher)
    history = CsvLog(folder / "validation.csv").rows()
    return Fitted(trainer.state.evaluated.eval(), folder, history, outcome, config)


def _integers(
    config: TrainConfig, network: nn.Module, source: Source, folder: Path, saved: Checkpoint | None, watcher: Watcher
) -> tuple[Network, Source, Export]:
    """The network in integers, what it learns from, and how it is written."""
    from tesuji.training.run.integers import IntegerStage, Judged  # needs the package onnx

    if not isinstance(network, Network):
        raise ConfigError("quantize knows the networks of the zoo, not modules of one's own")
    stage = IntegerStage(config, source, folder)
    if saved is not None:
        real, made = stage.resume(saved)
    else:
        real, made = network, stage.begin(network, read_note(weights_file(config.start))["record"], watcher)
    return made, Judged(source, real), stage.export


def _configured(
    saved: Checkpoint | None, settings: Mapping[str, object], network: nn.Module | None
) -> tuple[TrainConfig, Start | None]:
    """What a run is told by now, and the weights it begins from where it does."""
    if "epochs" in settings and "steps" in settings:
        raise ConfigError("both epochs and steps are given; the run has one length")
    config = (_saved_config(saved, settings) if saved else TrainConfig()).changed(settings)
    start = start_from(config.start) if saved is None and config.start else None
    if start is not None:  # the network goes on as what it is, unless told otherwise
        config = config.changed({"network": start.network, "planes": start.planes} | dict(settings))
    if config.planes is None:
        planes = exporting.own_planes(config.network) if network is None else USUAL_PLANES
        config = dataclasses.replace(config, planes=planes)
    return config, start


def _saved_config(saved: Checkpoint, settings: Mapping[str, object]) -> TrainConfig:
    """The configuration of a run that goes on with these settings."""
    table = dict(saved.config)
    table.setdefault("validation_seed", table["seed"])  # one seed decided both: the games held out stay the same
    if "epochs" in settings:
        table["steps"] = None
    return TrainConfig().changed(table)


def _refuse_used(folder: Path) -> None:
    if checkpoints.newest(folder) is not None:
        raise ConfigError(f"'{folder}' holds a run already; go on with --resume, or choose another folder")


def _completed(config: TrainConfig, source: Source, network: nn.Module | None, processes: Processes) -> TrainConfig:
    """The configuration with all that schedule, data and network decide."""
    config = config.filled()
    assert config.batch is not None
    if config.batch % processes.count:
        raise ConfigError(f"batch {config.batch} cannot be shared by {processes.count} processes")
    if config.precision == "auto":
        best = "fp32" if config.quantize else best_precision(processes.device)
        config = dataclasses.replace(config, precision=best)
    if network is not None:
        config = dataclasses.replace(config, network=type(network).__name__)
    if config.size is None:
        config = dataclasses.replace(config, size=getattr(source, "size", None))
    loss, weight = exporting.value_settings(config.network) if network is None else ("bce", 1.0)
    return dataclasses.replace(
        config,
        value_loss=config.value_loss or loss,
        value_weight=weight if config.value_weight is None else config.value_weight,
    )


def _picture(folder: Path, watcher: Watcher) -> None:
    """The run's curves, where there is something to draw and something to draw with."""
    try:
        draw([folder], folder / "curves.png")
    except (ImportError, ValueError, OSError) as problem:
        watcher.said(f"no curves.png: {problem}")
