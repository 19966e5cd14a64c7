"""What a training run is told: one frozen dataclass, made from a table of settings and saved with every checkpoint."""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help
from tesuji.base.settings import changed, table
from tesuji.training.run.schedules import LAST_STAGE, schedule


class ConfigError(InputError):
    """A setting that does not exist or cannot be what it is given as."""


USUAL = "se.8.192.48+pass+komi+ownership"
USUAL_PLANES = "golois-31"
"""The network that is trained when none is named, and its planes."""


@with_field_help
@dataclass(frozen=True)
class TrainConfig:
    """One training run. Values of None are filled in by the schedule or the data."""

    network: str = USUAL
    """Name of the network; options follow with '+'."""
    planes: str | None = None
    """Plane set the network reads; None takes its family's own, for the usual network golois-31."""
    size: int | None = None
    """Board size; None takes the one size of the data."""
    mixed: bool = False
    """Learn from boards of every size in the data, each batch of one; `size` (None: that of the first file) is
    validated."""
    data: tuple[str, ...] = ()
    """Packed files to learn from; `tesuji data pack` makes them, of a teacher's files too."""
    weights: tuple[float, ...] = ()
    """Share of each file in every batch; empty: by number of positions."""
    move_share: float = 1.0
    """Of the games without a teacher's targets, the share of positions whose move is learned; all teach the value."""
    endings: float = 0.0
    """Share of every batch from the last moves of counted games: boards whose score and owners are known exactly."""
    ending_moves: int = 40
    """How many moves before the end of a counted game its ending begins."""
    forget: float = 0.0
    """Share of positions shown as if set up by hand some moves ago, without what stood on the board before."""
    validation: tuple[str, ...] = ()
    """Packed files of their own to validate on; empty: games split off from `data`."""
    validation_games: int | None = None
    """Games of the first data file held out, and all that resemble them in any file; None: a tenth, at most 10,000."""
    validation_positions: int = 10_000
    """Positions judged at each validation, at most."""
    start: str = ""
    """Weights to begin from: a built-in name, the folder of a training run (its best network) or a safetensors file."""
    positions: str = "games"
    """What is drawn alike often: `games`, then one of their positions, or `positions`, as the papers draw states."""
    quantize: bool = False
    """The last stage: in 8-bit integers the network of `start` learns to say what it says in real numbers."""
    freeze: tuple[str, ...] = ()
    """Parts of the network that stay as they are, such as trunk and policy: new heads on an old trunk learn quickly."""
    seed: int = 1
    """Decides the first weights and every batch."""
    validation_seed: int = 1
    """Decides which games are held out and which of their positions are judged."""

    schedule: str = "cosine"
    """Learning rate over time: cosine, constant, paper-2018, paper-2020, paper-2021 or toronto-2021."""
    learning_rate: float | None = None
    """Highest learning rate; None takes the schedule's."""
    batch: int | None = None
    """Samples of one step, over all processes; None takes the schedule's."""
    epochs: float | None = None
    """Length of the run; None takes the schedule's."""
    steps: int | None = None
    """Length of the run in steps, in place of epochs."""
    epoch_samples: int | None = None
    """Samples of one epoch: validation, a checkpoint and a row of the curves; None takes the schedule's, a million."""
    minutes: float = 0.0
    """Ends the run, and the schedule with it, after this time, pauses left out; 0: by epochs alone."""
    warmup: float = 0.02
    """Share of a cosine schedule spent raising the learning rate from 0."""
    final_rate: float = 0.01
    """Where a cosine schedule ends, as a share of the highest learning rate."""

    optimizer: str | None = None
    """sgd, adam, adamw or muon; None takes the schedule's."""
    momentum: float = 0.9
    """Momentum of sgd (plain, as Keras's default); the first beta of the others."""
    l2: float | None = None
    """Penalty on the squared kernels, as Keras's l2; None takes the schedule's; adamw and muon decay by
    `weight_decay`."""
    weight_decay: float = 0.05
    """Decoupled decay of kernels with adamw and muon."""
    clip: float = 0.0
    """Largest norm of the gradient; 0: any."""
    ema: float = 0.0
    """Decay per step of the averaged weights that are validated and exported; 0: none."""

    policy_loss: str | None = None
    """cross-entropy, or point-bce: a binary cross entropy for every point; None takes the schedule's."""
    policy_weight: float = 1.0
    """Weight of the policy loss."""
    temperature: float = 1.0
    """Above 1 the lesser moves of a teacher's policy count for more: student and teacher are softened alike."""
    teacher_policy: float = 1.0
    """How much a position that a teacher judged counts in the policy loss, beside 1 for one of a game."""
    teacher_value: float = 1.0
    """The same in the value loss."""
    teacher_score: float = 1.0
    """The same in the score loss."""
    teacher_ownership: float = 1.0
    """The same in the ownership loss."""
    value_loss: str | None = None
    """bce or mse; None takes the schedule's, else what the network's name says."""
    value_weight: float | None = None
    """Weight of the value loss beside the policy's; None takes the schedule's, else what the network's name says."""
    score_weight: float | None = None
    """Weight of the losses on the score and the nine komi outputs, where network and data have them; None takes the
    schedule's."""
    pass_weight: float = 0.0
    """Weight of a pass's own binary cross entropy beside point-bce, which speaks of points alone."""
    ownership_weight: float = 0.3
    """Weight of the loss on final ownership, where network and data have it."""
    next_weight: float = 0.15
    """Weight of the loss on the moves that follow, where the network predicts them."""

    device: str = "auto"
    """cpu, cuda, cuda:1, ...; auto takes a GPU where there is one."""
    precision: str = "auto"
    """fp32, bf16 or fp16 (GPU); auto takes bf16 where the hardware computes in it and fp32 elsewhere."""
    compile: bool = False
    """Let torch.compile rewrite the network: slow to start, quicker on GPU."""
    threads: int = 0
    """Threads of the arithmetic; 0: as torch chooses."""
    loaders: int = 2
    """Threads that prepare batches ahead of the step."""
    prefetch: int = 4
    """Batches kept ready."""

    checkpoint_minutes: float = 3.0
    """Longest time between two checkpoints."""
    keep: int = 3
    """Checkpoints kept, the newest first."""
    log_steps: int = 50
    """Steps between two rows of log.csv."""
    divergence: float = 3.0
    """Stops when the average loss exceeds this many times its lowest value."""

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise ConfigError(problem)

    def filled(self) -> "TrainConfig":
        """The same with every value the schedule decides filled in."""
        plan = LAST_STAGE if self.quantize and self.schedule == "cosine" else schedule(self.schedule)
        defaults = {
            name: getattr(plan, name)
            for name in (
                "learning_rate", "batch", "epochs", "optimizer", "policy_loss", "value_loss", "value_weight",
                "score_weight", "l2", "epoch_samples",
            )
            if getattr(self, name) is None
        }  # fmt: skip
        filled = dataclasses.replace(self, **defaults)
        if filled.steps is not None and filled.batch is not None and filled.epoch_samples is not None:
            filled = dataclasses.replace(filled, epochs=filled.steps * filled.batch / filled.epoch_samples)
        return filled

    def changed(self, settings: Mapping[str, object]) -> "TrainConfig":
        """A copy with these settings; refuses unknown keys with the nearest valid one."""
        try:
            return changed(self, settings, "training")
        except ValueError as problem:
            raise ConfigError(str(problem)) from None

    def table(self) -> dict[str, Any]:
        """Every field as plain values, for JSON or TOML."""
        return table(self)

    def toml(self) -> str:
        """The text of a file that `--config` reads back; what is None is left out, since TOML has no None."""
        # JSON's texts, numbers, booleans and lists of them are TOML's as well.
        lines = (f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in self.table().items() if v is not None)
        return "".join(lines)


