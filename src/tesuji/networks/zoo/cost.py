"""What a network costs: parameters as the papers count them, and operations per position."""

from typing import Any

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.attention import Attention
from tesuji.networks.zoo.description import describe
from tesuji.networks.zoo.layers import size_as_keras
from tesuji.networks.zoo.network import Network


def parameters(name: str, planes: str | None = None, size: int | None = None) -> int:
    """The number of parameters of a network, counted as Keras does (a batch norm has four per channel)."""
    return size_as_keras(outline(name, planes, size))


def operations(name: str, planes: str | None = None, size: int | None = None) -> int:
    """Floating-point operations for one position: two for each weight each time it is used."""
    return operations_of(outline(name, planes, size))


def operations_of(network: Network) -> int:
    """The same of a network at hand, or of an outline: one position goes through and every weight's use is counted."""
    total = 0

    def count(layer: nn.Module, _: Any, output: Tensor) -> None:
        nonlocal total
        weight = layer.weight
        assert isinstance(weight, Tensor)
        times = output[0, 0].numel() if isinstance(layer, nn.Conv2d) else 1
        total += 2 * weight.numel() * times

    points = network.description.size**2
    total += sum(layer.operations(points) for layer in network.modules() if isinstance(layer, Attention))
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    hooks = [layer.register_forward_hook(count) for layer in layers]
    about, device, was_training = network.description, next(network.parameters()).device, network.training
    network.eval()
    try:
        with torch.no_grad():
            planes = torch.zeros(1, about.channels, about.size, about.size, device=device)
            network(planes, torch.zeros(1, device=device))
    finally:
        network.train(was_training)
        for hook in hooks:
            hook.remove()
    return total


def outline(name: str, planes: str | None = None, size: int | None = None) -> Network:
    """A network without its numbers: counting needs no memory."""
    with torch.device("meta"):
        return Network(describe(name, planes, size))
