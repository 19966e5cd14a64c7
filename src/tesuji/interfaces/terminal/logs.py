"""What is told on the way, on stderr: quiet, usual or verbose."""

import logging
import os
from collections.abc import Set

from tesuji.base.settings import check_names
from tesuji.interfaces.terminal.strange_text import shown

LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}

# NiceGUI warns of every address that is not there, in the words and the length that any page may choose.
SERVED_WITH = {"nicegui": logging.ERROR, "uvicorn": logging.WARNING}


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record))  # it may quote a file


def start_logging(wishes: Set[str] = frozenset()) -> None:
    """Sends what `tesuji` logs to stderr: by `--quiet` or `--verbose`, else by `TESUJI_LOG`, else from info on."""
    name = os.environ.get("TESUJI_LOG", "").lower() or "info"
    if wishes:
        name = "debug" if "--verbose" in wishes else "warning"
    check_names([name], LEVELS, "log level")
    log = logging.getLogger("tesuji")
    log.setLevel(LEVELS[name])
    log.propagate = False
    for one in (log, *map(_served_with, SERVED_WITH)):
        if not one.handlers:
            told = logging.StreamHandler()  # stderr: stdout may belong to a protocol
            told.setFormatter(_Plain("tesuji: %(message)s"))
            one.addHandler(told)


def _served_with(name: str) -> logging.Logger:
    """The log of a package that serves pages: its lines quote what strangers sent, so they go the way of ours."""
    log = logging.getLogger(name)
    log.setLevel(SERVED_WITH[name])
    log.propagate = False
    return log
