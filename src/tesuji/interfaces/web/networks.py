"""The networks this server offers. Visitors choose among their names; a path sent by a visitor is never opened."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tesuji import Game, encode, load
from tesuji.features.evaluation import Evaluator
from tesuji.networks import library

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
        self._paths: dict[str, Path] = {}
        if chosen:
            path = library.find(chosen)
            self._paths[path.stem] = path.resolve()
            self.get(path.stem)  # a damaged file is told at the start, not in the middle of a game

    def names(self) -> list[str]:
        """What may be chosen."""
        return list(dict.fromkeys([*self._paths, *library.names()]))

    def get(self, name: str) -> Evaluator:
        """The network of this name. Raises `ValueError` or `OSError` in one clear line."""
        with self._lock:
            if name in self._loaded:
                self._loaded[name] = self._loaded.pop(name)  # most recently used last
                return self._loaded[name]
            if name not in self.names():
                raise ValueError(f"no network '{name[:60]}' here; known: {', '.join(self.names()) or 'none'}")
            evaluator = load(self._paths.get(name, name))
            self._loaded[name] = evaluator
            while len(self._loaded) > KEPT:
                del self._loaded[next(iter(self._loaded))]
            return evaluator

    def best_for(self, size: int, wished: str = "") -> tuple[str, Evaluator]:
        """The wished network, or the first that plays this size: made for it before merely able to."""
        if wished:
            evaluator = self.get(wished)
            if not evaluator.plays(size):
                raise ValueError(f"the network {wished} does not play on {size} lines; choose another")
            return wished, evaluator
        able = [name for name in self.names() if self.get(name).plays(size)]
        own = [name for name in self._paths if name in able]
        made = [name for name in able if _info(self.get(name), "size") == size]
        for name in own + made + able:
            return name, self.get(name)
        raise ValueError(f"no network here plays on {size} lines; start with --net FILE for one that does")

    def facts(self, name: str) -> NetworkFacts:
        """What is known about a network."""
        evaluator = self.get(name)
        any_size, size = _info(evaluator, "any_size"), _info(evaluator, "size")
        path = self._paths.get(name) or library.find(name)
        return NetworkFacts(
            name=name,
            network=evaluator.name,
            planes=evaluator.planes,
            parameters=int(_info(evaluator, "parameters") or 0),
            megabytes=path.stat().st_size / 1e6 if path.is_file() else 0.0,
            boards=f"made for {size} lines, plays any" if any_size else f"{size} lines",
            training=dict(_info(evaluator, "training") or {}),
        )

    def speed(self, name: str, size: int, seconds: float = 0.4) -> float:
        """Positions a second in batches of 16, on one thread of this machine as busy as it is now."""
        evaluator = self.get(name)
        planes = np.repeat(encode([Game(size)], evaluator.planes), 16, axis=0)
        komi = np.full(16, 7.5, np.float32)
        evaluator(planes, komi)
        started, judged = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            evaluator(planes, komi)
            judged += 16
        return judged / (time.perf_counter() - started)


def _info(evaluator: Evaluator, field: str) -> Any:
    return getattr(getattr(evaluator, "info", None), field, None)
