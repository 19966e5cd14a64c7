"""Keras layers as ONNX: each translated to what onnxruntime runs fastest.

Keras keeps channels last, the graph keeps them first. A value of rank 4 is turned round in the graph;
flattening and reshaping turn it back before, so that numbers keep Keras's order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.networks.keras.config import SILENT
from tesuji.networks.onnx.builder import GraphBuilder

Writer = Callable[..., str]
"""Writes one layer: `(translator, layer, inputs, shape) -> name of its value`."""


@dataclass(frozen=True)
class Value:
    """A value in the graph: its name there, and its shape as Keras has it, without the batch."""

    name: str
    shape: tuple[int | None, ...]

    @property
    def is_planes(self) -> bool:
        """Whether it is a stack of planes, channels first in the graph."""
        return len(self.shape) == 3


class KerasTranslator(GraphBuilder):
    """Writes Keras layers into a graph, and counts their operations."""

    def __init__(self, layers: Mapping[str, Writer], operations: Mapping[str, Writer]) -> None:
        """`layers` and `operations` of `keras.ops` write those of a name."""
        super().__init__()
        self._layers, self._operations = layers, operations
        self.operations = 0
        self.positional: tuple[Any, ...] = ()
        self.arguments: Mapping[str, Any] = {}
        """How the layer under way is called."""

    def weight(self, name: str, array: NDArray[Any]) -> str:
        """Keeps a weight; layers of two models within one may bear the same name."""
        before = self.weights.get(name)
        kept = super().weight(name, array)
        if before is None or before == self.weights[kept]:
            return kept
        self.weights[name] = before
        return self.weight(f"{name}'", array)

    def translate(self, layer: Any, inputs: list[Value], shape: tuple[int | None, ...]) -> Value:
        """The value of a layer for these inputs; `shape` is the one Keras gives it, without the batch."""
        kind = type(layer).__name__
        if kind in SILENT:
            return Value(inputs[0].name, shape)
        table = self._operations if ".ops." in type(layer).__module__ else self._layers
        write = table.get(kind)
        if write is None:
            raise InputError(f"a layer '{kind}' cannot be translated")
        if getattr(layer, "data_format", "channels_last") != "channels_last":
            raise InputError(f"layer '{layer.name}' keeps channels first; only channels_last can be translated")
        name = write(self, layer, inputs, shape)
        activation = getattr(layer, "activation", None)
        if kind != "Activation" and activation is not None:
            name = self.activate(name, activation.__name__, len(shape))
        return Value(name, shape)

    def activate(self, value: str, function: str, rank: int) -> str:
        """An activation by its name in Keras."""
        match function:
            case "linear":
                return value
            case "relu" | "sigmoid" | "tanh" | "elu" | "selu" | "softplus" | "softsign" | "mish":
                return self.add(function.capitalize(), [value])
            case "hard_silu" | "hard_swish":
                return self.add("HardSwish", [value])
            case "relu6":
                return self.add("Clip", [value, self.constant(0, np.float32), self.constant(6, np.float32)])
            case "silu" | "swish":
                return self.add("Mul", [value, self.add("Sigmoid", [value])])
            case "leaky_relu":
                return self.add("LeakyRelu", [value], alpha=0.2)
            case "hard_sigmoid":
                return self.add("HardSigmoid", [value], alpha=1 / 6, beta=0.5)
            case "softmax":
                return self.add("Softmax", [value], axis=1 if rank == 3 else -1)
            case "gelu":
                half = self.add("Mul", [value, self.constant(0.5, np.float32)])
                scaled = self.add("Erf", [self.add("Mul", [value, self.constant(0.5**0.5, np.float32)])])
                return self.add("Mul", [half, self.add("Add", [scaled, self.constant(1, np.float32)])])
        raise InputError(f"the activation '{function}' cannot be translated")

    def in_keras_order(self, value: Value) -> str:
        """The value with channels last, as Keras numbers it."""
        return self.add("Transpose", [value.name], perm=[0, 2, 3, 1]) if value.is_planes else value.name

    def count(self, weights: Any, shape: tuple[int | None, ...]) -> None:
        """Two operations for each weight at each point."""
        points = int(np.prod([n or 19 for n in shape[:2]])) if len(shape) == 3 else 1
        self.operations += 2 * int(np.size(weights)) * points


def _pads(layer: Any) -> dict[str, Any]:
    kernel = [int(k) for k in getattr(layer, "kernel_size", None) or layer.pool_size]
    strides = [int(s) for s in layer.strides]
    if layer.padding == "valid":
        return {"kernel_shape": kernel, "strides": strides}
    return {"kernel_shape": kernel, "strides": strides, "auto_pad": "SAME_UPPER"}


def _conv(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    kernel = np.asarray(layer.kernel)
    w.count(kernel, shape)
    names = [inputs[0].name, w.weight(f"{layer.name}.kernel", kernel.transpose(3, 2, 0, 1))]
    if layer.use_bias:
        names.append(w.weight(f"{layer.name}.bias", np.asarray(layer.bias)))
    dilations = [int(d) for d in layer.dilation_rate]
    return w.add("Conv", names, group=layer.groups, dilations=dilations, **_pads(layer))


def _depthwise(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any, pointwise: bool = False) -> str:
    kernel = np.asarray(layer.depthwise_kernel if pointwise else layer.kernel)  # [h, w, channels, multiplier]
    height, width, channels, multiplier = kernel.shape
    w.count(kernel, shape)
    weights = kernel.transpose(2, 3, 0, 1).reshape(channels * multiplier, 1, height, width)
    names = [inputs[0].name, w.weight(f"{layer.name}.kernel", weights)]
    if layer.use_bias and not pointwise:
        names.append(w.weight(f"{layer.name}.bias", np.asarray(layer.bias)))
    dilations = [int(d) for d in layer.dilation_rate]
    return w.add("Conv", names, group=channels, dilations=dilations, **_pads(layer))


def _separable(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    deep = _depthwise(w, layer, inputs, shape, pointwise=True)
    kernel = np.asarray(layer.pointwise_kernel)
    w.count(kernel, shape)
    names = [deep, w.weight(f"{layer.name}.pointwise", kernel.transpose(3, 2, 0, 1))]
    if layer.use_bias:
        names.append(w.weight(f"{layer.name}.bias", np.asarray(layer.bias)))
    return w.add("Conv", names, kernel_shape=[1, 1])


def _dense(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    kernel = np.asarray(layer.kernel)
    w.count(kernel, shape)
    bias = [w.weight(f"{layer.name}.bias", np.asarray(layer.bias))] if layer.use_bias else []
    if inputs[0].is_planes:  # on planes it is a 1x1 convolution
        weights = w.weight(f"{layer.name}.kernel", kernel.T[:, :, None, None])
        return w.add("Conv", [inputs[0].name, weights, *bias], kernel_shape=[1, 1])
    if len(inputs[0].shape) != 1:
        rows = w.add("MatMul", [inputs[0].name, w.weight(f"{layer.name}.kernel", kernel)])
        return w.add("Add", [rows, *bias]) if bias else rows
    return w.add("Gemm", [inputs[0].name, w.weight(f"{layer.name}.kernel", kernel), *bias])


def _norm(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if inputs[0].is_planes and layer.axis not in {-1, 3}:
        raise InputError(f"batch normalisation '{layer.name}' along axis {layer.axis} cannot be translated")
    mean, variance = np.asarray(layer.moving_mean), np.asarray(layer.moving_variance)
    gamma = np.asarray(layer.gamma) if layer.scale else np.ones_like(mean)
    beta = np.asarray(layer.beta) if layer.center else np.zeros_like(mean)
    parts = {"gamma": gamma, "beta": beta, "mean": mean, "variance": variance}
    names = [w.weight(f"{layer.name}.{part}", array) for part, array in parts.items()]
    return w.add("BatchNormalization", [inputs[0].name, *names], epsilon=float(layer.epsilon))


def _pool(kind: str) -> Callable[..., str]:
    def write(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
        return w.add(kind, [inputs[0].name], **_pads(layer))

    return write


def _global_pool(kind: str) -> Callable[..., str]:
    def write(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
        value = w.add(kind, [inputs[0].name])
        return value if layer.keepdims else w.add("Flatten", [value], axis=1)

    return write


def _merge(kind: str) -> Callable[..., str]:
    def write(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
        rank = max(len(value.shape) for value in inputs)
        names = []
        for value in inputs:  # Keras puts new axes after the batch, so that channels meet channels
            flat = rank == 3 and len(value.shape) == 1
            names.append(w.add("Unsqueeze", [value.name, w.constant([2, 3])]) if flat else value.name)
        result = names[0]
        for name in names[1:]:
            result = w.add(kind, [result, name])
        return result

    return write


def _average(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    total = _merge("Add")(w, layer, inputs, shape)
    return w.add("Div", [total, w.constant(len(inputs), np.float32)])


def _concatenate(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    axis = layer.axis if layer.axis >= 0 else layer.axis + len(shape) + 1
    turned = {1: 2, 2: 3, 3: 1}[axis] if len(shape) == 3 else axis
    return w.add("Concat", [value.name for value in inputs], axis=turned)


def _reshape(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if inputs[0].is_planes and inputs[0].shape[2] == 1 and len(shape) == 1:
        return w.add("Flatten", [inputs[0].name], axis=1)  # one plane is in order either way
    target = [-1 if n is None else n for n in shape]
    flat = w.add("Reshape", [w.in_keras_order(inputs[0]), w.constant([0, *target])])
    return w.add("Transpose", [flat], perm=[0, 3, 1, 2]) if len(shape) == 3 else flat


def _permute(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    turned = w.add("Transpose", [w.in_keras_order(inputs[0])], perm=[0, *layer.dims])
    return w.add("Transpose", [turned], perm=[0, 3, 1, 2]) if len(shape) == 3 else turned


def _pad(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    (top, bottom), (left, right) = layer.padding
    return w.add("Pad", [inputs[0].name, w.constant([0, 0, top, left, 0, 0, bottom, right])])


def _activation(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    return w.activate(inputs[0].name, layer.activation.__name__, len(shape))


def _relu(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if layer.threshold:
        raise InputError(f"a ReLU with a threshold ('{layer.name}') cannot be translated")
    slope = {"alpha": float(layer.negative_slope)} if layer.negative_slope else {}
    value = w.add("LeakyRelu" if slope else "Relu", [inputs[0].name], **slope)
    if layer.max_value is None:
        return value
    return w.add("Min", [value, w.constant(layer.max_value, np.float32)])


def _leaky(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    return w.add("LeakyRelu", [inputs[0].name], alpha=float(layer.negative_slope))


def _softmax(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if layer.axis not in {-1, len(shape)}:
        raise InputError(f"a softmax along axis {layer.axis} cannot be translated")
    return w.activate(inputs[0].name, "softmax", len(shape))


TRANSLATIONS: dict[str, Writer] = {
    "Activation": _activation,
    "Add": _merge("Add"),
    "Average": _average,
    "AveragePooling2D": _pool("AveragePool"),
    "BatchNormalization": _norm,
    "Concatenate": _concatenate,
    "Conv2D": _conv,
    "Dense": _dense,
    "DepthwiseConv2D": _depthwise,
    "ELU": lambda w, layer, inputs, shape: w.add("Elu", [inputs[0].name], alpha=float(layer.alpha)),
    "Flatten": _reshape,
    "GlobalAveragePooling2D": _global_pool("GlobalAveragePool"),
    "GlobalMaxPooling2D": _global_pool("GlobalMaxPool"),
    "LeakyReLU": _leaky,
    "MaxPooling2D": _pool("MaxPool"),
    "Maximum": _merge("Max"),
    "Multiply": _merge("Mul"),
    "Permute": _permute,
    "ReLU": _relu,
    "Reshape": _reshape,
    "SeparableConv2D": _separable,
    "Softmax": _softmax,
    "Subtract": _merge("Sub"),
    "ZeroPadding2D": _pad,
}
