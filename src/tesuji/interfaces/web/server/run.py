"""Starts the server: finds a port, says where it listens, opens the browser where there is one."""

import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from tesuji.base import machine
from tesuji.base.errors import InputError
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.levels import LEVELS
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.store import Store
from tesuji.interfaces.web.server.app import add_pages, create_app
from tesuji.interfaces.web.server.connections import Patient
from tesuji.interfaces.web.server.lobby import Lobby
from tesuji.interfaces.web.server.security import LOCAL
from tesuji.interfaces.web.words.words import english
from tesuji.networks import library

PORTS_TRIED = 50
# Longer than clients keep an idle connection: httpx gives up after 5 s, proxies after 60. Closed first by the server, a
# connection may die under the next call that is already on its way; uvicorn's own 5 s lost calls in that way.
KEEP_ALIVE_SECONDS = 75


@dataclass(frozen=True)
class ServeOptions:
    """How `tesuji play` was called."""

    host: str = "127.0.0.1"
    port: int = 8080
    net: str = ""
    browser: bool = True
    sessions: int = 32
    workers: int = 0
    """Threads that search; 0 takes one for each processor."""
    devices: tuple[str, ...] = ("cpu",)


def serve(options: ServeOptions, say: Callable[[str], None]) -> None:
    """Serves until interrupted. Raises `ValueError` or `OSError` in one clear line where it cannot begin."""
    networks = Networks(options.net, devices=options.devices)
    networks.check()
    if networks.own:
        networks.get(networks.own)  # a damaged file is told at the start, not in the middle of a game
    line = network_line(networks)
    listener = listen(options.host, options.port, say)
    port = listener.getsockname()[1]
    token = "" if options.host in LOCAL else secrets.token_urlsafe(12)
    workers = options.workers or max(2, machine.cores())
    lobby = Lobby(networks, Store(machine.data_folder() / "web"), limit=options.sessions, workers=workers)
    lobby.reach = "" if options.host in LOCAL else address_of(options.host, port, "").rstrip("/")
    app = create_app(lobby, token)
    add_pages(app, lobby)
    server = uvicorn.Server(configured(app))
    address = address_of(options.host, port, token)
    say(f"Tesuji plays on {address}  ({line})")
    if strength := strength_line(networks):
        say(strength)
    if options.browser:
        show(address, port, say)
    server.run(sockets=[listener])


def configured(app: FastAPI) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        http=Patient,
        log_config=None,  # what it says goes the way of our own log: it may quote what strangers sent
        log_level="warning",
        timeout_graceful_shutdown=2,
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )


def network_line(networks: Networks) -> str:
    """The networks in a few words. Raises `ValueError` where there is none."""
    names = networks.names()
    if not names:
        raise InputError("no network is installed here; start with --net FILE")
    facts = networks.facts(networks.choose(Setup().size))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"network {facts.name}, {facts.megabytes:.1f} MB{more}"


def strength_line(networks: Networks) -> str:
    """What to expect of it at its best; empty where another network plays than the one of the matches."""
    if networks.choose(Setup().size) not in library.names():
        return ""
    return LEVELS[-1].strength(english())


def listen(host: str, port: int, say: Callable[[str], None]) -> socket.socket:
    """A listening socket on this port or the next free one."""
    if not 0 <= port <= 65535:
        raise InputError(f"port {port}; ports go from 1 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for tried in range(port, min(port + PORTS_TRIED, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, tried))
            listener.listen(128)
        except OSError as fault:
            listener.close()
            if isinstance(fault, socket.gaierror) or "assign" in str(fault):
                raise InputError(
                    f"cannot listen on '{host}': {fault.strerror}; is it an address of this machine?"
                ) from None
            continue
        if tried != port:
            say(f"Port {port} is taken; using {tried}.")
        return listener
    raise OSError(f"no free port from {port} to {port + PORTS_TRIED - 1} on {host}; choose another with --port")


def address_of(host: str, port: int, token: str) -> str:
    """What to type into a browser."""
    shown = own_address() if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")


def own_address() -> str:
    """This machine's address in its network, by which phones find it that know no names; else its name.

    Nothing is sent: a socket for datagrams only chooses the way that one would take.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def show(address: str, port: int, say: Callable[[str], None]) -> None:
    """Opens the browser; without a display, tells how to reach the page from elsewhere."""
    display = sys.platform in {"darwin", "win32"} or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if display:
        threading.Timer(0.7, lambda: webbrowser.open(address)).start()
        return
    user = os.environ.get("USER") or "you"
    say(f"From elsewhere: ssh -L {port}:127.0.0.1:{port} {user}@{socket.gethostname()}, then open it there.")
