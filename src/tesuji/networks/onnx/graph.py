"""Writes a traced torch module as an ONNX graph, operation by operation.

Only the operations our networks are made of, each written the way onnxruntime runs fastest. It takes
milliseconds where torch's general exporter takes many seconds, and leaves nothing in the file but the network.
Operations it does not know raise `UnknownOperation`, and the caller turns to the general exporter.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import fx, nn
from torch.nn import functional

from tesuji.base.errors import InputError
from tesuji.networks.onnx.builder import FLOAT, INT64, GraphBuilder
from tesuji.networks.onnx.outputs import beyond

FORWARDS = np.iinfo(np.int64).max  # the end of a slice that runs to the back
BACKWARDS = np.iinfo(np.int64).min  # the end of a slice that runs to the front


class UnknownOperation(InputError):  # noqa: N818 (reads as what it is)
    """The graph holds something that has no translation here."""


class GraphWriter(GraphBuilder):
    """Collects nodes and weights while it walks a traced module."""

    def __init__(self, traced: fx.GraphModule) -> None:
        super().__init__()
        self.traced = traced
        self.values: dict[str, str] = {}
        self.results: list[str] = []

    def write(self) -> None:
        """Translates every operation of the trace."""
        for node in self.traced.graph.nodes:
            if node.op == "placeholder":
                self.values[node.name] = node.name
            elif node.op == "get_attr":
                self.values[node.name] = self.tensor(node.target, _attribute(self.traced, node.target))
            elif node.op == "output":
                self.results = [self.values[result.name] for result in node.args[0]]
            else:
                self.values[node.name] = self._translate(node)

    def tensor(self, name: str, tensor: torch.Tensor) -> str:
        """Keeps a weight and returns its name."""
        return self.weight(name, tensor.detach().cpu().numpy())

    def _translate(self, node: fx.Node) -> str:
        arguments = [self._value(argument) for argument in node.args]
        keywords = {key: self._value(argument) for key, argument in node.kwargs.items()}
        key: Any = node.target
        if node.op == "call_module":
            module = self.traced.get_submodule(str(node.target))
            key = type(module)
            arguments = [module, str(node.target), *arguments]
        translate = TRANSLATIONS.get(key)
        if translate is None:
            raise UnknownOperation(f"no translation for {key}")
        return translate(self, *arguments, **keywords)

    def _value(self, argument: Any) -> Any:
        if isinstance(argument, fx.Node):
            return self.values[argument.name]
        if isinstance(argument, tuple | list):
            return type(argument)(self._value(part) for part in argument)
        return argument


def _attribute(module: nn.Module, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part)
    return module


def _conv(w: GraphWriter, layer: nn.Conv2d, name: str, planes: str) -> str:
    inputs = [planes, w.tensor(f"{name}.weight", layer.weight)]
    if layer.bias is not None:
        inputs.append(w.tensor(f"{name}.bias", layer.bias))
    if layer.padding_mode != "zeros" or isinstance(layer.padding, str):
        raise UnknownOperation(f"padding of {name}")
    return w.add(
        "Conv",
        inputs,
        kernel_shape=list(layer.kernel_size),
        strides=list(layer.stride),
        pads=[*layer.padding, *layer.padding],
        dilations=list(layer.dilation),
        group=layer.groups,
    )


def _linear(w: GraphWriter, layer: nn.Linear, name: str, vector: str) -> str:
    inputs = [vector, w.tensor(f"{name}.weight", layer.weight)]
    if layer.bias is not None:
        inputs.append(w.tensor(f"{name}.bias", layer.bias))
    return w.add("Gemm", inputs, transB=1)


def _norm(w: GraphWriter, layer: nn.BatchNorm2d, name: str, planes: str) -> str:
    parts = {"weight": layer.weight, "bias": layer.bias, "mean": layer.running_mean, "var": layer.running_var}
    kept = [w.tensor(f"{name}.{part}", tensor) for part, tensor in parts.items() if tensor is not None]
    if len(kept) != 4:
        raise UnknownOperation(f"batch norm {name} without statistics")
    return w.add("BatchNormalization", [planes, *kept], epsilon=layer.eps)


def _average(w: GraphWriter, layer: nn.AvgPool2d, name: str, planes: str) -> str:
    def pair(number: Any) -> list[int]:
        return [number, number] if isinstance(number, int) else list(number)

    if layer.ceil_mode or layer.divisor_override is not None:
        raise UnknownOperation(f"pooling of {name}")
    return w.add(
        "AveragePool",
        [planes],
        kernel_shape=pair(layer.kernel_size),
        strides=pair(layer.stride),
        pads=pair(layer.padding) * 2,
        count_include_pad=int(layer.count_include_pad),
    )


def _global_average(w: GraphWriter, planes: str, size: Any) -> str:
    if size not in {1, (1, 1)}:
        raise UnknownOperation("adaptive pooling to more than one point")
    return w.add("GlobalAveragePool", [planes])


def _maximum(w: GraphWriter, planes: str, axes: Any) -> str:
    if tuple(axes) != (2, 3):
        raise UnknownOperation(f"maximum over {axes}")
    return w.add("Flatten", [w.add("GlobalMaxPool", [planes])], axis=1)


def _flatten(w: GraphWriter, value: str, start: int = 0) -> str:
    if start == 1:
        return w.add("Flatten", [value], axis=1)
    if start == 0:
        raise UnknownOperation("flatten across positions")
    return w.add("Reshape", [value, w.constant([0] * start + [-1])])


def _pad(
    w: GraphWriter, vector: str, sides: tuple[int, int], mode: str = "constant", value: float | None = None
) -> str:
    if len(sides) != 2 or mode != "constant" or value:
        raise UnknownOperation(f"padding {sides}")
    return w.add("Pad", [vector, w.constant([0, sides[0], 0, sides[1]]), w.constant(0.0, np.float32)])


def _slice(w: GraphWriter, value: str, axis: int, start: int, end: int, step: int = 1) -> str:
    bounds = [w.constant([number]) for number in (start, end, axis, step)]
    return w.add("Slice", [value, *bounds])


def _index(w: GraphWriter, value: str, index: Any) -> str:
    """`value[...]` with whole slices, numbers, beginnings of slices and new axes, in as few operations as it takes."""
    if isinstance(value, _Side):
        if index != -1:
            raise UnknownOperation(f"length of axis {index}")
        return w.add("Squeeze", [value, w.constant([0])])
    axis, place = 0, 0  # of what is read and of what it becomes
    taken: dict[int, int] = {}
    new: list[int] = []
    for part in index if isinstance(index, tuple) else (index,):
        if part is None:
            new.append(place)
        elif isinstance(part, int):
            taken[axis] = part
        elif isinstance(part, slice) and part.step is None:
            if part != slice(None):
                value = _slice(w, value, axis, part.start or 0, FORWARDS if part.stop is None else part.stop)
        else:
            raise UnknownOperation(f"index {part}")
        axis += part is not None
        place += not isinstance(part, int)
    value = _taken(w, value, taken)
    return w.add("Unsqueeze", [value, w.constant(new)]) if new else value


def _taken(w: GraphWriter, value: str, taken: dict[int, int]) -> str:
    """One place of each of these axes, which are then gone."""
    if len(taken) > 1 and min(taken.values()) >= 0:
        bounds = [list(taken.values()), [place + 1 for place in taken.values()], list(taken)]
        value = w.add("Slice", [value, *(w.constant(numbers) for numbers in bounds)])
        return w.add("Squeeze", [value, w.constant(list(taken))])
    for axis in sorted(taken, reverse=True):
        value = w.add("Gather", [value, w.constant(taken[axis])], axis=axis)
    return value


def _unflatten(w: GraphWriter, value: str, axis: int, shape: tuple[int, ...]) -> str:
    """The second of three axes as several."""
    if axis != 1:
        raise UnknownOperation(f"unflatten of axis {axis}")
    return w.add("Reshape", [value, w.constant([0, *shape, -1])])


def _transpose(w: GraphWriter, value: str, first: int, second: int) -> str:
    if (first, second) != (2, 3):
        raise UnknownOperation(f"transpose of {first} and {second}")
    return w.add("Transpose", [value], perm=[0, 1, 3, 2])


def _mean(w: GraphWriter, value: str, axis: int, keepdim: bool = False) -> str:
    return w.add("ReduceMean", [value, w.constant([axis])], keepdims=int(keepdim))


def _gelu(w: GraphWriter, value: str) -> str:
    """x / 2 (1 + erf(x / sqrt 2)): ONNX has it as one operation only in later versions."""
    error = w.add("Erf", [w.add("Div", [value, w.operand(math.sqrt(2))])])
    return w.add("Mul", [w.add("Mul", [value, w.operand(0.5)]), w.add("Add", [error, w.operand(1.0)])])


def _clip(w: GraphWriter, value: str, low: float, high: float) -> str:
    return w.add("Clip", [value, w.constant(low, np.float32), w.constant(high, np.float32)])


class _Side(str):
    """The last length of a shape, in floats: networks reckon with the side of the board, and with no other."""


def _property(w: GraphWriter, value: str, name: str) -> str:
    """The shape; the runtime knows the board when a session begins and reckons with it once."""
    if name != "shape":
        raise UnknownOperation(f"property {name}")
    return _Side(w.add("Cast", [w.add("Shape", [value], start=-1)], to=FLOAT))


def _binary(kind: str) -> Callable[..., str]:
    return lambda w, a, b: w.add(kind, [w.operand(a), w.operand(b)])


def _unary(kind: str) -> Callable[..., str]:
    return lambda w, value: w.add(kind, [value])


def _layer(kind: str) -> Callable[..., str]:
    return lambda w, layer, name, value: w.add(kind, [value])


TRANSLATIONS: dict[Any, Callable[..., str]] = {
    nn.Conv2d: _conv,
    nn.Linear: _linear,
    nn.BatchNorm2d: _norm,
    nn.AvgPool2d: _average,
    nn.ReLU: _layer("Relu"),
    nn.Sigmoid: _layer("Sigmoid"),
    nn.Identity: lambda w, layer, name, value: value,
    functional.adaptive_avg_pool2d: _global_average,
    functional.pad: _pad,
    functional.relu: _unary("Relu"),
    functional.gelu: _gelu,
    functional.silu: lambda w, value: w.add("Mul", [value, w.add("Sigmoid", [value])]),
    torch.relu: _unary("Relu"),
    torch.sigmoid: _unary("Sigmoid"),
    torch.tanh: _unary("Tanh"),
    torch.floor: _unary("Floor"),
    torch.softmax: lambda w, value, axis: w.add("Softmax", [value], axis=axis),
    torch.cat: lambda w, values, axis: w.add("Concat", values, axis=axis),
    torch.where: lambda w, condition, a, b: w.add("Where", [condition, w.operand(a), w.operand(b)]),
    operator.add: _binary("Add"),
    operator.sub: _binary("Sub"),
    operator.mul: _binary("Mul"),
    operator.truediv: _binary("Div"),
    operator.gt: _binary("Greater"),
    operator.matmul: _binary("MatMul"),
    operator.neg: _unary("Neg"),
    operator.getitem: _index,
    getattr: _property,
    torch.logsumexp: lambda w, value, axis: w.add("ReduceLogSumExp", [value, w.constant([axis])], keepdims=0),
    "add": _binary("Add"),
    "sub": _binary("Sub"),
    "mul": _binary("Mul"),
    "matmul": _binary("MatMul"),
    "flatten": _flatten,
    "reshape": lambda w, value, shape: w.add("Reshape", [value, w.constant(list(shape))]),
    "reshape_as": lambda w, value, other: w.add("Reshape", [value, w.add("Shape", [other])]),
    "unflatten": _unflatten,
    "transpose": _transpose,
    "index_select": lambda w, value, axis, index: w.add("Gather", [value, index], axis=axis),
    "mean": _mean,
    "amax": _maximum,
    "flip": lambda w, value, axis: _slice(w, value, axis, -1, BACKWARDS, -1),
    "cumsum": lambda w, value, axis: w.add("CumSum", [value, w.constant(axis)]),
    "sum": lambda w, value, axis, keepdim=False: w.add("ReduceSum", [value, w.constant([axis])], keepdims=int(keepdim)),
    beyond: lambda w, value: w.add("CumSum", [value, w.constant(1)], reverse=1),
    "clamp": _clip,
    "abs": _unary("Abs"),
    "exp": _unary("Exp"),
    "sqrt": _unary("Sqrt"),
    "detach": lambda w, value: value,
    "float": lambda w, value: value,  # model files hold float32 throughout
    "long": lambda w, value: w.add("Cast", [value], to=INT64),
    "gather": lambda w, value, axis, index: w.add("GatherElements", [value, index], axis=axis),
}
