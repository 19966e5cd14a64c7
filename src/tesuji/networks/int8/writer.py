"""Writes a graph with some of its convolutions in integers, as pairs of Quantize and Dequantize around them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from tesuji.features.evaluation import Floats
from tesuji.networks.int8.graph_view import GraphView
from tesuji.networks.int8.ranges import Range, weight_integers, weight_steps


@dataclass
class Quantiser:
    """Writes a graph with some of its convolutions in integers."""

    graph: GraphView
    ranges: dict[str, Range]
    apart: dict[str, Floats] = field(default_factory=dict)
    """Values whose channels need not share a step, and the step of each."""
    steps: dict[str, Floats] = field(default_factory=dict)
    """Steps of the weights of a convolution's output channels, by its result; those not told are found."""

    def unit(self, name: str) -> Floats:
        """What a convolution's results stand for, by channel: not themselves where channels have their own steps."""
        gives = self.graph.finished(self.graph.maker[name])
        one = np.ones(1, np.float32)
        return self.apart[gives] / np.float32(self.ranges[gives].step) if gives in self.apart else one

    def model(self, chosen: Iterable[str], offsets: dict[str, Floats] | None = None) -> onnx.ModelProto:
        """The model with the convolutions of these results in integers; `offsets` are added to their biases."""
        view = GraphView(self.graph.rebuilt())
        writer = _Writer(view, self, set(chosen), offsets or {})
        for node in view.nodes:
            writer.write(node)
        return view.rebuilt(writer.nodes)


class _Writer:
    def __init__(self, view: GraphView, known: Quantiser, chosen: set[str], offsets: dict[str, Floats]) -> None:
        self.view, self.ranges, self.apart, self.steps = view, known.ranges, known.apart, known.steps
        self.chosen, self.offsets = chosen, offsets
        self.nodes: list[onnx.NodeProto] = []
        self._told: dict[str, str] = {}  # value -> its name after a turn through integers
        self._given = {view.finished(node): node.output[0] for node in view.convolutions() if node.output[0] in chosen}

    def write(self, node: onnx.NodeProto) -> None:
        """Adds one node, in integers or as it is."""
        copied = onnx.NodeProto()
        copied.CopyFrom(node)
        if node.output[0] in self.chosen:
            self._convolution(copied)
        else:
            # A value that leaves a convolution as integers is read by everybody as those tell it.
            copied.input[:] = [self._told.get(value, value) if value in self._given else value for value in node.input]
        self.nodes.append(copied)
        for value in node.output:
            if value in self._given:
                self._turned(value)

    def _convolution(self, node: onnx.NodeProto) -> None:
        name = node.output[0]
        reads = self.ranges[node.input[0]]
        weight = self.view.weights[node.input[1]]
        steps = self.steps[name] if name in self.steps else weight_steps(weight)
        integers = weight_integers(weight, steps)
        bias = self.view.weights[node.input[2]] if len(node.input) > 2 else np.zeros(len(weight), np.float32)
        whole = np.rint((bias + self.offsets.get(name, np.float32(0))) / (steps * reads.step))
        gives = self.view.finished(node)
        if gives in self.apart:  # each channel in its own step: told by what its weights stand for
            steps = (steps * self.ranges[gives].step / self.apart[gives]).astype(np.float32)
        inputs = [self._turned(node.input[0]), self._stored(f"{name}.weight", integers, steps)]
        limited = np.clip(whole, -(2**31), 2**31 - 1).astype(np.int32)
        inputs.append(self._stored(f"{name}.bias", limited, (steps * reads.step).astype(np.float32)))
        node.input[:] = inputs

    def _stored(self, name: str, integers: NDArray[Any], steps: Floats) -> str:
        weights = self.view.weights
        weights[name], weights[f"{name}.step"] = integers, steps
        weights[f"{name}.zero"] = np.zeros(len(steps), integers.dtype)
        inputs = [name, f"{name}.step", f"{name}.zero"]
        self.nodes.append(helper.make_node("DequantizeLinear", inputs, [f"{name}.real"], axis=0))
        return f"{name}.real"

    def _turned(self, value: str) -> str:
        """The value after a turn through integers, which is made when first asked for."""
        if value not in self._told:
            measured = self.ranges[value]
            step, zero = f"{value}.step", f"{value}.zero"
            self.view.weights[step] = np.array(measured.step, np.float32)
            self.view.weights[zero] = np.array(measured.zero, np.uint8)
            self.nodes.append(helper.make_node("QuantizeLinear", [value, step, zero], [f"{value}.integers"]))
            if value in self.apart:
                step, zero = f"{value}.steps", f"{value}.zeros"
                self.view.weights[step] = self.apart[value]
                self.view.weights[zero] = np.full(len(self.apart[value]), measured.zero, np.uint8)
            inputs = [f"{value}.integers", step, zero]  # the axis counts only where there are several steps
            self.nodes.append(helper.make_node("DequantizeLinear", inputs, [f"{value}.told"], axis=1))
            self._told[value] = f"{value}.told"
        return self._told[value]
