"""A model's graph to look at and to change: who makes a value, who uses it, and what it is on real positions."""

import copy
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tesuji.features.evaluation import Floats
from tesuji.networks.evaluators.comparison import Positions
from tesuji.networks.onnx.runtime import PROVIDERS, UNBOUNDED, ort, session_options

_CHUNK = 64  # positions at once: every value of a graph is kept, and they are many


class GraphView:
    """One graph; its own copy of the model it was given."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = copy.deepcopy(model)
        self.weights: dict[str, NDArray[Any]] = {
            entry.name: numpy_helper.to_array(entry) for entry in model.graph.initializer
        }
        self.maker: dict[str, onnx.NodeProto] = {}
        self.users: dict[str, list[onnx.NodeProto]] = defaultdict(list)
        for node in self.nodes:
            for output in node.output:
                self.maker[output] = node
            if node.op_type != "Shape":  # which reads no numbers
                for value in node.input:
                    self.users[value].append(node)

    @property
    def nodes(self) -> list[onnx.NodeProto]:
        """In the order of their work."""
        return list(self.model.graph.node)

    def convolutions(self) -> list[onnx.NodeProto]:
        """Those whose weights lie in the file."""
        return [node for node in self.nodes if node.op_type == "Conv" and node.input[1] in self.weights]

    def kind(self, value: str) -> str:
        """The operation that makes a value; empty for inputs and weights."""
        return str(self.maker[value].op_type) if value in self.maker else ""

    def only_user(self, value: str) -> onnx.NodeProto | None:
        """The node that uses a value, if there is but one."""
        return self.users[value][0] if len(self.users[value]) == 1 else None

    def finished(self, convolution: onnx.NodeProto) -> str:
        """What a convolution gives after its Relu, where it has one: the runtime does both at once."""
        user = self.only_user(convolution.output[0])
        return str(user.output[0]) if user is not None and user.op_type == "Relu" else str(convolution.output[0])

    def may_stand_apart(self, value: str) -> bool:
        """Whether each channel of what a convolution gives may have a step of its own: convolutions want one for all.

        With several readers it would be allowed, but then the runtime turns the integers into real numbers for each
        of them, point by point, which takes five times as long with steps by channel.
        """
        reader = self.only_user(value)
        return reader is not None and reader.op_type != "Conv"

    def scale_weight(self, name: str, factors: NDArray[Any], axis: int) -> None:
        """Multiplies a weight along one axis."""
        shape = [-1 if i == axis else 1 for i in range(self.weights[name].ndim)]
        self.weights[name] = (self.weights[name] * factors.reshape(shape)).astype(np.float32)

    def rebuilt(self, nodes: Iterable[onnx.NodeProto] | None = None) -> onnx.ModelProto:
        """The model with the weights as they are now, and with these nodes in place of its own; no weight unused."""
        model = copy.deepcopy(self.model)
        graph = model.graph
        if nodes is not None:
            del graph.node[:]
            graph.node.extend(nodes)
        used = {value for node in graph.node for value in node.input}
        del graph.initializer[:]
        graph.initializer.extend(
            numpy_helper.from_array(np.array(array, order="C"), name)  # ascontiguousarray would give a scalar an axis
            for name, array in self.weights.items()
            if name in used
        )
        return model


def values_of(model: onnx.ModelProto, names: Iterable[str], positions: Positions) -> dict[str, Floats]:
    """What values inside a model are on these positions."""
    wanted = sorted(set(names))
    opened = copy.deepcopy(model)
    outputs = {entry.name for entry in opened.graph.output}
    inputs = {"planes": positions.planes, "komi": positions.komi}
    opened.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        for name in wanted
        if name not in outputs and name not in inputs
    )
    data, cpu = opened.SerializeToString(), [PROVIDERS["cpu"]]
    session = ort.InferenceSession(data, session_options(1), providers=cpu, disabled_optimizers=UNBOUNDED)
    reads = [entry.name for entry in session.get_inputs()]
    asked = [name for name in wanted if name not in inputs]
    parts = []
    for first in range(0, len(positions), _CHUNK):
        feed = {name: inputs[name][first : first + _CHUNK] for name in reads}
        parts.append(session.run(asked, feed))
    found = {name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(asked)}
    return found | {name: inputs[name] for name in wanted if name in inputs}
