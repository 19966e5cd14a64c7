"""Weights to begin with: where they come from, and how they fill a network, exactly or as far as they fit."""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from tesuji.base.errors import InputError
from tesuji.features.planes import plane_set
from tesuji.go.rules import usual_komi
from tesuji.networks import library
from tesuji.networks.weights import load_weights
from tesuji.networks.zoo.layers import Silent

_STEM, _BIAS = "trunk.0.0.weight", "trunk.0.0.bias"  # of the first convolution


@dataclass(frozen=True)
class Start:
    """Weights to begin from, and the network they belong to."""

    network: str
    planes: str
    weights: dict[str, torch.Tensor]


def weights_file(start: str) -> Path:
    """The safetensors file that `start` means: of a built-in network, the best of a run, or a file itself.

    Raises `FileNotFoundError` when there is none.
    """
    path = Path(start).expanduser()
    if path.is_dir():
        best = path / "best.safetensors"
        if not best.is_file():
            raise FileNotFoundError(
                f"no best.safetensors in '{path}' to begin from; a training run writes it at its first validation"
            )
        return best
    if not path.is_file():
        path = library.BUILTIN / f"{start}.safetensors"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in library.BUILTIN.glob("*.safetensors")))
        raise FileNotFoundError(
            f"no weights '{start}' to begin from; give a built-in network ({known or 'none yet'}), "
            "the folder of a training run or a safetensors file"
        )
    return path


def start_from(start: str) -> Start:
    """The weights `start` means, with their network. Raises `ValueError` or `FileNotFoundError` when there are none."""
    network = load_weights(weights_file(start))
    return Start(network.description.name, network.description.planes, dict(network.state_dict()))


def restore_weights(network: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """Fills a network from a checkpoint. Raises `ValueError` naming the first part that does not fit."""
    for problem in _misfits(network, weights).values():
        raise InputError(f"{problem}: they belong to another network")
    network.load_state_dict(weights)


def begin_from(network: nn.Module, weights: dict[str, torch.Tensor]) -> list[str]:
    """Fills a new network as far as the weights fit; returns the names that start afresh.

    Heads may differ, as they do between board sizes, and silent layers may be new, since they change nothing at
    first. Raises `ValueError` when the trunk does not fit.
    """
    misfits = _misfits(network, weights)
    silent = tuple(f"{name}." for name, part in network.named_modules() if isinstance(part, Silent))
    for name, problem in misfits.items():
        new = name not in weights and name.startswith(silent)
        if name.startswith("trunk.") and not new:
            raise InputError(f"{problem}: begin from weights of the same trunk and planes")
    network.load_state_dict({name: t for name, t in weights.items() if name not in misfits}, strict=False)
    own = network.state_dict()
    return [name for name in misfits if name in own]


def for_planes(weights: dict[str, torch.Tensor], shown: str, wanted: str, size: int | None) -> dict[str, torch.Tensor]:
    """Weights of a network that reads planes `shown`, for one that reads `wanted`: the same with more, or without komi.

    What is new changes nothing at first. Without komi the first convolution sees the usual one everywhere, which is a
    bias. Any other two plane sets: as they are.
    """
    before, after = list(plane_set(shown).channel_names), list(plane_set(wanted).channel_names)
    if _STEM not in weights or weights[_STEM].shape[1:] != (len(before), 1, 1):
        return weights
    kernel = weights[_STEM]
    if after[: len(before)] == before:
        new = kernel.new_zeros(len(kernel), len(after) - len(before), 1, 1)
        return weights | {_STEM: torch.cat([kernel, new], 1)}
    komi = [name for name in before if name.startswith("komi ")]
    if not komi or before != after + komi or _BIAS not in weights:
        return weights
    whole = int(usual_komi(size or 9))
    usual = kernel[:, before.index(f"komi {whole} to below {whole + 1}"), 0, 0]
    return weights | {_STEM: kernel[:, : len(after)].clone(), _BIAS: weights[_BIAS] + usual}


def _misfits(network: nn.Module, weights: dict[str, torch.Tensor]) -> dict[str, str]:
    """What is wrong with each tensor that only one side has, or that differs in shape."""
    own, found = network.state_dict(), {}
    for name in sorted(own.keys() | weights.keys()):
        if name not in weights:
            found[name] = f"the weights lack '{name}'"
        elif name not in own:
            found[name] = f"the weights hold '{name}', which the network has not"
        elif weights[name].shape != own[name].shape:
            mine, theirs = list(own[name].shape), list(weights[name].shape)
            found[name] = f"'{name}' is {theirs} in the weights and {mine} in the network"
    return found
