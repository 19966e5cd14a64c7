"""Processes of our own beside this one, which leave the user's script alone."""

import contextlib
import sys
from collections.abc import Iterator
from multiprocessing.context import SpawnContext, SpawnProcess

_TOLD = ("__file__", "__spec__")  # by these a new process finds the script that it would run anew


class _Apart(SpawnProcess):
    """A process that does not run the script of the one that starts it, guarded by `if __name__` or not."""

    def start(self) -> None:
        with _script_hidden():
            super().start()


class _Apartness(SpawnContext):
    Process = _Apart


SPAWN = _Apartness()
"""Spawned, not forked: a fork of a process that runs torch or threads may hang."""


@contextlib.contextmanager
def _script_hidden() -> Iterator[None]:
    names = vars(sys.modules["__main__"])
    held = {name: names[name] for name in _TOLD if name in names}
    names.update(dict.fromkeys(_TOLD))
    try:
        yield
    finally:
        for name in _TOLD:
            del names[name]
        names.update(held)
