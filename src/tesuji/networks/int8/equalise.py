"""Makes the channels of a value alike in size, without changing what the network says.

All channels of a value share one range of integers, so that a quiet channel beside a loud one would be left with a
few of them. A channel divided by a positive factor passes a Relu as it is, and the layer that reads it multiplies its
weights by the same factor (Nagel et al. 2019, Data-Free Quantization through Weight Equalization).
"""

from collections.abc import Callable, Iterator

import numpy as np
import onnx

from tesuji.features.evaluation import Floats
from tesuji.networks.int8.graph_view import GraphView
from tesuji.networks.int8.ranges import Range, best_range, channel_ranges, shared_zero

_DEGREES = (0.0, 0.5, 1.0)
_LEAST = 0.25  # of the median: a channel that happens to be silent on these positions may speak on others

Harm = Callable[[GraphView, str, Range], float]
"""What it costs the judgements that the convolution of this result reads integers of this range, all else real."""


def equalise(graph: GraphView, found: dict[str, Floats], harm: Harm) -> dict[str, Range]:
    """Makes channels alike in size between convolutions and along residual streams; returns the ranges they then have.

    `found` holds the values on real positions. Channels fully alike serve a value best and the weights that read it
    worst, for these then differ as the channels did: the degree that does least harm is taken.
    """
    ranges = {}
    for value, reader in _places(graph):
        tried: list[tuple[float, int, Floats, Range]] = []
        for factors, shared in _ways(found[value]):
            changed = GraphView(graph.rebuilt())
            _divide(changed, value, factors)
            tried.append((harm(changed, reader.output[0], shared), len(tried), factors, shared))
        _, _, factors, ranges[value] = min(tried)
        _divide(graph, value, factors)
    return ranges


def _places(graph: GraphView) -> Iterator[tuple[str, onnx.NodeProto]]:
    """The values whose channels may be scaled, and the convolutions that read them."""
    for value in list(graph.maker):
        if _is_between(graph, value) or _is_stream(graph, value):
            yield value, next(node for node in graph.users[value] if node.op_type == "Conv")


def _ways(numbers: Floats) -> Iterator[tuple[Floats, Range]]:
    """What to divide each channel by, in several degrees, and the range of all channels then."""
    steps, zero = shared_zero(channel_ranges(numbers))
    kept = np.maximum(steps, _LEAST * np.median(steps)) + 1e-12
    middle = float(np.exp(np.log(kept).mean()))
    for degree in _DEGREES:
        factors: Floats = ((kept / middle) ** degree).astype(np.float32)
        # Fully alike, all channels fill the same range; else it must be found.
        yield factors, Range(middle, zero) if degree == 1 else best_range(numbers / factors[:, None, None])


def _divide(graph: GraphView, value: str, factors: Floats) -> None:
    """Divides the channels of a value; whoever reads it makes up for it."""
    if graph.kind(value) == "BatchNormalization":
        _rescale_stream(graph, value, factors)
        return
    _divide_output(graph, graph.maker[graph.maker[value].input[0]], factors)
    _multiply_input(graph, graph.users[value][0], factors)


def _is_between(graph: GraphView, value: str) -> bool:
    """Convolution, Relu, and one convolution that reads it."""
    if graph.kind(value) != "Relu" or graph.kind(graph.maker[value].input[0]) != "Conv":
        return False
    made, read = graph.maker[graph.maker[value].input[0]], graph.only_user(value)
    ours = graph.only_user(made.output[0]) is not None and made.input[1] in graph.weights
    return ours and read is not None and read.op_type == "Conv" and read.input[1] in graph.weights


def _is_stream(graph: GraphView, value: str) -> bool:
    """A batch norm whose result is read by a block's first convolution and added to what its last one gives."""
    if graph.kind(value) != "BatchNormalization":
        return False
    if sorted(node.op_type for node in graph.users[value]) != ["Add", "Conv"]:
        return False
    add = next(node for node in graph.users[value] if node.op_type == "Add")
    norm, branch = graph.only_user(add.output[0]), _branch(graph, add, value)
    return norm is not None and norm.op_type == "BatchNormalization" and branch is not None


def _branch(graph: GraphView, add: onnx.NodeProto, stream: str) -> onnx.NodeProto | None:
    """The convolution, with or without Relu, whose result is added to the stream."""
    other = next((value for value in add.input if value != stream), "")
    if not other or graph.only_user(other) is None:
        return None
    if graph.kind(other) == "Relu":
        other = graph.maker[other].input[0]
        if graph.only_user(other) is None:
            return None
    return graph.maker[other] if graph.kind(other) == "Conv" else None


def _rescale_stream(graph: GraphView, value: str, factors: Floats) -> None:
    norm = graph.maker[value]
    for weight in norm.input[1:3]:  # its factors and offsets
        graph.scale_weight(weight, 1 / factors, 0)
    first = next(node for node in graph.users[value] if node.op_type == "Conv")
    add = next(node for node in graph.users[value] if node.op_type == "Add")
    last = _branch(graph, add, value)
    assert last is not None
    _multiply_input(graph, first, factors)
    _divide_output(graph, last, factors)
    following = graph.users[add.output[0]][0]
    graph.scale_weight(following.input[1], factors, 0)
    graph.scale_weight(following.input[3], 1 / factors, 0)  # its means; the variances stay, they only scale


def _divide_output(graph: GraphView, convolution: onnx.NodeProto, factors: Floats) -> None:
    for weight in convolution.input[1:3]:
        graph.scale_weight(weight, 1 / factors, 0)


def _multiply_input(graph: GraphView, convolution: onnx.NodeProto, factors: Floats) -> None:
    depthwise = graph.weights[convolution.input[1]].shape[1] == 1 and len(factors) > 1
    graph.scale_weight(convolution.input[1], factors, 0 if depthwise else 1)
