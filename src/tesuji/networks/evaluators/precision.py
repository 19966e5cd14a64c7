"""Whether a network had better run in 8-bit integers here: measured once for each network and machine, and remembered.

Processors without the instructions for it may be slower with integers, or even wrong: older ones let sums of products
overflow. So both precisions are run, timed and compared; nothing is guessed from the processor's name.
"""

import hashlib
import logging
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from tesuji._core import Game, play_out
from tesuji.base import machine
from tesuji.base.measuring import rate
from tesuji.base.remembered import RememberedNumbers
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import encode
from tesuji.networks.evaluators.comparison import Positions, compare
from tesuji.networks.onnx.runtime import ort

FILE = "precisions.json"
BATCH = 8
WORTH = 1.1
"""How many times as fast integers must be to be taken."""
APART = 0.05
"""Mean difference of the value from which on integers count as wrong."""
_ROUNDS, _SECONDS = 3, 0.03
_WRONG = 1e-6  # remembered as a speed nobody wants

_LOG = logging.getLogger(__name__)
Make = Callable[[], Evaluator]


@dataclass(frozen=True)
class Pair:
    """A network's two evaluators, to be made when wanted."""

    plain: Make
    small: Make
    content: bytes
    """Tells networks apart: the file in integers."""
    threads: int = 1

    def faster(self) -> Evaluator:
        """The faster one here that is right."""
        gain = self.gain()
        chosen = self.small() if gain >= WORTH else self.plain()
        if gain <= _WRONG:
            _say(f"{chosen.name} is wrong in integers on this processor; it runs in real numbers")
        return chosen

    def in_integers(self) -> Evaluator:
        """Integers, as somebody asked for them; what they cost where they are the worse choice is said once."""
        small, gain = self.small(), self.gain()
        if gain <= _WRONG:
            _say(f"{small.name} is wrong in integers on this processor; --precision fp32 is right")
        elif gain < 1:
            _say(f"{small.name} is slower in integers on this processor: {gain:.2f} times fp32, which auto would take")
        return small

    def gain(self) -> float:
        """How many times as fast integers are here, measured or remembered."""
        known = RememberedNumbers(FILE)
        digest = hashlib.sha256(self.content).hexdigest()[:16]
        # Names such as "AMD EPYC" stand for processors with the instructions and for others without.
        processor = f"{machine.processor()}{' with VNNI' if machine.has_vnni() else ''}"
        key = f"{digest}; {self.threads} threads; onnxruntime {ort.__version__}; {processor}"
        gain = known.get(key)
        if gain is None:
            gain = measured_gain(self.plain(), self.small(), self.threads)
            known.keep({key: gain})
        return gain


@cache
def _say(line: str) -> None:
    """A warning, once; workers need not repeat what their parent has said."""
    if multiprocessing.parent_process() is None:
        _LOG.warning(line)


def measured_gain(plain: Evaluator, small: Evaluator, threads: int = 1) -> float:
    """How many times as fast integers are, by turns; next to nothing where they are wrong."""
    size = plain.info.size
    games = [Game(size=size) for _ in range(BATCH)]
    for seed, game in enumerate(games):
        play_out(game, seed, max_moves=3 * seed)
    planes, komi = encode(games, plain.planes), np.full(BATCH, 7.0, np.float32)
    found = compare(plain, small, Positions(planes, komi))
    if not found.mean["value"] <= APART:
        return _WRONG
    clock = time.thread_time if threads == 1 else time.perf_counter
    speeds = [
        [rate(lambda e=e: len(e(planes, komi).value), _SECONDS, clock) for e in (plain, small)]  # type: ignore[misc]
        for _ in range(_ROUNDS)
    ]
    best = np.max(speeds, axis=0)
    return float(f"{best[1] / best[0]:.4g}")
