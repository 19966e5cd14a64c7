"""Puts an ONNX graph together node by node, and a model file around it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tesuji.networks.onnx.model_file import KEY, ModelInfo

OPSET = 18  # read by every onnxruntime from 1.18 on
IR_VERSION = 9
RANKS = {"policy": 2, "value": 1, "black_score": 1, "black_ownership": 3, "komi_curve": 2}


class GraphBuilder:
    """Nodes and weights of a graph in the making."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, onnx.TensorProto] = {}

    def add(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Adds one node and returns the name of its output."""
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def weight(self, name: str, array: NDArray[Any]) -> str:
        """Keeps a weight and returns its name."""
        self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def constant(self, value: Any, kind: Any = np.int64) -> str:
        """A constant, kept once however often it is used."""
        array = np.asarray(value, kind)
        name = f"{array.dtype.name}_{'_'.join(map(str, array.reshape(-1)))}_{array.ndim}"
        self.weights[name] = numpy_helper.from_array(array, name)
        return name

    def operand(self, value: str | float) -> str:
        """A value of the graph, or a number as one."""
        return value if isinstance(value, str) else self.constant(value, np.float32)

    def model(self, info: ModelInfo, channels: int, results: Sequence[str]) -> onnx.ModelProto:
        """The model file's content: inputs `planes` and `komi`, `results` as the outputs that `info` names."""
        board = "size" if info.any_size else info.size
        shapes: dict[str, list[Any]] = {"planes": ["batch", channels, board, board]}
        if info.needs_komi:
            shapes["komi"] = ["batch"]
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
        outputs = []
        for name, result in zip(info.outputs, results, strict=True):
            self.nodes.append(helper.make_node("Identity", [result], [name], name=name))
            free = ["batch"] + [None] * (RANKS[name] - 1)
            outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, free))
        graph = helper.make_graph(self.nodes, info.name, inputs, outputs, list(self.weights.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        annotate(model, info)
        onnx.checker.check_model(model)
        return model


def annotate(model: onnx.ModelProto, info: ModelInfo) -> None:
    """Puts our note into the file, and nothing else: an exporter's remarks may quote source files and their paths."""
    del model.metadata_props[:]
    model.metadata_props.add(key=KEY, value=info.to_json())
    model.producer_name, model.producer_version = "tesuji", info.tesuji
    graph = model.graph
    graph.name = info.name
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.initializer, *graph.value_info):
        del part.metadata_props[:]
        part.doc_string = ""
