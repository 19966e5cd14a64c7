"""The networks this server offers. Visitors choose among their names; a path sent by a visitor is never opened."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tesuji import Game, encode, load
from tesuji.base.errors import InputError
from tesuji.base.measuring import rate
from tesuji.features.evaluation import Evaluator
from tesuji.networks import library
from tesuji.networks.onnx.model_file import ModelInfo, read_bytes, read_info

KEPT = 4  # networks in memory at once


@dataclass(frozen=True)
class NetworkFacts:
    """What the page tells about a network."""

    name: str
    network: str
    planes: str
    parameters: int
    megabytes: float
    boards: str
    training: dict[str, Any]


class Networks:
    """Evaluators by name, loaded when first needed; the server's own comes first."""

    def __init__(self, chosen: str = "") -> None:
        self._lock = threading.Lock()
        self._loaded: dict[str, Evaluator] = {}
        self._files: dict[str, Path] = {}
        self._notes: dict[str, ModelInfo] = {}
        if chosen:
            path = library.find(chosen).resolve()
            self._files[path.stem] = path
            self.get(path.stem)  # a damaged file is told at the start, not in the middle of a game
        self._own = list(self._files)
        for name in library.names():
            self._files.setdefault(name, library.find(name))
        for name, path in list(self._files.items()):
            try:
                self._notes[name] = read_info(read_bytes(path), name)
            except (ValueError, OSError):
                del self._files[name]  # not one of ours, or damaged: not offered

    def names(self) -> list[str]:
        """What may be chosen."""
        return list(self._files)

    def get(self, name: str) -> Evaluator:
        """The network of this name. Raises `ValueError` or `OSError` in one clear line."""
        with self._lock:
            if name in self._loaded:
                self._loaded[name] = self._loaded.pop(name)  # most recently used last
                return self._loaded[name]
            if name not in self._files:
                raise InputError(f"no network '{name[:60]}' here; known: {', '.join(self.names()) or 'none'}")
            evaluator = load(self._files[name])
            self._loaded[name] = evaluator
            while len(self._loaded) > KEPT:
                del self._loaded[next(iter(self._loaded))]
            return evaluator

    def best_for(self, size: int, wished: str = "") -> tuple[str, Evaluator]:
        """The wished network, or the first that plays this size: made for it before merely able to."""
        if wished:
            evaluator = self.get(wished)
            if not evaluator.plays(size):
                raise InputError(f"the network {wished} does not play on {size} lines; choose another")
            return wished, evaluator
        for name in self.ranked_for(size):
            if self._plays(name, size):
                return name, self.get(name)
        raise InputError(f"no network here plays on {size} lines; start with --net FILE for one that does")

    def ranked_for(self, size: int) -> list[str]:
        """All names, the fittest for this size first: the server's own, made for it, able to, the rest."""
        able = [name for name in self._notes if self._plays(name, size)]
        own = [name for name in self._own if name in able]
        made = [name for name in able if self._notes[name].size == size]
        return list(dict.fromkeys([*own, *made, *able, *self.names()]))

    def _plays(self, name: str, size: int) -> bool:
        return self._notes[name].any_size or self._notes[name].size == size

    def made_for(self, size: int) -> bool:
        """Whether some network here was made for boards of this size."""
        return any(note.size == size for note in self._notes.values())

    def facts(self, name: str) -> NetworkFacts:
        """What is known about a network."""
        if name not in self._notes:
            raise InputError(f"no network '{name[:60]}' here")
        note, path = self._notes[name], self._files[name]
        return NetworkFacts(
            name=name,
            network=note.name,
            planes=note.planes,
            parameters=note.parameters,
            megabytes=path.stat().st_size / 1e6 if path.is_file() else 0.0,
            boards=f"made for {note.size} lines, plays any" if note.any_size else f"{note.size} lines",
            training=dict(note.training),
        )

    def speed(self, name: str, size: int, seconds: float = 0.4) -> float:
        """Positions a second in batches of 16, on one thread of this machine as busy as it is now."""
        evaluator = self.get(name)
        planes = np.repeat(encode([Game(size)], evaluator.planes), 16, axis=0)
        komi = np.full(16, 7.5, np.float32)
        return rate(lambda: len(evaluator(planes, komi).value), seconds)
