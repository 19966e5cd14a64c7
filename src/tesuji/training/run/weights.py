"""Weights into networks: exactly for a resumed run, as far as they fit for a new one."""

import torch
from torch import nn

from tesuji.base.errors import InputError


def load_weights(network: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """Fills a network from a checkpoint. Raises `ValueError` naming the first part that does not fit."""
    for problem in _misfits(network, weights).values():
        raise InputError(f"{problem}: they belong to another network")
    network.load_state_dict(weights)


def begin_from(network: nn.Module, weights: dict[str, torch.Tensor]) -> list[str]:
    """Fills a new network as far as the weights fit; returns the names that start afresh.

    Heads may differ, as they do between board sizes. Raises `ValueError` when the trunk does not fit.
    """
    misfits = _misfits(network, weights)
    for name, problem in misfits.items():
        if name.startswith("trunk."):
            raise InputError(f"{problem}: begin from weights of the same trunk and planes")
    network.load_state_dict({name: t for name, t in weights.items() if name not in misfits}, strict=False)
    own = network.state_dict()
    return [name for name in misfits if name in own]


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
