"""A larger network begun from a smaller one of its family: wider, deeper, and at first it says the same.

Chen, Goodfellow, Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer", 2016. New channels begin with weights
of their own that nobody listens to yet, new blocks add nothing yet; both learn from the first step on.
"""

import torch
from torch import Tensor, nn

from tesuji.networks.zoo.description import describe
from tesuji.networks.zoo.layers import EPSILON
from tesuji.networks.zoo.network import Network
from tesuji.networks.zoo.residual import GoloisBlock, ResidualBlock

_AWAKE = 1e-3  # a rectifier at exactly zero would never learn


def grown(network: nn.Module, weights: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    """Weights of the network called `name` for one of more channels or blocks; as they are where that is not so."""
    if not isinstance(network, Network):
        return weights
    before, after = describe(name).spec, network.description.spec
    if before.family is not after.family or len(before.numbers) != 2 or before.numbers == after.numbers:
        return weights
    if any(mine < theirs for mine, theirs in zip(after.numbers, before.numbers, strict=True)):
        return weights
    own = network.state_dict()
    wide = {
        part: widened(tensor, own[part], before.numbers[-1], after.numbers[-1]) if part in own else tensor
        for part, tensor in weights.items()
    }
    return wide | _new_blocks(network, wide)


def widened(tensor: Tensor, fresh: Tensor, old: int, new: int) -> Tensor:
    """A tensor of a trunk `old` channels wide in the shape of `fresh`, of one `new` wide; itself if it cannot be."""
    places = [_places(mine, theirs, old, new) for mine, theirs in zip(tensor.shape, fresh.shape, strict=False)]
    if tensor.shape == fresh.shape or tensor.ndim != fresh.ndim or any(len(place) == 0 for place in places):
        return tensor
    result = fresh.clone()
    if tensor.ndim == 1:
        result[places[0]] = tensor
        return result
    result[places[0]] = 0  # what was there before does not listen to new channels
    result[places[0][:, None], places[1][None, :]] = tensor
    return result


def _places(before: int, after: int, old: int, new: int) -> Tensor:
    """Where each of `before` numbers goes among `after`: whole trunks first, what stands beside them at the end."""
    trunks, left = divmod(after - before, new - old) if new > old else (0, after - before)
    if left or trunks * old > before:
        return torch.empty(0, dtype=torch.long)
    inside = torch.arange(trunks)[:, None] * new + torch.arange(old)
    return torch.cat([inside.flatten(), trunks * new + torch.arange(before - trunks * old)])


def _new_blocks(network: Network, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The blocks that only the larger network has, arranged so that they hand on what they are given."""
    found: dict[str, Tensor] = {}
    known = dict(weights)
    for name, block in network.named_modules():
        if not isinstance(block, GoloisBlock | ResidualBlock):
            continue
        own = {f"{name}.{part}": tensor.clone() for part, tensor in block.state_dict().items()}
        if own.keys() & weights.keys():
            continue  # the smaller network has it too
        if isinstance(block, ResidualBlock):
            own[f"{name}.second.1.weight"].zero_()
        else:
            stem, _, number = name.rpartition(".")
            _hand_on(own, name, known, f"{stem}.{int(number) - 1}.norm")
        found |= own
        known |= own
    return found


def _hand_on(own: dict[str, Tensor], name: str, known: dict[str, Tensor], previous: str) -> None:
    """A Golois block behind a batch norm: it adds next to nothing, and its own norm undoes itself."""
    scale, shift = known[f"{previous}.weight"], known[f"{previous}.bias"]
    own[f"{name}.second.weight"].zero_()
    own[f"{name}.second.bias"].fill_(_AWAKE)
    own[f"{name}.norm.running_mean"] = shift + _AWAKE
    own[f"{name}.norm.running_var"] = scale.square()
    own[f"{name}.norm.weight"] = (scale.square() + EPSILON).sqrt()
    own[f"{name}.norm.bias"] = shift.clone()
