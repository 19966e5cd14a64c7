"""Everything that changes while a network is trained (weights, optimizer, averages), into a checkpoint and back."""

import copy
import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm as _Norm

from tesuji.base.errors import InputError
from tesuji.training.run.batches import TensorBatch
from tesuji.training.run.checkpoints import Checkpoint
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.losses import forward, value_of
from tesuji.training.run.muon import Muon
from tesuji.training.run.starting import restore_weights

DECOUPLED: dict[str, type[torch.optim.AdamW]] = {"adamw": torch.optim.AdamW, "muon": Muon}
"""Optimizers whose decay of kernels stands beside the loss."""
_SMOOTHING = 0.02  # share of the newest step in the averages that are logged


def optimizer(network: nn.Module, config: TrainConfig) -> torch.optim.Optimizer:
    """The optimizer of a filled configuration, with its penalty on kernels only.

    Keras's `l2(a)` adds `a * w^2` to the loss, whose gradient is `2 a w`: hence twice the number here.
    """
    assert config.learning_rate is not None
    kernels = [p for p in network.parameters() if p.requires_grad and p.ndim > 1]
    others = [p for p in network.parameters() if p.requires_grad and p.ndim <= 1]
    decay = config.weight_decay if config.optimizer in DECOUPLED else 2 * (config.l2 or 0.0)
    if config.quantize:
        decay = 0.0  # what is to be said is known exactly: nothing to hold back from
    groups = [{"params": kernels, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    rate = config.learning_rate
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=config.momentum)
    kind = DECOUPLED.get(str(config.optimizer), torch.optim.Adam)
    return kind(groups, lr=rate, betas=(config.momentum, 0.999))


def frozen_parts(network: nn.Module, names: Sequence[str]) -> list[nn.Module]:
    """The parts of these names, which no longer learn. Raises `ValueError` when there is no such part."""
    parts = dict(network.named_modules())
    for name in names:
        if not name or name not in parts:
            known = ", ".join(part for part, _ in network.named_children())
            raise InputError(f"the network has no part '{name}' to freeze; it has {known}")
    return [parts[name].requires_grad_(False) for name in names]


class Average:
    """A moving average of a network's weights and running statistics: less noise than any single step."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.decay = decay
        self.network = copy.deepcopy(network).eval().requires_grad_(False)
        self.steps = 0

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Moves towards the network after a step; quicker at first, when it knows only the initial weights."""
        self.steps += 1
        share = 1 - min(self.decay, (1 + self.steps) / (10 + self.steps))
        for mine, theirs in zip(_tensors(self.network), _tensors(network), strict=True):
            if mine.is_floating_point():
                mine.lerp_(theirs, share)
            else:
                mine.copy_(theirs)

    @torch.no_grad()
    def settle(self, batches: Iterable[TensorBatch], frozen: Sequence[str] = ()) -> None:
        """Takes the statistics of batch norms anew from these positions, but for those in frozen parts.

        Those of the steps belong to the weights of the steps. On the way, at a high rate, they are so far off that the
        sum of the ownership misses the score by eight points more, and the value is worse than a guess.
        """
        norms = [part for name, part in self.network.named_modules() if isinstance(part, _Norm) and _free(name, frozen)]
        pace = [norm.momentum for norm in norms]
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # the mean of all batches
            norm.train()
        for batch in batches if norms else ():
            forward(self.network, batch, value_of(self.network))
        for norm, momentum in zip(norms, pace, strict=True):
            norm.momentum = momentum
            norm.eval()


def _free(name: str, frozen: Sequence[str]) -> bool:
    return not any(name == part or name.startswith(part + ".") for part in frozen)


def _tensors(network: nn.Module) -> Iterator[torch.Tensor]:
    yield from network.parameters()
    yield from network.buffers()


@dataclass
class Progress:
    """The plain numbers of a run, saved with every checkpoint."""

    samples: int = 0
    seconds: float = 0.0
    best_loss: float = math.inf
    best_step: int = -1
    lowest_loss: float = math.inf

    def table(self) -> dict[str, Any]:
        """For JSON, which knows no infinity."""
        return {key: value if math.isfinite(value) else str(value) for key, value in dataclasses.asdict(self).items()}

    @classmethod
    def of(cls, table: dict[str, Any]) -> "Progress":
        """Back from `table`."""
        # Infinity is kept as text, which float reads.
        seconds, best, lowest = (float(table[name]) for name in ("seconds", "best_loss", "lowest_loss"))
        return cls(int(table["samples"]), seconds, best, int(table["best_step"]), lowest)


class TrainingState:
    """A network in training: its weights and their average, the optimizer, the scale of gradients, the numbers."""

    def __init__(self, network: nn.Module, config: TrainConfig, device: torch.device) -> None:
        self.config, self.device = config, device
        self.network = network.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.frozen = frozen_parts(self.network, config.freeze)
        """Parts that keep weights and statistics."""
        self.optimizer = optimizer(self.network, config)
        self.average = Average(self.network, config.ema) if config.ema else None
        self.scaler = torch.amp.GradScaler(device.type, enabled=config.precision == "fp16")
        self.step = 0
        self.progress = Progress()
        self.recent: dict[str, float] = {}
        """Moving averages of the losses."""

    @property
    def evaluated(self) -> nn.Module:
        """The network that is validated and exported: the averaged one where there is one."""
        return self.average.network if self.average else self.network

    @torch.no_grad()
    def penalty(self) -> float:
        """What `l2` adds to the loss: Keras's sum over kernels; 0 where the decay stands beside the loss."""
        if self.config.optimizer in DECOUPLED or self.config.quantize or not self.config.l2:
            return 0.0
        kernels = self.optimizer.param_groups[0]["params"]
        return self.config.l2 * sum(float(kernel.double().square().sum()) for kernel in kernels)

    def minimise(self) -> None:
        """Moves the optimizer along the gradients at hand, and the average after it."""
        if self.config.clip:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        if self.average:
            self.average.update(self.network)

    def follow(self, losses: dict[str, float]) -> bool:
        """Takes a step's losses into the averages; False when the loss is not a number or runs away."""
        if not math.isfinite(losses["loss"]):
            return False
        for name, value in losses.items():
            old = self.recent.get(name, value)
            self.recent[name] = old + _SMOOTHING * (value - old)
        # The first steps say nothing: the average still holds the untrained network.
        if self.step < 100:
            return True
        self.progress.lowest_loss = min(self.progress.lowest_loss, self.recent["loss"])
        return self.recent["loss"] <= self.config.divergence * self.progress.lowest_loss

    def checkpoint(self) -> Checkpoint:
        """All of it at this moment."""
        states = self.optimizer.state_dict()["state"]
        progress = self.progress.table() | {"scaler": self.scaler.state_dict(), "recent": self.recent}
        if self.average:
            progress["average_steps"] = self.average.steps
        random = {"torch": torch.get_rng_state()}
        if self.device.type == "cuda":
            random["cuda"] = torch.cuda.get_rng_state(self.device)
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
        """Becomes what the checkpoint was. Raises `ValueError` when it belongs to another network."""
        restore_weights(self.network, saved.weights)
        if self.average:
            restore_weights(self.average.network, saved.average or saved.weights)
            self.average.steps = int(saved.progress.get("average_steps", 0))
        self._restore_optimizer(saved.optimizer)
        self.step, self.progress = saved.step, Progress.of(saved.progress)
        self.recent = dict(saved.progress["recent"])
        self.scaler.load_state_dict(saved.progress["scaler"])
        torch.set_rng_state(saved.random["torch"])
        if "cuda" in saved.random and self.device.type == "cuda":
            torch.cuda.set_rng_state(saved.random["cuda"], self.device)

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
