"""A network of the zoo as its integers will compute it, in torch: calibrated, trained on, and back to a file."""

import copy
from collections.abc import Iterable

import numpy as np
import onnx
import torch
from torch import nn

from tesuji.base.errors import InputError
from tesuji.networks.evaluators.comparison import Positions
from tesuji.networks.int8.graph_view import GraphView
from tesuji.networks.int8.quantise import Plan, Watch, calibrate
from tesuji.networks.int8.ranges import weight_steps
from tesuji.networks.int8.rounding import FixedNorm, IntegerConv, Rounding
from tesuji.networks.int8.writer import Quantiser
from tesuji.networks.onnx.export import note, serialise
from tesuji.networks.onnx.folding import folded
from tesuji.networks.zoo.network import Network

_STEPS = ".log_steps"  # by which an integer convolution is known among saved tensors


def calibrated(network: Network, positions: Positions, watch: Watch = lambda text: None) -> Network:
    """The network as `tesuji export --int8` would put it into integers, ready to be trained on."""
    real = folded(network)
    plan = calibrate(_graph(real).model, positions, watch)
    quantiser = plan.quantiser
    graph = quantiser.graph
    _take_weights(real, graph)
    made = in_integers(real, [_layer(graph.maker[name]) for name in plan.chosen])
    for name in plan.chosen:
        node = graph.maker[name]
        layer = _integer_conv(made, node)
        with torch.no_grad():
            layer.log_steps.copy_(torch.from_numpy(weight_steps(graph.weights[node.input[1]])).log())
            assert layer.bias is not None
            layer.bias += torch.from_numpy(plan.offsets[name])
        for rounding, value in ((layer.reads, node.input[0]), (layer.gives, graph.finished(node))):
            told = quantiser.ranges[value]
            steps = quantiser.apart.get(value, np.array(told.step, np.float32))
            rounding.tell(torch.from_numpy(steps), told.zero)
    return made


def in_integers(network: Network, layers: Iterable[str]) -> Network:
    """A folded copy of a network with the convolutions of these names in integers, of steps that nobody has set."""
    made = folded(network)
    graph = _graph(made)
    wanted = set(layers)
    chosen = [node for node in graph.convolutions() if _layer(node) in wanted]
    missing = wanted - {_layer(node) for node in chosen}
    if missing:
        raise InputError(f"'{network.description.name}' has no convolution '{min(missing)}' to put into integers")
    given = {graph.finished(node) for node in chosen}
    roundings: dict[str, Rounding] = {}  # one for all that read the same value
    for node in chosen:
        layer = IntegerConv.of(made.get_submodule(_layer(node)))  # type: ignore[arg-type]
        read, gives = node.input[0], graph.finished(node)
        layer.reads, layer.rounded_before = roundings.setdefault(read, Rounding()), read in given
        channels = layer.out_channels if graph.may_stand_apart(gives) else 0
        layer.gives = roundings.setdefault(gives, Rounding(channels))
        _put(made, _layer(node), layer)
    for name, part in list(made.named_modules()):
        if type(part) is nn.BatchNorm2d:
            fixed = FixedNorm(part.num_features, part.eps, part.momentum)
            fixed.load_state_dict(part.state_dict())
            _put(made, name, fixed)
    return made.eval()


def integer_layers(tensors: Iterable[str]) -> list[str]:
    """The convolutions in integers among the names of saved tensors."""
    return [name.removesuffix(_STEPS) for name in tensors if name.endswith(_STEPS)]


def learned(network: Network) -> Plan:
    """What a network in integers has learned, ready to be written."""
    graph = _graph(_real(network))
    found = Quantiser(graph, {})
    chosen = []
    for node in graph.convolutions():
        layer = network.get_submodule(_layer(node))
        if not isinstance(layer, IntegerConv):
            continue
        chosen.append(node.output[0])
        found.steps[node.output[0]] = layer.log_steps.detach().exp().cpu().numpy()
        found.ranges[node.input[0]] = layer.reads.range
        found.ranges[graph.finished(node)] = layer.gives.range
        if layer.gives.log_step.ndim:
            found.apart[graph.finished(node)] = layer.gives.steps.detach().cpu().numpy()
    return Plan(found, chosen, {})


def _real(network: Network) -> Network:
    """The network of the same weights without any rounding."""
    made = copy.deepcopy(network).cpu().eval()
    for name, part in list(made.named_modules()):
        if isinstance(part, IntegerConv):
            _put(made, name, part.real())
        elif isinstance(part, FixedNorm):
            plain = nn.BatchNorm2d(part.num_features, part.eps, part.momentum)
            plain.load_state_dict(part.state_dict())
            _put(made, name, plain.eval())
    return made


def _graph(network: Network) -> GraphView:
    return GraphView(onnx.load_from_string(serialise(network, note(network))))


def _layer(node: onnx.NodeProto) -> str:
    """The name of a convolution's layer in the network, by that of its weights in the graph."""
    name: str = node.input[1]
    return name.removeprefix("network.").removesuffix(".weight")


def _integer_conv(network: Network, node: onnx.NodeProto) -> IntegerConv:
    layer = network.get_submodule(_layer(node))
    assert isinstance(layer, IntegerConv)
    return layer


def _put(network: nn.Module, name: str, part: nn.Module) -> None:
    parent, _, last = name.rpartition(".")
    setattr(network.get_submodule(parent), last, part)


@torch.no_grad()
def _take_weights(network: Network, graph: GraphView) -> None:
    """Fills a folded network with the weights of its graph, whose channels were made alike."""
    for name, tensor in network.state_dict().items():
        stored = f"network.{name}".replace(".running_", ".")
        if stored in graph.weights:
            tensor.copy_(torch.from_numpy(np.array(graph.weights[stored])))
