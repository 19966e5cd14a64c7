"""Whether a network had better run in 8-bit integers here: measured once for each network and machine, and remembered.

Processors without the instructions for it may be slower with integers, or even wrong: older ones let sums of products
overflow. So both precisions are run, timed and compared; nothing is guessed from the processor's name.
"""

import hashlib
import logging
import time
from collections.abc import Callable

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


def choose(plain: Make, small: Make, content: bytes, threads: int) -> Evaluator:
    """The faster of a network's two evaluators; `content` tells networks apart."""
    known = RememberedNumbers(FILE)
    digest = hashlib.sha256(content).hexdigest()[:16]
    key = f"{digest}; {threads} threads; onnxruntime {ort.__version__}; {machine.processor()}"
    gain = known.get(key)
    if gain is None:
        gain = measured_gain(plain(), small(), threads)
        known.keep({key: gain})
    return small() if gain >= WORTH else plain()


def measured_gain(plain: Evaluator, small: Evaluator, threads: int = 1) -> float:
    """How many times as fast integers are, by turns; next to nothing where they are wrong."""
    size = plain.info.size
    games = [Game(size=size) for _ in range(BATCH)]
    for seed, game in enumerate(games):
        play_out(game, seed, max_moves=3 * seed)
    planes, komi = encode(games, plain.planes), np.full(BATCH, 7.0, np.float32)
    found = compare(plain, small, Positions(planes, komi))
    if not found.mean["value"] <= APART:
        _LOG.warning("%s is wrong in integers on this processor; it runs in real numbers", plain.name)
        return _WRONG
    clock = time.thread_time if threads == 1 else time.perf_counter
    speeds = [
        [rate(lambda e=e: len(e(planes, komi).value), _SECONDS, clock) for e in (plain, small)]  # type: ignore[misc]
        for _ in range(_ROUNDS)
    ]
    best = np.max(speeds, axis=0)
    return float(f"{best[1] / best[0]:.4g}")
