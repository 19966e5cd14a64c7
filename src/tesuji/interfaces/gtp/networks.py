"""Which network plays which board size; loaded when first needed, or ahead of time in the background."""

import contextlib
import sys
import threading
from typing import TYPE_CHECKING

from tesuji.base.errors import InputError

if TYPE_CHECKING:
    from tesuji.features.evaluation import Evaluator

BUILT_IN = {9: "default-9x9", 19: "default-19x19"}


class Networks:
    """The networks loaded so far, by board size."""

    def __init__(self, chosen: str | None) -> None:
        self._chosen = chosen
        self._by_name: dict[str, Evaluator] = {}
        self._by_size: dict[int, Evaluator] = {}
        self._lock = threading.Lock()
        self._is_loading = False  # ahead of time

    def for_size(self, size: int) -> "Evaluator":
        """The network for boards of this size; raises `ValueError` or `FileNotFoundError` if there is none."""
        with self._lock:
            if size not in self._by_size:
                evaluate = self._find(size)
                self._by_size[size] = evaluate
                print(f"tesuji: {describe(evaluate, size)}", file=sys.stderr, flush=True)
            return self._by_size[size]

    def load_ahead(self, size: int) -> None:
        """Loads in the background, so that the first move need not wait; a fault is told when the network is used."""
        if size in self._by_size or self._is_loading:
            return
        self._is_loading = True
        threading.Thread(target=self._quietly, args=(size,), name="load-network", daemon=True).start()

    def _quietly(self, size: int) -> None:
        with contextlib.suppress(ValueError, OSError, ImportError):
            self.for_size(size)
        self._is_loading = False

    def _find(self, size: int) -> "Evaluator":
        if self._chosen is not None:
            evaluate = self._load(self._chosen)
            if not evaluate.plays(size):
                raise InputError(f"the network {self._chosen} does not play {size}x{size}")
            return evaluate
        missing = None
        # The network whose board is nearest in size first.
        for name in sorted(BUILT_IN, key=lambda trained: (abs(trained - size), trained)):
            try:
                evaluate = self._load(BUILT_IN[name])
            except FileNotFoundError as fault:
                missing = fault
                continue
            if evaluate.plays(size):
                return evaluate
        raise InputError(f"no network here plays {size}x{size}" + (f" ({missing})" if missing else ""))

    def _load(self, name: str) -> "Evaluator":
        if name not in self._by_name:
            from tesuji.networks.evaluators.factory import load

            self._by_name[name] = load(name)
        return self._by_name[name]


def describe(evaluate: "Evaluator", size: int) -> str:
    """The network, and what to expect of it on this board."""
    info = evaluate.info
    text = f"network {evaluate.name} ({info.parameters} parameters) on {size}x{size}"
    if info.size != size:
        return f"{text}; it was trained on {info.size}x{info.size} and plays weaker here"
    top1 = info.training.get("validation", {}).get("top1")
    guesses = f"; it guesses {100 * top1:.0f} % of strong players' moves" if isinstance(top1, float) else ""
    return f"{text}{guesses}"
