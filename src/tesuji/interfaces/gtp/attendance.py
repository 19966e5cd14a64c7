"""Staying with an engine until it ends: what hangs below it keeps neither a client that left nor a signal waiting."""

import logging
import time

from tesuji.interfaces.engine.thought import Thought
from tesuji.interfaces.gtp.engine import Engine

log = logging.getLogger(__name__)

SILENCE = 20.0
"""Seconds without a word after which an engine whose client left is given up: a network hangs, or reckons for ever."""


def attend(engine: Engine) -> int:
    """Runs the engine beside this thread, which signals find free; the exit code. Raises what the engine raises."""
    lines = engine.lines
    work: Thought[None] = Thought(lambda stop, tell: engine.run(), lines.wake)
    lines.wait(lambda: work.is_done or lines.asks_to_leave, None)
    left = time.monotonic()
    while not work.is_done:
        lines.wait(lambda: work.is_done, 0.5)
        if engine.answers.silence(since=left) > SILENCE:
            log.warning("the client left and the network does not answer; ended without it")
            return 1
    work.conclusion()
    return 0
