"""From a model file to the same network in 8-bit integers, calibrated on real positions.

Convolutions read and give integers from 0 to 255 and have weights from -127 to 127, a step for each output channel;
onnxruntime turns the pairs of Quantize and Dequantize around them into integer kernels. Residual streams stay real:
measured, integers there cost much accuracy and gain no speed. So do the few convolutions that are cheap and matter.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnx

from tesuji.base.errors import InputError
from tesuji.features.evaluation import Floats
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.comparison import Positions
from tesuji.networks.evaluators.factory import Running, evaluator
from tesuji.networks.int8.equalise import equalise
from tesuji.networks.int8.graph_view import GraphView, values_of
from tesuji.networks.int8.ranges import Range, best_range, channel_ranges, shared_zero
from tesuji.networks.int8.writer import Quantiser
from tesuji.networks.onnx.model_file import INT8_KEY, read_info

LEAST_POSITIONS = 64
REAL_SHARE = 0.04
"""The share of a network's multiplications that may stay in real numbers, where it matters most."""
_SENSED = 128  # positions on which each convolution is tried alone

Watch = Callable[[str], None]


def enough_positions(size: int) -> int:
    """How many positions calibrate a network well: large boards show more of everything."""
    return max(96, 256 * 81 // size**2)


@dataclass(frozen=True)
class Plan:
    """A network about to be written in integers: all that calibration finds out, or training learns."""

    quantiser: Quantiser
    chosen: list[str]
    """The results of the convolutions that go into integers; all others stay real."""
    offsets: dict[str, Floats]
    """What is added to their biases."""

    def model(self) -> onnx.ModelProto:
        """The network in integers."""
        return self.quantiser.model(self.chosen, self.offsets)


def add_int8(data: bytes, positions: Positions, where: str, watch: Watch = lambda text: None) -> bytes:
    """A model file with its network in integers beside the one it has.

    Raises `InputError` when the positions do not fit or are too few, or the network answers NaN in integers.
    """
    info = read_info(data, where)
    evaluator(data, where, Running(precision="fp32"))  # looked through and tried: it may be a stranger's
    channels, size = positions.planes.shape[1], positions.planes.shape[-1]
    if not (info.any_size or info.size == size):
        raise InputError(f"{where} plays {info.size}x{info.size}; the positions to calibrate with are {size}x{size}")
    if len(positions) < LEAST_POSITIONS:
        raise InputError(f"{len(positions)} positions are too few to calibrate with; give {LEAST_POSITIONS} or more")
    model = onnx.load_from_string(data)
    if channels != plane_set(info.planes).channels:
        raise InputError(f"{where} reads {info.planes}; the positions have {channels} planes")
    return joined(model, calibrate(model, positions, watch).model(), positions, where)


def joined(model: onnx.ModelProto, small: onnx.ModelProto, positions: Positions, where: str) -> bytes:
    """One file for both: the network in integers stands in the metadata, where nobody else looks.

    Raises `InputError` when it answers NaN on these positions.
    """
    outputs = [entry.name for entry in model.graph.output]
    said = values_of(small, outputs, positions.part(0, 16))
    broken = [name for name, numbers in said.items() if not np.isfinite(numbers).all()]
    if broken:
        raise InputError(f"{where}: in integers its {broken[0]} is no number; nothing written")
    del small.metadata_props[:]
    kept = [entry for entry in model.metadata_props if entry.key != INT8_KEY]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    model.metadata_props.add(key=INT8_KEY, value=base64.b64encode(small.SerializeToString()).decode())
    return bytes(model.SerializeToString())


def calibrate(model: onnx.ModelProto, positions: Positions, watch: Watch = lambda text: None) -> Plan:
    """How to put the network of a model into integers, judged by these positions."""
    graph = GraphView(model)
    convolutions = {node.output[0]: node for node in graph.convolutions()}
    if not convolutions:
        raise InputError("this network has no convolutions to put into integers")
    inner = {value for node in convolutions.values() for value in (node.input[0], graph.finished(node))}
    watch("values of the network")
    found = values_of(model, inner, positions)
    usual = {name: best_range(numbers) for name, numbers in found.items()}
    few = positions.part(0, _SENSED)
    truth = values_of(model, _judgements(graph), few)

    def harm(changed: GraphView, name: str, read: Range) -> float:
        ranges = usual | {convolutions[name].input[0]: read}
        return difference(truth, values_of(Quantiser(changed, ranges).model([name]), truth, few))

    watch("channels alike")
    ranges = equalise(graph, found, harm)
    alike = graph.rebuilt()
    found = values_of(alike, inner - ranges.keys(), positions)
    ranges |= {name: best_range(numbers) for name, numbers in found.items()}
    quantiser = Quantiser(GraphView(alike), ranges)
    _set_apart(quantiser, found)
    watch("which convolutions to leave")
    real = _left_real(quantiser, truth, few)
    watch("mean errors")
    return _corrected(quantiser, [name for name in convolutions if name not in real], positions)


def _set_apart(quantiser: Quantiser, found: dict[str, Floats]) -> None:
    """Gives each channel a step of its own in what convolutions give to others, which read real numbers."""
    graph = quantiser.graph
    for node in graph.convolutions():
        value = graph.finished(node)
        if value in found and graph.may_stand_apart(value):
            steps, zero = shared_zero(channel_ranges(found[value]))
            quantiser.apart[value] = np.maximum(steps, 1e-3 * steps.max() + 1e-12).astype(np.float32)
            quantiser.ranges[value] = Range(float(quantiser.apart[value].max()), zero)


def _left_real(quantiser: Quantiser, truth: dict[str, Floats], positions: Positions) -> set[str]:
    """The convolutions that cost most accuracy for the time they save, as many as `REAL_SHARE` allows."""
    graph = quantiser.graph
    cost = {node.output[0]: float(graph.weights[node.input[1]].size) for node in graph.convolutions()}
    harm = {name: difference(truth, values_of(quantiser.model([name]), truth, positions)) for name in cost}
    left, budget = set(), REAL_SHARE * sum(cost.values())
    for name in sorted(cost, key=lambda name: harm[name] / cost[name], reverse=True):
        if cost[name] <= budget:
            left.add(name)
            budget -= cost[name]
    return left


def _judgements(graph: GraphView) -> list[str]:
    return [entry.name for entry in graph.model.graph.output if entry.name in ("policy", "value", "black_ownership")]


def difference(truth: dict[str, Floats], found: dict[str, Floats]) -> float:
    """How far judgements are from the truth: the policies' divergence in nats, squares of all else."""
    total = 0.0
    for name, right in truth.items():
        if name == "policy":
            total += float((right * np.log((right + 1e-9) / (found[name] + 1e-9))).sum(1).mean())
        else:
            total += 4 * float(((right - found[name]) ** 2).mean())
    return total


def _corrected(quantiser: Quantiser, chosen: list[str], positions: Positions) -> Plan:
    """The plan with biases that undo the mean error of every channel, one convolution after the other."""
    truth = {
        name: numbers.mean((0, 2, 3)) for name, numbers in values_of(quantiser.graph.model, chosen, positions).items()
    }
    offsets: dict[str, Floats] = {}
    for name in chosen:
        now = values_of(quantiser.model(chosen, offsets), [name], positions)[name].mean((0, 2, 3))
        offsets[name] = (truth[name] - now * quantiser.unit(name)).astype(np.float32)
    return Plan(quantiser, chosen, offsets)
