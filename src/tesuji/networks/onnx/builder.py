"""Puts an ONNX graph together node by node, and a model file around it. Needs no onnx package."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.networks.onnx.model_file import KEY, ModelInfo
from tesuji.networks.onnx.protobuf import content, number, packed, real

OPSET = 18  # read by every onnxruntime from 1.18 on
IR_VERSION = 9
FLOAT, INT64 = 1, 7  # ONNX's numbers for types
_TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64, np.dtype(np.int32): 6, np.dtype(np.bool_): 9}
RANKS = {
    "policy": 2,
    "value": 1,
    "black_score": 1,
    "black_ownership": 3,
    "komi_curve": 2,
    "score_stdev": 1,
    "value_error": 1,
    "score_error": 1,
}


class GraphBuilder:
    """Nodes and weights of a graph in the making."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.weights: dict[str, bytes] = {}
        self.domains: dict[str, int] = {"": OPSET}

    def add(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Adds one node and returns the name of its output."""
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(_node(kind, inputs, output, attributes))
        return output

    def add_extension(self, domain: str, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Adds one node of an operator set other than ONNX's own, in its first version."""
        self.domains[domain] = 1
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(_node(kind, inputs, output, attributes, domain))
        return output

    def weight(self, name: str, array: NDArray[Any]) -> str:
        """Keeps a weight and returns its name."""
        self.weights[name] = _tensor(name, np.asarray(array))
        return name

    def constant(self, value: Any, kind: Any = np.int64) -> str:
        """A constant, kept once however often it is used."""
        array = np.asarray(value, kind)
        name = f"{array.dtype.name}_{'_'.join(map(str, array.reshape(-1)))}_{array.ndim}"
        return self.weight(name, array)

    def operand(self, value: str | float) -> str:
        """A value of the graph, or a number as one."""
        return value if isinstance(value, str) else self.constant(value, np.float32)

    def model(self, info: ModelInfo, channels: int, results: Sequence[str]) -> bytes:
        """The model file's bytes: inputs `planes` and `komi`, `results` as the outputs that `info` names."""
        board = "size" if info.any_size else info.size
        shapes: dict[str, list[int | str | None]] = {"planes": ["batch", channels, board, board]}
        if info.needs_komi:
            shapes["komi"] = ["batch"]
        ends = [_node("Identity", [result], name, {}) for name, result in zip(info.outputs, results, strict=True)]
        graph = [
            *(content(1, node) for node in [*self.nodes, *ends]),
            content(2, info.name),
            *(content(5, weight) for weight in self.weights.values()),
            *(content(11, _value_info(name, shape)) for name, shape in shapes.items()),
            *(content(12, _value_info(name, ["batch"] + [None] * (RANKS[name] - 1))) for name in info.outputs),
        ]
        return b"".join(
            [
                number(1, IR_VERSION),
                content(2, "tesuji"),
                content(3, info.tesuji),
                content(7, *graph),
                *(content(8, content(1, domain), number(2, version)) for domain, version in self.domains.items()),
                content(14, content(1, KEY), content(2, info.to_json())),
            ]
        )


def _node(kind: str, inputs: Sequence[str], output: str, attributes: dict[str, Any], domain: str = "") -> bytes:
    """A node with one output, which is its name too."""
    return b"".join(
        [
            *(content(1, entry) for entry in inputs),
            content(2, output),
            content(3, output),
            content(4, kind),
            *(content(5, _attribute(key, value)) for key, value in attributes.items()),
            content(7, domain) if domain else b"",
        ]
    )


def _attribute(name: str, value: Any) -> bytes:
    match value:
        case int() | np.integer():
            return content(1, name) + number(3, int(value)) + number(20, 2)
        case float() | np.floating():
            return content(1, name) + real(2, float(value)) + number(20, 1)
        case str():
            return content(1, name) + content(4, value) + number(20, 3)
        case list() | tuple() if value and all(isinstance(part, float) for part in value):
            return content(1, name) + b"".join(real(7, part) for part in value) + number(20, 6)
        case list() | tuple() if all(isinstance(part, int | np.integer) for part in value):
            return content(1, name) + b"".join(number(8, int(part)) for part in value) + number(20, 7)
    raise TypeError(f"attribute {name} of {type(value).__name__}")


def _tensor(name: str, array: NDArray[Any]) -> bytes:
    kind = _TYPES.get(array.dtype)
    if kind is None:
        raise TypeError(f"weight {name} of {array.dtype}")
    data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return packed(1, array.shape) + number(2, kind) + content(8, name) + content(9, data)


def _value_info(name: str, shape: Sequence[int | str | None]) -> bytes:
    dimensions = [
        content(1, b"" if part is None else content(2, part) if isinstance(part, str) else number(1, part))
        for part in shape
    ]
    tensor = number(1, FLOAT) + content(2, *dimensions)
    return content(1, name) + content(2, content(1, tensor))
