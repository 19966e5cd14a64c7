"""The training loop: one step after another, with validation, checkpoints and a way back from every accident."""

import math
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Protocol

import torch
from torch import nn

from tesuji.base.errors import InputError
from tesuji.training.run import checkpoints
from tesuji.training.run.batches import TensorBatch, ahead, batch_seed
from tesuji.training.run.checkpoints import Checkpoint
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.logs import RunLog
from tesuji.training.run.losses import Objective, value_of
from tesuji.training.run.processes import Processes
from tesuji.training.run.schedules import rate, schedule
from tesuji.training.run.state import TrainingState
from tesuji.training.run.validation import Metrics, validate
from tesuji.training.run.watching import Status, Watcher

_SETTLING = 2_000  # positions that give the averaged weights their statistics

Export = Callable[[nn.Module, Path, Metrics], None]
"""Writes the best network so far into the run's folder."""


class TrainingError(InputError):
    """Training that cannot go on: the loss is not a number, or runs away."""


class Source(Protocol):
    """Where batches come from."""

    def training(self, count: int, seed: int) -> TensorBatch:
        """`count` samples, the same for the same seed; called from several threads."""
        ...

    def validation(self) -> Iterator[TensorBatch]:
        """The held-out positions, the same at every call."""
        ...


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    step: int
    finished: bool
    """False when it was asked to stop before its end."""
    metrics: Metrics | None
    """Of the last validation."""
    asked: bool
    """Whether it was asked to stop, be it in its last moment."""


