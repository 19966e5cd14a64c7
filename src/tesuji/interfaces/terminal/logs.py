"""What is told on the way, on stderr: quiet, usual or verbose."""

import logging
import os
from collections.abc import Set

from tesuji.base.settings import check_names
from tesuji.interfaces.terminal.strange_text import shown

LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}


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
    if not log.handlers:
        told = logging.StreamHandler()  # stderr: stdout may belong to a protocol
        told.setFormatter(_Plain("tesuji: %(message)s"))
        log.addHandler(told)
