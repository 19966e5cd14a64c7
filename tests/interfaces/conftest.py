"""Fixtures of the web tests."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.interfaces.web_parts import Server, serving, write_network
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.store import Store

Talk = Callable[[httpx.AsyncClient], Awaitable[None]]
LOCAL = "http://127.0.0.1:8080"


@pytest.fixture(scope="session")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small untrained network, made once."""
    return write_network(tmp_path_factory.mktemp("networks") / "small.onnx")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, network_file: Path) -> Iterator[Server]:
    """The page as `tesuji play` serves it, for all browsers of the tests."""
    with serving(tmp_path_factory.mktemp("home"), "--net", str(network_file), "--no-browser") as running:
        yield running


@pytest.fixture
def talk(tmp_path: Path, network_file: Path) -> Callable[..., None]:
    """Runs a conversation with a server of its own."""
    from tesuji.interfaces.web.server.app import create_app
    from tesuji.interfaces.web.server.lobby import Lobby

    def run(conversation: Talk, *, token: str = "", base: str = LOCAL, limit: int = 8) -> None:
        async def converse() -> None:
            lobby = Lobby(Networks(str(network_file)), Store(tmp_path), limit=limit, workers=2)
            transport = httpx.ASGITransport(create_app(lobby, token))
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                await conversation(client)
            lobby.close()

        asyncio.run(converse())

    return run
