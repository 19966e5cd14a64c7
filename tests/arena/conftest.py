"""Networks shared by the arena's tests."""

import pytest

from tests.arena.opponents import make_network


@pytest.fixture(scope="session")
def small_networks(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("networks")
    return [str(make_network(folder / f"n{seed}.onnx", seed)) for seed in range(4)]
