"""A Ray cluster: connected to for a while, and told apart from an address where nobody answers."""

import logging
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
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
    """As `connected`, for whoever leaves by `ray.shutdown` itself.

    A token at hand (`RAY_AUTH_TOKEN`, `RAY_AUTH_TOKEN_PATH` or `~/.ray/auth_token`) is shown to the cluster: since
    version 2.59 Ray asks for one where there is one, but shows it to no address that is named.
    """
    import ray

    if _has_token():
        _show_token()
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
    said: list[bytes] = []
    try:
        with _apart(said):
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as fault:  # Ray's have no class in common: a node not up in 30 seconds is a plain `Exception`
        reason = str(fault).strip().splitlines()[0]
        # A cluster just started here has the token that is here, whatever its log says of it on the way.
        if address != "local" and (b"AuthToken" in b"".join(said) or "token" in reason.lower()):
            raise InputError(f"the Ray cluster at {address} asks for its token; {_cure()}") from None
        raise InputError(f"no Ray cluster at '{address}': {reason}") from None


@contextmanager
def _apart(said: list[bytes]) -> Iterator[None]:
    """Keeps what is written to standard error meanwhile: Ray says it twenty times that a token is wrong."""
    with tempfile.TemporaryFile() as kept:
        before = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            kept.seek(0)
            said.append(kept.read())


def _has_token() -> bool:
    stated = os.environ.get("RAY_AUTH_TOKEN_PATH")
    path = Path(stated) if stated else Path.home() / ".ray" / "auth_token"
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or path.is_file()


def _show_token() -> None:
    """Has Ray show the token. What it reads of the environment it reads when it is loaded, which is long past."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    with suppress(ImportError, AttributeError):  # versions that know no token
        from ray._raylet import Config  # type: ignore[attr-defined]  # as Ray does itself for clusters of this machine

        Config.initialize("")


def _cure() -> str:
    here = "the one here is another's" if _has_token() else "there is none here"
    return f"{here}: copy the head's ~/.ray/auth_token to this machine, or set RAY_AUTH_TOKEN"


def knock(address: str) -> None:
    """Raises `OSError` when nobody accepts a connection there."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), _ANSWER).close()
