"""The training loop: one step after another, with validation, checkpoints and a way back from every accident."""

import dataclasses
import math
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn

from tesuji.training import checkpoints
from tesuji.training.batches import TensorBatch, ahead, batch_seed
from tesuji.training.checkpoints import Checkpoint
from tesuji.training.config import TrainConfig
from tesuji.training.interrupts import Interrupts
from tesuji.training.logs import RunLog
from tesuji.training.losses import Objective, value_of
from tesuji.training.optimizers import Average, optimizer
from tesuji.training.processes import Processes
from tesuji.training.schedules import rate, schedule
from tesuji.training.validation import Metrics, validate
from tesuji.training.watching import Status, Watcher


class TrainingError(ValueError):
    """Training that cannot go on: the loss is not a number, or runs away."""


class Source(Protocol):
    """Where batches come from."""

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` samples, the same for the same seed; called from several threads."""
        ...

    def validation(self) -> Iterator[TensorBatch]:
        """The held-out positions, the same at every call."""
        ...


@dataclass
class Progress:
    """The plain numbers of a run, saved with every checkpoint."""

    samples: int = 0
    seconds: float = 0.0
    best_loss: float = math.inf
    best_step: int = -1
    average_loss: float = math.nan
    lowest_loss: float = math.inf

    def table(self) -> dict[str, Any]:
        """For JSON, which knows neither infinity nor nan."""
        return {k: v if math.isfinite(v) else str(v) for k, v in dataclasses.asdict(self).items()}

    @classmethod
    def of(cls, table: dict[str, Any]) -> "Progress":
        """Back from `table`."""
        return cls(**{field.name: type(field.default)(table[field.name]) for field in dataclasses.fields(cls)})  # type: ignore[misc]


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    step: int
    finished: bool
    """False when it was asked to stop before its end."""
    metrics: Metrics | None
    """Of the last validation."""


class Trainer:
    """One run over one network. `run` trains until the end, an interrupt or an accident."""

    def __init__(
        self, config: TrainConfig, network: nn.Module, source: Source, folder: Path, processes: Processes,
        watcher: Watcher | None = None, export: Callable[[nn.Module, Path, Metrics], None] | None = None,
    ) -> None:  # fmt: skip
        self.config = config.filled()
        self.source, self.folder, self.processes = source, folder, processes
        self.watcher = watcher if watcher is not None and processes.first else Watcher()
        self.export = export
        self.network = network.to(processes.device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimizer = optimizer(self.network, self.config)
        self.average = Average(self.network, config.ema) if config.ema else None
        inner = torch.compile(self.network) if config.compile else self.network
        self.objective = processes.wrap(Objective(inner, self.config, value_of(network)))  # type: ignore[arg-type]
        self.scaler = torch.amp.GradScaler(processes.device.type, enabled=config.precision == "fp16")
        self.step, self.progress = 0, Progress()
        self.metrics: Metrics | None = None
        self.recent: dict[str, float] = {}
        self._speed = math.nan
        self._saved_at = time.monotonic()

    # The shape of the run

    @property
    def batch(self) -> int:
        """Samples of one step over all processes."""
        assert self.config.batch is not None
        return self.config.batch

    @property
    def last_step(self) -> int:
        """The step after which the run is over by its epochs."""
        assert self.config.epochs is not None
        return math.ceil(self.config.epochs * self.config.epoch_samples / self.batch)

    def share_done(self) -> float:
        """How much of the run is over, by samples or by the clock, whichever is further."""
        share = self.step / self.last_step
        if self.config.minutes:
            share = max(share, self.progress.seconds / (60 * self.config.minutes))
        return min(share, 1.0)

    @property
    def evaluated(self) -> nn.Module:
        """The network that is validated and exported: the averaged one where there is one."""
        return self.average.network if self.average else self.network

    # Running

    def run(self) -> Outcome:
        """Trains to the end. Raises `TrainingError` when the loss is lost."""
        log = RunLog(self.folder, self.step) if self.processes.first else None
        self.watcher.started(self.config, self.step)
        try:
            if self.processes.first and self.step == 0:
                self._save(final=True)
            with Interrupts() as interrupts, closing(self._batches()) as batches:
                finished = self._loop(batches, interrupts, log)
            return Outcome(self.step, finished, self.metrics)
        finally:
            if log is not None:
                log.close()
            self.watcher.ended()

    def _batches(self) -> Generator[TensorBatch, None, None]:
        count = self.batch // self.processes.count

        def prepare(step: int) -> TensorBatch:
            return self.source.training(count, batch_seed(self.config.seed, step, self.processes.rank))

        return ahead(prepare, self.step, self.last_step, threads=self.config.loaders, depth=self.config.prefetch)

    def _loop(self, batches: Iterator[TensorBatch], interrupts: Interrupts, log: RunLog | None) -> bool:
        """Steps until the end (True) or until asked to stop (False)."""
        while True:
            share, asked = self.processes.agree([self.share_done(), float(interrupts.asked)])
            if asked or share >= 1:
                self._finish(share >= 1, log)
                return share >= 1
            start = time.monotonic()
            batch = next(batches, None)
            if batch is None:
                self._finish(True, log)
                return True
            self._train(batch.to(self.processes.device), share)
            self._after_step(time.monotonic() - start, share, log)

    def _train(self, batch: TensorBatch, share: float) -> None:
        """One step of the optimizer."""
        config = self.config
        assert config.learning_rate is not None
        factor = rate(schedule(config.schedule), share, config.warmup, config.final_rate)
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * factor
        self.objective.train()
        low = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(config.precision)
        with torch.autocast(self.processes.device.type, low, enabled=low is not None):
            total, terms = self.objective(batch)
        self.scaler.scale(total).backward()
        self._check({"loss": float(total.detach()), **{k: float(v) for k, v in terms.items()}})
        if config.clip:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.network.parameters(), config.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        if self.average:
            self.average.update(self.network)

    def _check(self, losses: dict[str, float]) -> None:
        """Follows the loss and stops before the optimizer moves when it is lost."""
        progress, loss = self.progress, losses["loss"]
        bad = not math.isfinite(loss)
        if not bad:
            for name, value in losses.items():
                old = self.recent.get(name, value)
                self.recent[name] = old + 0.02 * (value - old)
            progress.average_loss = self.recent["loss"]
            # The first steps say nothing: the average still holds the untrained network.
            if self.step >= 100:
                progress.lowest_loss = min(progress.lowest_loss, progress.average_loss)
                bad = progress.average_loss > self.config.divergence * progress.lowest_loss
        if self.processes.any(bad):
            raise TrainingError(self._lost(loss))

    def _lost(self, loss: float) -> str:
        kind = "diverges" if math.isfinite(loss) else "is not a number"
        seed = batch_seed(self.config.seed, self.step, self.processes.rank)
        saved = checkpoints.newest(self.folder)
        return (
            f"the loss {kind} ({loss:g}) at step {self.step}, batch seed {seed}; the last good checkpoint is "
            f"{saved or 'none'}; resume from it with a lower learning_rate or with clip"
        )

    def _after_step(self, seconds: float, share: float, log: RunLog | None) -> None:
        """Counts, logs, and saves or validates when it is time."""
        config, progress = self.config, self.progress
        before = progress.samples // config.epoch_samples
        self.step += 1
        progress.samples += self.batch
        progress.seconds += seconds
        speed = self.batch / seconds
        self._speed = speed if math.isnan(self._speed) else self._speed + 0.05 * (speed - self._speed)
        status = self.status()
        self.watcher.stepped(status)
        if log is not None and self.step % config.log_steps == 0:
            log.add(log.training, _row(status))
        if progress.samples // config.epoch_samples > before and self.step < self.last_step:
            self._validate(log)
            self._save()
        elif time.monotonic() - self._saved_at > 60 * config.checkpoint_minutes:
            self._save()

    def status(self) -> Status:
        """Where the run is now."""
        return Status(
            self.step, self.progress.samples, self.share_done(), self.progress.samples / self.config.epoch_samples,
            self.progress.seconds, self._speed, float(self.optimizer.param_groups[0]["lr"]), dict(self.recent),
        )  # fmt: skip

    def _finish(self, whole: bool, log: RunLog | None) -> None:
        """The last validation and checkpoint; when asked to stop, the checkpoint alone."""
        if whole:
            self._validate(log)
        self._save(final=True)
        if not whole:
            self.watcher.said(
                f"stopped after step {self.step}, all saved; go on with: tesuji train --resume {self.folder}"
            )

    def _validate(self, log: RunLog | None) -> None:
        """Judges the network; the best so far is exported."""
        if not self.processes.first:
            return
        self.metrics = validate(self.evaluated, self.source.validation(), self.processes.device)
        best = self.metrics.loss < self.progress.best_loss
        if best:
            self.progress.best_loss, self.progress.best_step = self.metrics.loss, self.step
        status = self.status()
        if log is not None:
            log.add(
                log.validation,
                {"step": self.step, "epoch": status.epoch, "seconds": status.seconds, **self.metrics.row()},
            )
        if best and self.export is not None:
            self.export(self.evaluated, self.folder, self.metrics)
        self.watcher.validated(status, self.metrics, best)

    # Checkpoints

    def _save(self, final: bool = False) -> None:
        """Writes a checkpoint. A disk that is full for the moment does not end the run, unless the run ends here."""
        self._saved_at = time.monotonic()
        if not self.processes.first:
            return
        try:
            checkpoints.save(self.folder, self.checkpoint(), self.config.keep)
        except OSError as problem:
            saved = checkpoints.newest(self.folder)
            text = f"checkpoint of step {self.step} not written: {problem}; the last good one is {saved or 'none'}"
            if final:
                raise OSError(text) from problem
            self.watcher.said(text + "; training goes on and tries again")

    def checkpoint(self) -> Checkpoint:
        """Everything this run is at this moment."""
        states = self.optimizer.state_dict()["state"]
        progress = self.progress.table() | {"scaler": self.scaler.state_dict(), "recent": self.recent}
        if self.average:
            progress["average_steps"] = self.average.steps
        random = {"torch": torch.get_rng_state()}
        if self.processes.device.type == "cuda":
            random["cuda"] = torch.cuda.get_rng_state(self.processes.device)
        return Checkpoint(
            self.config.table(),
            self.step,
            progress,
            weights=dict(self.network.state_dict()),
            average=dict(self.average.network.state_dict()) if self.average else {},
            optimizer={f"{i}.{k}": v for i, s in states.items() for k, v in s.items() if isinstance(v, torch.Tensor)},
            random=random,
        )

    def restore(self, saved: Checkpoint) -> None:
        """Becomes what the checkpoint was."""
        load_weights(self.network, saved.weights)
        if self.average:
            load_weights(self.average.network, saved.average or saved.weights)
            self.average.steps = int(saved.progress.get("average_steps", 0))
        self._restore_optimizer(saved.optimizer)
        self.step, self.progress = saved.step, Progress.of(saved.progress)
        self.recent = dict(saved.progress["recent"])
        self.scaler.load_state_dict(saved.progress["scaler"])
        torch.set_rng_state(saved.random["torch"])
        if "cuda" in saved.random and self.processes.device.type == "cuda":
            torch.cuda.set_rng_state(saved.random["cuda"], self.processes.device)

    def _restore_optimizer(self, tensors: dict[str, torch.Tensor]) -> None:
        parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in tensors.items():
            index, _, key = name.partition(".")
            parameter = parameters[int(index)]
            if tensor.shape == parameter.shape:
                # In the parameter's own memory layout, which safetensors does not keep.
                tensor = torch.empty_like(parameter).copy_(tensor)
            state.setdefault(int(index), {})[key] = tensor
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def load_weights(network: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """Fills a network from a checkpoint. Raises `ValueError` naming the first part that does not fit."""
    for problem in _misfits(network, weights).values():
        raise ValueError(f"{problem}: they belong to another network")
    network.load_state_dict(weights)


def begin_from(network: nn.Module, weights: dict[str, torch.Tensor]) -> list[str]:
    """Fills a new network as far as the weights fit; returns the names that start afresh.

    Heads may differ, as they do between board sizes. Raises `ValueError` when the trunk does not fit.
    """
    misfits = _misfits(network, weights)
    for name, problem in misfits.items():
        if name.startswith("trunk."):
            raise ValueError(f"{problem}: begin from weights of the same trunk and planes")
    network.load_state_dict({name: t for name, t in weights.items() if name not in misfits}, strict=False)
    own = network.state_dict()
    return [name for name in misfits if name in own]


def _misfits(network: nn.Module, weights: dict[str, torch.Tensor]) -> dict[str, str]:
    """What is wrong with each tensor that only one side has, or that differs in shape."""
    own, found = network.state_dict(), {}
    for name in own.keys() | weights.keys():
        if name not in weights:
            found[name] = f"the weights lack '{name}'"
        elif name not in own:
            found[name] = f"the weights hold '{name}', which the network has not"
        elif weights[name].shape != own[name].shape:
            mine, theirs = list(own[name].shape), list(weights[name].shape)
            found[name] = f"'{name}' is {theirs} in the weights and {mine} in the network"
    return dict(sorted(found.items()))


def _row(status: Status) -> dict[str, float]:
    return {
        "step": status.step, "samples": status.samples, "epoch": status.epoch, "seconds": status.seconds,
        "samples_per_second": status.samples_per_second, "learning_rate": status.learning_rate, **status.losses,
    }  # fmt: skip
