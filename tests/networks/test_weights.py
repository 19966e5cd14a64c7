"""Checkpoints: safetensors and a note, strict on the way back."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from tesuji import networks


@pytest.fixture
def network() -> networks.Network:
    torch.manual_seed(1)
    return networks.create("se.1.32.16+pass+komi", size=9)


def test_weights_come_back(network: networks.Network, tmp_path: Path) -> None:
    networks.save_weights(network, tmp_path / "a.safetensors", {"epoch": 2})
    back = networks.load_weights(tmp_path / "a.safetensors")
    assert back.description == network.description
    for name, tensor in network.state_dict().items():
        assert torch.equal(back.state_dict()[name], tensor), name
    assert networks.read_note(tmp_path / "a.safetensors")["record"] == {"epoch": 2}
    assert [path.name for path in tmp_path.iterdir()] == ["a.safetensors"]


def test_the_mean_of_checkpoints(network: networks.Network, tmp_path: Path) -> None:
    torch.manual_seed(2)
    other = networks.create("se.1.32.16+pass+komi", size=9)
    paths = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    for one, path in zip((network, other), paths, strict=True):
        networks.save_weights(one, path)
    mean = networks.average_weights(paths).state_dict()
    for name, tensor in network.state_dict().items():
        if tensor.is_floating_point():
            torch.testing.assert_close(mean[name], (tensor + other.state_dict()[name]) / 2)
    networks.save_weights(networks.create("se.2.32.16+pass+komi", size=9), paths[1])
    with pytest.raises(ValueError, match="holds 'se"):
        networks.average_weights(paths)


def test_another_network_is_refused(network: networks.Network, tmp_path: Path) -> None:
    networks.save_weights(network, tmp_path / "a.safetensors")
    with pytest.raises(ValueError, match=r"holds 'se\.1\.32\.16\+pass\+komi'"):
        networks.load_weights(tmp_path / "a.safetensors", networks.create("se.2.32.16+pass+komi", size=9))
    with pytest.raises(ValueError, match=r"\[163\] instead of \[121\]"):
        networks.load_weights(tmp_path / "a.safetensors", networks.create("se.1.32.16+pass+komi", size=19))


def test_damaged_files_are_refused(network: networks.Network, tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        networks.load_weights(path)
    for note in ("{", "[]", '{"format": 1}', '{"format": null}'):
        path.write_bytes(save({"a": torch.zeros(1)}, {"tesuji": note}))
        with pytest.raises(ValueError, match="note on its network is damaged"):
            networks.load_weights(path)
    networks.save_weights(network, path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match="only part of one"):
        networks.load_weights(path)
