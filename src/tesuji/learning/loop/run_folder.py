"""The folder of a learning run: its networks, games and matches, and the state from which it goes on."""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.learning.loop.config import LearnConfig
from tesuji.learning.selfplay.options import SelfplayOptions
from tesuji.learning.selfplay.shards import locked

FORMAT = 2
_FLAT = 1  # the search's settings stood among those of self-play


@dataclass
class State:
    """What is known after the last finished stage."""

    best: str = "0000"
    """The network that plays: a name below `networks/`."""
    latest: str = "0000"
    """The network that training goes on from."""
    resign: float = 0.0
    rounds: list[dict[str, Any]] = field(default_factory=list)
    """One row for each finished round."""
    current: dict[str, Any] = field(default_factory=dict)
    """What is done of the round under way."""

    @property
    def round(self) -> int:
        """The round under way, or next."""
        return len(self.rounds) + 1


class RunFolder:
    """One run on disk. Use it as a context: it is locked while open."""

    def __init__(self, folder: Path) -> None:
        """Raises `ValueError` when another loop runs in the folder."""
        self.folder = folder
        self._new = not folder.exists()
        (folder / "networks").mkdir(parents=True, exist_ok=True)
        self._lock = locked(folder / ".lock", f"another `tesuji learn` runs in '{folder}'")

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)
        if error is not None and self._new and not self.state_file.exists():
            shutil.rmtree(self.folder, ignore_errors=True)  # refused before it began: nothing stays behind

    def model(self, name: str) -> Path:
        """The model file of a network of this run."""
        return self.folder / "networks" / f"{name}.onnx"

    def weights(self, name: str) -> Path:
        """Its weights, to train on."""
        return self.model(name).with_suffix(".safetensors")

    def games(self, number: int) -> Path:
        """The self-play games of a round."""
        return self.folder / "games" / f"{number:04d}"

    def training(self, number: int) -> Path:
        """The training run of a round."""
        return self.folder / "training" / f"{number:04d}"

    def match(self, number: int, kind: str = "gate") -> Path:
        """The games of a round's gate, or of another match."""
        return self.folder / kind / f"{number:04d}"

    @property
    def state_file(self) -> Path:
        return self.folder / "state.json"

    def read(self) -> tuple[LearnConfig, State]:
        """Where the run stopped. Raises `ValueError` when there is nothing to go on with."""
        if not self.state_file.is_file():
            raise InputError(f"no run to resume in '{self.folder}'; leave out --resume to begin one")
        try:
            saved = json.loads(self.state_file.read_text(encoding="utf-8"))
            if saved["format"] == _FLAT:
                saved["config"]["selfplay"] = _nested(saved["config"]["selfplay"])
            elif saved["format"] != FORMAT:
                raise InputError(f"format {saved['format']}, this version reads {FORMAT}")
            return LearnConfig().changed(saved["config"]), State(**saved["state"])
        except (KeyError, TypeError, ValueError) as fault:
            raise InputError(f"{self.state_file} cannot be read: {fault}") from None

    def write(self, config: LearnConfig, state: State) -> None:
        """Keeps the state, whole or not at all."""
        saved = {"format": FORMAT, "config": config.plain(), "state": asdict(state)}
        write_atomically(self.state_file, json.dumps(saved, indent=1).encode())

    def keep_network(self, name: str, training: Path) -> None:
        """Takes over what a training run has exported; the model comes last and makes it complete."""
        for source, target in (("best.safetensors", self.weights(name)), ("best.onnx", self.model(name))):
            write_atomically(target, (training / source).read_bytes())
        shutil.rmtree(training / "checkpoints", ignore_errors=True)  # large, and of no more use


def _nested(selfplay: Mapping[str, Any]) -> dict[str, Any]:
    """Self-play settings as earlier versions wrote them, with those of the search in their place."""
    own = {field.name for field in fields(SelfplayOptions)}
    return {key if key in own else f"search.{key}": value for key, value in selfplay.items()}
