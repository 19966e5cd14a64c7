"""Which network plays which board size; networks by name, loaded when first needed.

Whoever asks over the web chooses among these names; a path sent by a visitor is never opened.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.base.errors import InputError
from tesuji.base.measuring import rate
from tesuji.base.quantities import number
from tesuji.networks import library

if TYPE_CHECKING:
    from tesuji.features.evaluation import Evaluator
    from tesuji.networks.onnx.model_file import ModelInfo

KEPT = 4  # networks in memory at once
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class NetworkFacts:
    """What people are told about a network."""

    name: str
    network: str
    planes: str
    parameters: int
    megabytes: float
    size: int
    """Lines of the boards it was made for."""
    any_size: bool
    """Whether it plays others, too."""
    training: dict[str, Any]


class Networks:
    """Evaluators by name: the one chosen at the start, those of the package, the user's own.

    With a `value_net`, the chosen network's policy is joined with that network's value. With several devices every
    network has one evaluator on each.
    """

    def __init__(self, chosen: str = "", value_net: str = "", devices: Sequence[str] = ("cpu",)) -> None:
        if value_net and not chosen:
            raise InputError("a value network joins the policy of another: name that one too")
        path = library.find(chosen).resolve() if chosen else None
        self._value_net = str(library.find(value_net)) if value_net else ""
        self.devices = list(devices)
        """Where networks run, each in words that may tell the precision too."""
        rank = library.split_rank(chosen)[1]
        self.own = (path.stem + f"@{rank}" * bool(rank)) if path else ""
        """The network chosen at the start, by name; empty where none was."""
        self._files: dict[str, Path] = {self.own: path} if path else {}
        for name in library.names():
            self._files.setdefault(name, library.find(name))
        self._loaded: dict[str, list[Evaluator]] = {}
        self._lock = threading.Lock()
        self._told: set[tuple[str, int]] = set()
        self._is_loading = False  # ahead of time

    def check(self) -> None:
        """Raises `InputError` where the chosen network is none, or cannot run as asked: before a game, not in it."""
        from tesuji.networks.evaluators.factory import read_model
        from tesuji.networks.onnx.model_file import needed_int8, read_info

        self.check_devices()
        for path in filter(None, (str(self._files.get(self.own, "")), self._value_net)):
            data = read_model(path)
            read_info(data, path)
            if self.asks_for_integers:
                needed_int8(data, path)

    def check_devices(self) -> None:
        """Raises `InputError` for a device that is not here, or a precision that nobody knows."""
        from tesuji.networks.evaluators.factory import Running

        for device in self.devices:
            Running.on(device).check()

    @property
    def asks_for_integers(self) -> bool:
        """Whether some device is to calculate in nothing but integers."""
        return any(device.endswith("/int8") for device in self.devices)

    def names(self) -> list[str]:
        """What may be chosen; files of the folders that are not ours, or damaged, are not offered."""
        return [name for name in self._files if name == self.own or name in self._notes]

    @cached_property
    def _notes(self) -> dict[str, ModelInfo]:
        """The notes in the model files, read without loading the networks."""
        from tesuji.networks.onnx.model_file import read_bytes, read_info

        notes = {}
        for name, path in self._files.items():
            with contextlib.suppress(ValueError, OSError):
                notes[name] = read_info(read_bytes(path), name)
        return notes

    def get(self, name: str) -> Evaluator:
        """The network of this name, on the first device. Raises `InputError` or `OSError` in one clear line."""
        return self.on_all_devices(name)[0]

    def on_all_devices(self, name: str) -> list[Evaluator]:
        """The network of this name, an evaluator for each device."""
        with self._lock:
            if name in self._loaded:
                self._loaded[name] = self._loaded.pop(name)  # most recently used last
                return self._loaded[name]
            if self._known(name) not in self._files:
                raise InputError(f"no network '{name[:60]}' here; known: {', '.join(self.names()) or 'none'}")
            self._loaded[name] = self._load(name)
            while len(self._loaded) > KEPT:
                del self._loaded[next(iter(self._loaded))]
            return self._loaded[name]

    def _known(self, name: str) -> str:
        """The name under which a network is listed: a rank told to it makes no other network of it."""
        return name if name in self._files else library.split_rank(name)[0]

    def _load(self, name: str) -> list[Evaluator]:
        from tesuji.networks.evaluators.factory import load, told  # brings the runtime with it: not before it is needed

        rank = library.split_rank(name)[1]
        made = [told(one, rank) for one in load(self._files[self._known(name)], device=self._devices_of(name))]
        value_net = self._value_net if name == self.own else ""
        if rank and not value_net:
            from tesuji.networks.evaluators.ranked import EYES

            value_net = EYES
        if value_net:
            from tesuji.networks.evaluators.wrappers import Joined

            values = load(value_net, device=self.devices)
            return [Joined(policy, value) for policy, value in zip(made, values, strict=True)]
        return made

    def _devices_of(self, name: str) -> list[str]:
        """Where a network runs: one that nobody asked to be in integers, and has none, does what it can."""
        if name == self.own or not self.asks_for_integers or self._has_integers(name):
            return self.devices
        return [device.removesuffix("/int8") for device in self.devices]

    def _has_integers(self, name: str) -> bool:
        from tesuji.networks.evaluators.factory import read_model
        from tesuji.networks.onnx.model_file import read_int8

        path = self._files[self._known(name)]
        return read_int8(read_model(path), str(path)) is not None

    def for_size(self, size: int, wished: str = "") -> Evaluator:
        """The wished network, or the one that fits this size best, on the first device."""
        return self.get(self.choose(size, wished))

    def choose(self, size: int, wished: str = "") -> str:
        """The name of the wished network, or of the one that fits this size best. Raises `InputError` if none does."""
        if wished:
            if not self._plays(wished, size):
                raise InputError(f"the network {wished} does not play {size}x{size}; choose another")
            return self._tell(wished, size)
        for name in self.ranked_for(size):
            if self._plays(name, size):
                return self._tell(name, size)
        raise InputError(f"no network here plays {size}x{size}; start with --net FILE for one that does")

    def can(self, name: str, size: int) -> bool:
        """Whether a network of this name is here and plays this board."""
        return self._known(name) in self._files and self._plays(name, size)

    def ranked_for(self, size: int) -> list[str]:
        """All names, the fittest for this size first: the chosen one, then as `_misfit` says, then those unable."""
        return sorted(self.names(), key=lambda name: (not self._plays(name, size), self._misfit(name, size)))

    def _misfit(self, name: str, size: int) -> tuple[int, int, int]:
        """Smallest for what plays a size best: made for it; of the package; of a board near in size.

        A board larger than the network's own counts double: it has seen corners and sides, but no wide centre.
        """
        note = self._notes.get(name)
        made_for = note.size if note is not None else self.get(name).info.size
        distance = made_for - size if made_for >= size else 2 * (size - made_for)
        own, builtin = name == self.own, self._files[name].parent == library.BUILTIN
        if name == library.HUMAN and not own:  # plays as people do, mistakes included: for those who ask for it
            return (3, 0, distance)
        return (0 if own else 1 if distance == 0 else 2, 0 if builtin else 1, distance)

    def _plays(self, name: str, size: int) -> bool:
        note = self._notes.get(self._known(name))
        if note is not None and library.split_rank(name)[1]:
            return note.size == size  # whom it imitates it has seen on that board alone
        if note is None or (name == self.own and self._value_net):
            return self.get(name).plays(size)
        return note.any_size or note.size == size

    def made_for(self, size: int) -> bool:
        """Whether some network here was made for boards of this size."""
        return any(note.size == size for note in self._notes.values())

    def load_ahead(self, size: int, wished: str = "") -> None:
        """Loads in the background, so that the first move need not wait; a fault is told when the network is used."""
        if self._is_loading:
            return
        self._is_loading = True
        threading.Thread(target=self._quietly, args=(size, wished), name="load-network", daemon=True).start()

    def _quietly(self, size: int, wished: str) -> None:
        with contextlib.suppress(ValueError, OSError, ImportError):
            self.for_size(size, wished)
        self._is_loading = False

    def _tell(self, name: str, size: int) -> str:
        if (name, size) not in self._told:
            self._told.add((name, size))
            log.info(self.description(name, size))
        return name

    def description(self, name: str, size: int) -> str:
        """The network, and what to expect of it on this board."""
        info = self._notes.get(self._known(name)) or self.get(name).info
        text = f"network {name} ({number(info.parameters)} parameters) on {size}x{size}"
        if rank := library.split_rank(name)[1]:
            return f"{text}; it plays as people of {rank} do"
        if sizes := info.training.get("sizes"):
            return f"{text}; it was trained on boards of {sizes} lines"
        if info.size not in (0, size):
            return f"{text}; it was trained on {info.size}x{info.size} and plays weaker here"
        top1 = info.training.get("validation", {}).get("top1")
        return f"{text}; it guesses {100 * top1:.0f} % of strong players' moves" if isinstance(top1, float) else text

    def facts(self, name: str) -> NetworkFacts:
        """What is known about a network."""
        if name not in self.names():
            raise InputError(f"no network '{name[:60]}' here")
        note, path = self._notes.get(name), self._files[name]
        info = note or self.get(name).info
        return NetworkFacts(
            name=name,
            network=note.name if note else name,
            planes=note.planes if note else self.get(name).planes,
            parameters=info.parameters,
            megabytes=path.stat().st_size / 1e6 if path.is_file() else 0.0,
            size=info.size,
            any_size=note is None or note.any_size,
            training=dict(info.training),
        )

    def speed(self, name: str, size: int, seconds: float = 0.4) -> float:
        """Positions a second in batches of 16, on one thread of this machine as busy as it is now."""
        import numpy as np

        from tesuji import Game, encode

        evaluator = self.get(name)
        planes = np.repeat(encode([Game(size)], evaluator.planes), 16, axis=0)
        komi = np.full(16, 7.5, np.float32)
        return rate(lambda: len(evaluator(planes, komi).value), seconds)
