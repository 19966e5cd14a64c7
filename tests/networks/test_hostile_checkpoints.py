"""Checkpoints that lie about themselves: one line, before any memory is taken for what they claim."""

import json
import struct
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from tesuji import networks
from tesuji.base.errors import InputError
from tesuji.networks.weights import load_weights, save_weights


def written(path: Path, note: object, tensors: dict[str, torch.Tensor] | None = None) -> Path:
    path.write_bytes(save(tensors or {"a": torch.zeros(1)}, {"tesuji": json.dumps(note)}))
    return path


def note(**changes: object) -> dict[str, object]:
    return {"format": 1, "network": "se.1.32.16", "planes": "golois-21", "size": 9, "record": {}, **changes}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"network": "residual.1000.4096"}, "does not fit|no network|too"),
        ({"network": "residual.2.99999999"}, "99999999"),
        ({"size": 1_000_000}, "no board of 1000000"),
        ({"size": "9"}, "damaged"),
        ({"network": ["a"]}, "damaged"),
        ({"planes": None}, "damaged"),
        ({"planes": "golois-99"}, "no plane set"),
    ],
)
def test_a_note_that_lies(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match=complaint):
        load_weights(written(tmp_path / "a.safetensors", note(**changes)))
    assert time.monotonic() - began < 120


@pytest.mark.parametrize(
    "header",
    [
        struct.pack("<Q", 1 << 60) + b"{}",
        struct.pack("<Q", 2) + b"{}",
        struct.pack("<Q", 2) + b"[[",
        struct.pack("<Q", 100_000) + b"[" * 100_000,
        struct.pack("<Q", 58) + b'{"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4]}}'[:58],
    ],
)
def test_a_header_that_lies(tmp_path: Path, header: bytes) -> None:
    (tmp_path / "a.safetensors").write_bytes(header + bytes(64))
    with pytest.raises(InputError, match=r"only part of one|without Tesuji's note"):
        load_weights(tmp_path / "a.safetensors")


def test_a_tensor_that_claims_terabytes(tmp_path: Path) -> None:
    header = json.dumps({"a": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}}).encode()
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(64))
    with pytest.raises(InputError, match="only part of one"):
        load_weights(tmp_path / "a.safetensors")


def test_a_sound_one_still_comes_back(tmp_path: Path) -> None:
    network = networks.create("se.1.32.16", size=9)
    save_weights(network, tmp_path / "a.safetensors")
    back = load_weights(tmp_path / "a.safetensors").state_dict()
    assert all(torch.equal(tensor, back[name]) for name, tensor in network.state_dict().items())
