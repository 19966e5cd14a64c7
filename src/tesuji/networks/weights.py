"""Checkpoints of networks: safetensors with a note in JSON. Nothing is ever unpickled."""

import copy
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.networks.zoo.network import Network, create

FORMAT = 1


def save_weights(network: Network, path: str | Path, record: Mapping[str, Any] | None = None) -> None:
    """Writes a network's weights and statistics, whole or not at all, with `record` as a note (JSON)."""
    description = network.description
    note = {
        "format": FORMAT,
        "network": description.name,
        "planes": description.planes,
        "size": description.size,
        "record": dict(record or {}),
    }
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    write_atomically(Path(path), save(tensors, {"tesuji": json.dumps(note, sort_keys=True)}))


def load_weights(path: str | Path, network: Network | None = None) -> Network:
    """The network of a checkpoint: a new one, or `network` filled when it is of the same kind.

    Raises `FileNotFoundError` or `ValueError` when the file is damaged or belongs to another network.
    """
    note, tensors = _read(Path(path))
    if network is None:
        with torch.device("meta"):  # without its weights: the note may name a network of any size
            _check_fit(path, create(note["network"], note["planes"], note["size"]), tensors)
        network = create(note["network"], note["planes"], note["size"])
    description = network.description
    if (description.name, description.planes) != (note["network"], note["planes"]):
        raise InputError(
            f"{path} holds '{note['network']}' on {note['planes']}, not '{description.name}' on {description.planes}"
        )
    _check_fit(path, network, tensors)
    network.load_state_dict(tensors)
    return network


def _check_fit(path: str | Path, network: Network, tensors: Mapping[str, torch.Tensor]) -> None:
    description, expected = network.description, network.state_dict()
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors or name not in expected:
            raise InputError(f"{path} does not fit '{description.name}': {name} is {_missing(name, expected)}")
        if tensors[name].shape != expected[name].shape:
            shapes = f"{list(tensors[name].shape)} instead of {list(expected[name].shape)}"
            raise InputError(f"{path} does not fit '{description.name}': {name} is {shapes}")


def average_weights(paths: Sequence[str | Path]) -> Network:
    """The network whose weights and statistics are the means of these checkpoints', which all hold the same network.

    What was trained on from one parent lies in one valley, and its middle is often better than any side of it.
    """
    network = load_weights(paths[0])
    states = [load_weights(path, copy.deepcopy(network)).state_dict() for path in paths]
    network.load_state_dict({name: _mean([state[name] for state in states]) for name in states[0]})
    return network


def read_note(path: str | Path) -> dict[str, Any]:
    """The note saved with a checkpoint: network, planes, size and the record given to `save_weights`."""
    return _read(Path(path))[0]


def _mean(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    return torch.stack(list(tensors)).mean(0) if tensors[0].is_floating_point() else tensors[0]


def _missing(name: str, expected: Mapping[str, Any]) -> str:
    return "missing from the file" if name in expected else "unknown to the network"


def _read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    if not path.is_file():
        raise FileNotFoundError(f"no checkpoint '{path}'")
    try:
        with safe_open(path, framework="pt") as file:
            text = (file.metadata() or {}).get("tesuji")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as problem:
        raise InputError(f"{path}: not a safetensors file, or only part of one ({problem})") from None
    if text is None:
        raise InputError(f"{path}: a safetensors file without Tesuji's note on its network")
    try:
        note = json.loads(text)
        version = int(note["format"])
        complete = {"network", "planes", "size", "record"} <= note.keys()
        complete = complete and all(isinstance(note[name], str) for name in ("network", "planes"))
        complete = complete and type(note["size"]) is int
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        complete = False
    if not complete:
        raise InputError(f"{path}: the note on its network is damaged")
    if version > FORMAT:
        raise InputError(f"{path}: checkpoint format {version} is newer than this Tesuji reads; update Tesuji")
    return note, tensors
