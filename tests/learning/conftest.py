"""A network for the learning tests: tiny, untrained, real."""

from pathlib import Path

import pytest
import torch

from tesuji import networks

NAME = "a0.1.8+conv+pass+komi"


def make_network(path: Path, size: int = 5, seed: int = 1, name: str = NAME) -> Path:
    torch.manual_seed(seed)
    networks.export(networks.create(name, planes="golois-31", size=size), path)
    return path


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_network(tmp_path_factory.mktemp("networks") / "tiny.onnx")