class Interrupts:
    """Ctrl-C as a wish: while entered, the first SIGINT or SIGTERM only sets `asked`, so that the step at hand is
    finished and saved; a second Ctrl-C stops at once as usual.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupts":
        # Only the main thread may set handlers; elsewhere the caller decides what an interrupt means.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.asked = True


class Trainer:
    """One run over one network. `run` trains until the end, an interrupt or an accident."""

    def __init__(
        self, config: TrainConfig, network: nn.Module, source: Source, folder: Path, processes: Processes,
        watcher: Watcher | None = None, export: Export | None = None,
    ) -> None:  # fmt: skip
        self.config = config.filled()
        self.source, self.folder, self.processes = source, folder, processes
        self.watcher = watcher if watcher is not None and processes.first else Watcher()
        self._judged = -1
        self.export = export
        self.state = TrainingState(network, self.config, processes.device)
        inner: nn.Module = torch.compile(self.state.network) if config.compile else self.state.network  # type: ignore[assignment]
        self.objective = processes.wrap(Objective(inner, self.config, value_of(network)))
        self.metrics: Metrics | None = None
        self._speed = math.nan
        self._saved_at = time.monotonic()

    @property
    def batch(self) -> int:
        """Samples of one step over all processes."""
        assert self.config.batch is not None
        return self.config.batch

    @property
    def epoch_samples(self) -> int:
        """Samples of one epoch."""
        assert self.config.epoch_samples is not None
        return self.config.epoch_samples

    @property
    def last_step(self) -> int:
        """The step after which the run is over by its epochs."""
        assert self.config.epochs is not None
        if self.config.steps is not None:
            return self.config.steps
        return math.ceil(self.config.epochs * self.epoch_samples / self.batch)

    def share_done(self) -> float:
        """How much of the run is over, by samples or by the clock, whichever is further."""
        share = self.state.step / self.last_step
        if self.config.minutes:
            share = max(share, self.state.progress.seconds / (60 * self.config.minutes))
        return min(share, 1.0)

    def status(self) -> Status:
        """Where the run is now."""
        state = self.state
        return Status(
            state.step, state.progress.samples, self.share_done(),
            state.progress.samples / self.epoch_samples, state.progress.seconds, self._speed,
            float(state.optimizer.param_groups[0]["lr"]), dict(state.recent),
        )  # fmt: skip

    def restore(self, saved: Checkpoint) -> None:
        """Becomes what the checkpoint was."""
        self.state.restore(saved)

    def run(self) -> Outcome:
        """Trains to the end. Raises `TrainingError` when the loss is lost."""
        log = RunLog(self.folder, self.state.step) if self.processes.first else None
        self.watcher.started(self.config, self.state.step)
        try:
            if self.state.step == 0:
                self._save(final=True)
                if self.config.quantize:
                    self._validate(log)  # what calibration alone gives
            with Interrupts() as interrupts, closing(self._batches()) as batches:
                finished = self._loop(batches, interrupts, log)
            return Outcome(self.state.step, finished, self.metrics, interrupts.asked or not finished)
        finally:
            self.watcher.ended()

    def _batches(self) -> Generator[TensorBatch, None, None]:
        count = self.batch // self.processes.count

        def prepare(step: int) -> TensorBatch:
            return self.source.training(count, batch_seed(self.config.seed, step, self.processes.rank))

        first, config = self.state.step, self.config
        return ahead(prepare, first, self.last_step, threads=config.loaders, depth=config.prefetch)

    def _loop(self, batches: Iterator[TensorBatch], interrupts: Interrupts, log: RunLog | None) -> bool:
        """Steps until the end (True) or until asked to stop (False)."""
        while True:
            share, asked = self.processes.agree([self.share_done(), float(interrupts.asked)])
            if asked or share >= 1:
                self._finish(share >= 1, log)
                return share >= 1
            start = time.monotonic()
            self._train(next(batches).to(self.processes.device), share)
            self._after_step(time.monotonic() - start, log)
            # Validation and checkpoints take their time too: the clock of `minutes` runs on.
            self.state.progress.seconds += time.monotonic() - start

    def _train(self, batch: TensorBatch, share: float) -> None:
        """One step of the optimizer."""
        config, state = self.config, self.state
        assert config.learning_rate is not None
        factor = rate(schedule(config.schedule), share, config.warmup, config.final_rate)
        for group in state.optimizer.param_groups:
            group["lr"] = config.learning_rate * factor
        self.objective.train()
        for part in state.frozen:
            part.eval()
        low = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(config.precision)
        with torch.autocast(self.processes.device.type, low, enabled=low is not None):
            total, terms = self.objective(batch)
        state.scaler.scale(total).backward()
        losses = {"loss": float(total.detach()), **{name: float(term) for name, term in terms.items()}}
        if self.processes.any(not state.follow(losses)):
            raise TrainingError(self._lost(losses["loss"]))
        state.minimise()

    def _lost(self, loss: float) -> str:
        step = self.state.step
        kind = "diverges" if math.isfinite(loss) else "is not a number"
        return (
            f"the loss {kind} ({loss:g}) at step {step}, batch seed "
            f"{batch_seed(self.config.seed, step, self.processes.rank)}; the last good checkpoint is "
            f"{checkpoints.newest(self.folder) or 'none'}; resume from it with a lower learning_rate or with clip"
        )

    def _after_step(self, seconds: float, log: RunLog | None) -> None:
        """Counts, logs, and saves or validates when it is time."""
        config, progress = self.config, self.state.progress
        before = progress.samples // self.epoch_samples
        self.state.step += 1
        progress.samples += self.batch
        speed = self.batch / seconds
        self._speed = speed if math.isnan(self._speed) else self._speed + 0.05 * (speed - self._speed)
        status = self.status()
        self.watcher.stepped(status)
        if log is not None and status.step % config.log_steps == 0:
            with self._disk("log"):
                log.add(log.training, status.row() | {"l2": self.state.penalty()})
        if progress.samples // self.epoch_samples > before and status.step < self.last_step:
            self._validate(log)
            self._save()
        elif time.monotonic() - self._saved_at > 60 * config.checkpoint_minutes:
            self._save()

    def _finish(self, whole: bool, log: RunLog | None) -> None:
        """The last validation and checkpoint; when asked to stop, the checkpoint alone."""
        if whole and self._judged != self.state.step:  # the clock may end a run where an epoch has just ended
            if log is not None:
                with self._disk("log"):
                    log.validation.cut(self.state.step - 1)  # a finished run that is resumed has its last row already
            self._validate(log, final=True)
        self._save(final=True)
        if not whole:
            step, how = self.state.step, f"tesuji train --resume {self.folder}"
            self.watcher.said(f"stopped after step {step}, all saved; go on with: {how}")

    def _validate(self, log: RunLog | None, final: bool = False) -> None:
        """Judges the network; the best so far is exported."""
        if not self.processes.first:
            return
        network, progress = self.state.evaluated, self.state.progress
        if self.state.average is not None and not self.config.quantize:  # integers keep the statistics they have
            self.state.average.settle(self._unused_batches(), self.config.freeze)
        self.metrics = validate(network, self.source.validation(), self.processes.device)
        self._judged = self.state.step
        best = self.metrics.loss < progress.best_loss
        status = self.status()
        if log is not None:
            place = {name: status.row()[name] for name in ("step", "samples", "epoch", "seconds")}
            with self._disk("log"):
                log.add(log.validation, place | self.metrics.row() | {"l2": self.state.penalty()})
        if best:
            with self._disk(f"network of step {status.step}", final):
                if self.export is not None:
                    self.export(network, self.folder, self.metrics)
                # Only what is on the disk is the best so far: the next validation may bring it there.
                progress.best_loss, progress.best_step = self.metrics.loss, self.state.step
        self.watcher.validated(status, self.metrics, best)

    def _unused_batches(self) -> Iterator[TensorBatch]:
        """Positions drawn as for training, by seeds that no step has."""
        for number in range(math.ceil(_SETTLING / self.batch)):
            yield self.source.training(self.batch, batch_seed(self.config.seed, -1 - number)).to(self.processes.device)

    def _save(self, final: bool = False) -> None:
        """Writes a checkpoint."""
        self._saved_at = time.monotonic()
        if self.processes.first:
            with self._disk(f"checkpoint of step {self.state.step}", final):
                checkpoints.save(self.folder, self.state.checkpoint(), self.config.keep)

    @contextmanager
    def _disk(self, what: str, final: bool = False) -> Iterator[None]:
        """A disk that is full for the moment does not end the run, unless the run ends here."""
        try:
            yield
        except OSError as problem:
            saved = checkpoints.newest(self.folder)
            text = f"{what} not written: {problem}; the last good checkpoint is {saved or 'none'}"
            if final:
                raise OSError(text) from problem
            self.watcher.said(text + "; training goes on and tries again")