_POSITIVE = (
    "learning_rate", "batch", "epochs", "epoch_samples", "size", "steps", "validation_games", "validation_positions",
    "keep", "log_steps", "loaders", "prefetch", "checkpoint_minutes", "ending_moves", "temperature",
)  # fmt: skip
_NOT_NEGATIVE = (
    "minutes", "l2", "weight_decay", "clip", "threads", "value_weight", "score_weight", "ownership_weight",
    "next_weight", "pass_weight", "final_rate", "policy_weight", "teacher_policy", "teacher_value", "teacher_score",
    "teacher_ownership",
)  # fmt: skip
_CHOICES = {
    "optimizer": ("sgd", "adam", "adamw", "muon"),
    "policy_loss": ("cross-entropy", "point-bce"),
    "value_loss": ("bce", "mse"),
    "positions": ("games", "positions"),
    "precision": ("auto", "fp32", "bf16", "fp16"),
}


def _problems(config: TrainConfig) -> list[str]:
    """Everything wrong with the values, each with its cure."""
    found = []
    for name in _POSITIVE:
        value = getattr(config, name)
        if value is not None and not 0 < value < math.inf:
            found.append(f"{name} is {value}; it must be above 0" + (" and finite" if value == math.inf else ""))
    for name in _NOT_NEGATIVE:
        value = getattr(config, name)
        if value is not None and not 0 <= value < math.inf:
            found.append(f"{name} is {value}; it must not be negative" + (" nor infinite" if value == math.inf else ""))
    for name, choices in _CHOICES.items():
        value = getattr(config, name)
        if value is not None and value not in choices:
            found.append(f"{name} is '{value}'; it is one of {', '.join(choices)}")
    for name in ("momentum", "ema", "warmup", "endings", "forget"):
        if not 0 <= getattr(config, name) < 1:
            found.append(f"{name} is {getattr(config, name)}; it must be at least 0 and below 1")
    if config.weights and len(config.weights) != len(config.data):
        found.append(f"{len(config.weights)} weights for {len(config.data)} data files; give one for each")
    if not 0 <= config.move_share <= 1:
        found.append(f"move_share is {config.move_share}; it must be from 0 to 1")
    if not config.divergence > 1:
        found.append(f"divergence is {config.divergence}; it must be above 1")
    if config.quantize:
        found.extend(_not_in_integers(config))
    schedule(config.schedule)
    return found


def _not_in_integers(config: TrainConfig) -> list[str]:
    """What a run over integers cannot be told."""
    found = []
    if not config.start:
        found.append("quantize goes on with a trained network; name it with --from (a built-in name, a run or a file)")
    if config.precision not in ("auto", "fp32"):
        found.append(f"precision is '{config.precision}'; with quantize it is fp32")
    if config.compile:
        found.append("compile is not for quantize; leave one of them out")
    if config.mixed:
        found.append("mixed is not for quantize; integers are fitted to boards of one size")
    return found
