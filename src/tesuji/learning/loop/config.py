"""What a learning run is told: the loop's own settings, and those of self-play and training in tables of their own."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help
from tesuji.base.files import write_atomically
from tesuji.base.settings import changed, table
from tesuji.learning.selfplay.options import SelfplayOptions, komi_range
from tesuji.training.run.config import TrainConfig

TRAINING = {"schedule": "cosine", "learning_rate": 0.002, "batch": 256, "warmup": 0.05, "final_rate": 0.1}
"""What rounds train with unless told otherwise; everything else is `TrainConfig`'s."""
_OURS = (
    "network", "planes", "size", "data", "weights", "start", "epochs", "steps", "epoch_samples", "seed", "minutes",
)  # fmt: skip


@with_field_help
@dataclass(frozen=True)
class LoopOptions:
    """The loop: play, train, gate, again."""

    network: str = ""
    """Network to train, by name; empty takes the start's."""
    planes: str | None = None
    """Plane set of a network that starts from zero; None takes its family's own, for the usual network golois-31."""
    start: str = ""
    """Weights to begin from: a built-in name, the folder of a training run (its best network) or a
    safetensors file; empty starts from zero."""
    grow: tuple[str, ...] = ()
    """`ROUND=NETWORK`: from that round on another network is trained, first on the whole window."""
    rounds: int = 0
    """Rounds in all; 0 goes on until stopped."""
    games: int = 500
    """Games of self-play in a round."""
    window: int = 10_000
    """Most recent games that are trained on."""
    reuse: float = 6.0
    """How often a position is trained on, on average, counted by the new ones of each round."""
    q_share: float = 0.3
    """Share of the search's value in the value target; the rest is the result of the game."""
    data: tuple[str, ...] = ()
    """Packed files of other games, to be trained on as well."""
    data_share: float = 0.0
    """Their share in every batch."""
    gate: str = "sprt"
    """`sprt`: a candidate becomes the best by a sequential test against it; `none`: always."""
    gate_games: int = 100
    """Games of the test at most; undecided by then, the likelier hypothesis counts."""
    gate_visits: int = 64
    """Visits of both sides."""
    gate_komi: float | None = None
    """Komi of the test; None takes self-play's, or the middle of its range."""
    gate_openings: str = "auto"
    """As in the arena: none, random[:MOVES], a packed file; auto draws short ones on small boards."""
    gate_temperature: float = 0.3
    """Spread of both sides' choice in the first moves, so that games differ."""
    elo0: float = 0.0
    """The test's hypothesis that the candidate is no better."""
    elo1: float = 30.0
    """Its hypothesis that it is."""
    alpha: float = 0.05
    """Error of each kind."""
    anchor_games: int = 0
    """Games of every new best network against a search without a network, as a fixed measure; 0: none."""
    resign_error: float = 0.05
    """Share of wrong resignations the threshold is set for, from the games played out; 0 leaves it alone."""
    keep_training: bool = True
    """Whether training goes on from the last candidate even if it was refused; else from the best."""
    seed: int = 1
    """Of everything."""

    def __post_init__(self) -> None:
        if self.gate not in ("sprt", "none"):
            raise InputError(f"learning setting gate is '{self.gate}'; it is sprt or none")
        for name in ("games", "window", "gate_visits"):
            if getattr(self, name) < 1:
                raise InputError(f"learning setting {name} is {getattr(self, name)}; it must be at least 1")
        for name in ("q_share", "data_share", "resign_error"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"learning setting {name} is {getattr(self, name)}; it must lie between 0 and 1")
        if not self.reuse > 0:
            raise InputError(f"learning setting reuse is {self.reuse}; it must be above 0")
        if self.gate_games < 2 or self.gate_games % 2:
            raise InputError(f"learning setting gate_games is {self.gate_games}; games come in pairs: 2, 4, ...")
        if bool(self.data) != (self.data_share > 0):
            raise InputError("give `data` and `data_share` together: other games, and their share in a batch")
        self.growth()

    def growth(self) -> dict[int, str]:
        """Networks by the round from which on they are trained."""
        found = {}
        for text in self.grow:
            number, sign, name = text.partition("=")
            if not sign or not number.strip().isdigit():
                raise InputError(f"learning setting grow is '{text}'; it reads ROUND=NETWORK")
            found[int(number)] = name.strip()
        return found


@with_field_help
@dataclass(frozen=True)
class LearnConfig:
    """The whole of a run."""

    loop: LoopOptions = field(default_factory=LoopOptions)
    selfplay: SelfplayOptions = field(default_factory=SelfplayOptions)
    train: Mapping[str, Any] = field(default_factory=dict)
    """Settings of `TrainConfig` in which rounds differ from `TRAINING`."""

    def __post_init__(self) -> None:
        for key in self.train:
            if key in _OURS:
                raise InputError(f"training setting '{key}' is decided by the loop; set it there")
        TrainConfig().changed(self.train)

    def changed(self, settings: Mapping[str, Any]) -> "LearnConfig":
        """A copy with these settings: `games`, `selfplay.search.visits`, `train.batch`, or tables of those names."""
        parts: dict[str, dict[str, Any]] = {"loop": {}, "selfplay": {}, "train": {}}
        for key, value in settings.items():
            section, dot, name = key.partition(".")
            if dot and section in parts:
                parts[section][name] = value
            elif key in parts and isinstance(value, Mapping):
                parts[key].update(value)
            else:
                parts["loop"][key] = value
        return LearnConfig(
            changed(self.loop, parts["loop"], "learning"),
            changed(self.selfplay, parts["selfplay"], "self-play"),
            {**self.train, **parts["train"]},
        )

    def training(self) -> dict[str, Any]:
        """The settings of a round's training, but for those the loop decides."""
        return {**TRAINING, **self.train}

    @property
    def gate_komi(self) -> float:
        """Komi of the gate's games."""
        if self.loop.gate_komi is not None:
            return self.loop.gate_komi
        low, high = komi_range(self.selfplay.stated_komi)
        return low + round(high - low) // 2

    def plain(self) -> dict[str, Any]:
        """As plain tables, for JSON."""
        return {"loop": table(self.loop), "selfplay": table(self.selfplay), "train": dict(self.train)}

    def write(self, path: Path) -> None:
        """As a TOML file that `--config` reads back."""
        write_atomically(path, "\n".join(_toml(self.plain())) + "\n")


def _toml(tables: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The lines of tables, tables inside them after their own values; None is left out, since TOML has no None."""
    for name, values in tables.items():
        yield f"[{above}{name}]"
        inner = {key: value for key, value in values.items() if isinstance(value, dict)}
        # JSON's texts, numbers, booleans and lists of them are TOML's as well.
        for key, value in values.items():
            if value is not None and key not in inner:
                yield f"{key} = {json.dumps(value, ensure_ascii=False)}"
        yield from _toml(inner, f"{above}{name}.")
