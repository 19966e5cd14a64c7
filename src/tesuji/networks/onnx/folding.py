"""Folds batch norms into the convolutions before them, which leaves what a network says unchanged."""

import copy
from typing import TypeVar

from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

Module = TypeVar("Module", bound=nn.Module)


def folded(network: Module) -> Module:
    """A copy in evaluation mode in which no batch norm directly follows a convolution in a sequence."""
    copied = copy.deepcopy(network).eval()
    for module in list(copied.modules()):
        if isinstance(module, nn.Sequential):
            _fold(module)
    return copied


def _fold(sequence: nn.Sequential) -> None:
    for i in range(len(sequence) - 1):
        first, second = sequence[i], sequence[i + 1]
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
            sequence[i] = fuse_conv_bn_eval(first, second)
            sequence[i + 1] = nn.Identity()
