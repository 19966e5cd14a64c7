"""Fixtures of the web tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.web_parts import Server, serving, write_network


@pytest.fixture(scope="session")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small untrained network, made once."""
    return write_network(tmp_path_factory.mktemp("networks") / "small.onnx")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, network_file: Path) -> Iterator[Server]:
    """The page as `tesuji play` serves it, for all browsers of the tests."""
    with serving(tmp_path_factory.mktemp("home"), "--net", str(network_file), "--no-browser") as running:
        yield running
