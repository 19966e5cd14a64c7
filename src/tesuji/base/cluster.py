"""A Ray cluster: connected to for a while, and told apart from an address where nobody answers."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tesuji.base.errors import InputError

# Before Ray is loaded: it would report its use to its makers.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

_ANSWER = 5.0  # seconds a head may take to accept a connection


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Connects to `local` (a cluster of this machine alone), `auto` or `host:port`, and leaves at the end.

    Raises `ValueError` when no cluster answers.
    """
    import ray  # an optional package

    connect(address)
    try:
        yield
    finally:
        ray.shutdown()


def connect(address: str) -> None:
    """As `connected`, for whoever leaves by `ray.shutdown` itself."""
    import ray

    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        # Ray itself tries for a minute and then says so in a page of log.
        try:
            knock(address)
        except OSError as fault:
            raise InputError(
                f"no Ray cluster answers at {address} ({fault}); start one with `ray start --head`"
            ) from None
    own: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ConnectionError, RuntimeError, ValueError) as fault:
        reason = str(fault).strip().splitlines()[0]
        raise InputError(f"no Ray cluster at '{address}': {reason}") from None


def knock(address: str) -> None:
    """Raises `OSError` when nobody accepts a connection there."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), _ANSWER).close()
