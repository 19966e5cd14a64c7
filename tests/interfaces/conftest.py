"""Fixtures of the web tests."""

from pathlib import Path

import pytest

from tests.interfaces.web_parts import write_network


@pytest.fixture(scope="session")
def network_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small untrained network, made once."""
    return write_network(tmp_path_factory.mktemp("networks") / "small.onnx")
