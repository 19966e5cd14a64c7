"""Layers of newer Keras models as ONNX: norms by position, attention, resizing, and functions of `keras.ops`.

What is easier said in Keras's own order of axes is done in it, and turned round again after.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tesuji.base.errors import InputError
from tesuji.networks.keras.layers import KerasTranslator, Value


def _turned(w: KerasTranslator, name: str, rank: int) -> str:
    """A value in Keras's order as the graph keeps it."""
    return w.add("Transpose", [name], perm=[0, 3, 1, 2]) if rank == 3 else name


def _by_channel(w: KerasTranslator, label: str, numbers: Any, value: Value) -> str:
    array = np.asarray(numbers, np.float32)
    return w.weight(label, array.reshape(-1, 1, 1) if value.is_planes and array.ndim else array)


def _layer_norm(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    rank = len(shape)
    axes = [layer.axis] if isinstance(layer.axis, int) else list(layer.axis)
    axes = sorted(axis if axis > 0 else axis + rank + 1 for axis in axes)
    if axes != list(range(axes[0], rank + 1)) or getattr(layer, "rms_scaling", False):
        raise InputError(f"layer normalisation '{layer.name}' along axes {axes} cannot be translated")
    sizes = [int(shape[axis - 1]) for axis in axes]
    gamma = np.asarray(layer.gamma) if layer.scale else np.ones(sizes, np.float32)
    names = [w.in_keras_order(inputs[0]), w.weight(f"{layer.name}.gamma", gamma.reshape(sizes))]
    if layer.center:
        names.append(w.weight(f"{layer.name}.beta", np.asarray(layer.beta).reshape(sizes)))
    done = w.add("LayerNormalization", names, axis=axes[0], epsilon=float(layer.epsilon))
    return _turned(w, done, rank)


def _group_norm(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if not inputs[0].is_planes or layer.axis not in {-1, 3}:
        raise InputError(f"group normalisation '{layer.name}' of shape {shape} cannot be translated")
    channels = int(shape[-1])
    groups = channels if layer.groups == -1 else int(layer.groups)
    whole = w.add("Shape", [inputs[0].name])
    parts = w.add("Reshape", [inputs[0].name, w.constant([0, groups, -1])])
    scale, shift = (w.constant([fill] * groups, np.float32) for fill in (1.0, 0.0))
    normed = w.add("InstanceNormalization", [parts, scale, shift], epsilon=float(layer.epsilon))
    value = w.add("Reshape", [normed, whole])
    if layer.scale:
        value = w.add("Mul", [value, _by_channel(w, f"{layer.name}.gamma", layer.gamma, inputs[0])])
    if layer.center:
        value = w.add("Add", [value, _by_channel(w, f"{layer.name}.beta", layer.beta, inputs[0])])
    return value


def _prelu(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    alpha = np.asarray(layer.alpha)
    slope = w.weight(f"{layer.name}.alpha", alpha.transpose(2, 0, 1) if alpha.ndim == 3 else alpha)
    return w.add("PRelu", [inputs[0].name, slope])


def _rescale(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    scaled = w.add("Mul", [inputs[0].name, _by_channel(w, f"{layer.name}.scale", layer.scale, inputs[0])])
    return w.add("Add", [scaled, _by_channel(w, f"{layer.name}.offset", layer.offset, inputs[0])])


def _upsample(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    scales = w.constant([1, 1, *(float(n) for n in layer.size)], np.float32)
    if layer.interpolation == "nearest":
        how = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
    elif layer.interpolation == "bilinear":
        how = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
    else:
        raise InputError(f"upsampling '{layer.name}' by {layer.interpolation} cannot be translated")
    return w.add("Resize", [inputs[0].name, "", scales], **how)


def _tokens_mean(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    return w.add("ReduceMean", [inputs[0].name, w.constant([1])], keepdims=int(layer.keepdims))


def _attention(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    """Every token looks at every other; a board is a row of tokens, its points."""
    asked = {key: value for key, value in w.arguments.items() if value is not None and value is not False}
    if any(key in asked for key in ("attention_mask", "use_causal_mask", "query_mask", "return_attention_scores")):
        raise InputError(f"attention '{layer.name}' with a mask, or that tells its scores, cannot be translated")
    tokens = [_as_tokens(w, value) for value in inputs]
    query, value = tokens[0], tokens[min(1, len(tokens) - 1)]
    key = tokens[2] if len(tokens) > 2 else value
    heads = {
        name: _heads(w, f"{layer.name}.{name}", dense, source)
        for name, dense, source in (
            ("query", layer._query_dense, query), ("key", layer._key_dense, key), ("value", layer._value_dense, value),
        )
    }  # fmt: skip
    scores = w.add("MatMul", [heads["query"], w.add("Transpose", [heads["key"]], perm=[0, 1, 3, 2])])
    scaled = w.add("Mul", [scores, w.constant(float(layer.key_dim) ** -0.5, np.float32)])
    mixed = w.add("MatMul", [w.add("Softmax", [scaled], axis=-1), heads["value"]])
    kernel = np.asarray(layer._output_dense.kernel)  # [heads, width, outputs]
    flat = kernel.reshape(-1, kernel.shape[-1])
    rows = w.add("Reshape", [w.add("Transpose", [mixed], perm=[0, 2, 1, 3]), w.constant([0, -1, flat.shape[0]])])
    result = w.add("MatMul", [rows, w.weight(f"{layer.name}.output", flat)])
    if layer._output_dense.bias is not None:
        result = w.add("Add", [result, w.weight(f"{layer.name}.output_bias", np.asarray(layer._output_dense.bias))])
    points = int(np.prod([n or 19 for n in shape[:-1]]))
    w.operations += 4 * points * points * int(layer.num_heads) * int(layer.key_dim) + 8 * points * int(flat.size)
    if len(shape) != 3:
        return result
    board = w.add("Reshape", [result, w.constant([0, *(int(n) for n in shape)])])
    return _turned(w, board, 3)


def _as_tokens(w: KerasTranslator, value: Value) -> str:
    if not value.is_planes:
        return value.name
    if None in value.shape:
        raise InputError("attention over a board of any size cannot be translated; give the model a size")
    height, width, channels = value.shape
    return w.add("Reshape", [w.in_keras_order(value), w.constant([0, int(height) * int(width), int(channels)])])  # type: ignore[arg-type]


def _heads(w: KerasTranslator, label: str, dense: Any, tokens: str) -> str:
    """`[B, heads, tokens, width]` of one of the three projections."""
    kernel = np.asarray(dense.kernel)  # [channels, heads, width]
    channels, count, width = kernel.shape
    value = w.add("MatMul", [tokens, w.weight(label, kernel.reshape(channels, count * width))])
    if dense.bias is not None:
        value = w.add("Add", [value, w.weight(f"{label}_bias", np.asarray(dense.bias).reshape(-1))])
    return w.add("Transpose", [w.add("Reshape", [value, w.constant([0, -1, count, width])])], perm=[0, 2, 1, 3])


def _reduce(kind: str) -> Callable[..., str]:
    def write(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
        rank = len(inputs[0].shape)
        stated = layer.axis if layer.axis is not None else list(range(1, rank + 1))
        axes = [axis if axis >= 0 else axis + rank + 1 for axis in ([stated] if isinstance(stated, int) else stated)]
        if 0 in axes:
            raise InputError(f"keras.ops.{kind[6:].lower()} over the whole batch cannot be translated")
        parts = [w.in_keras_order(inputs[0]), w.constant(axes)]
        return _turned(w, w.add(kind, parts, keepdims=int(bool(layer.keepdims))), len(shape))

    return write


def _two(kind: str) -> Callable[..., str]:
    """A function of two values, one of which may be a number."""

    def write(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
        if len(inputs) == 2:
            ordered = [_turned_back(w, value, len(shape)) for value in inputs]
            return _turned(w, w.add(kind, ordered), len(shape))
        first, second = w.positional[:2]
        constant = second if isinstance(second, int | float) else first
        if not isinstance(constant, int | float):
            raise InputError(f"keras.ops.{kind.lower()} with something that is no number cannot be translated")
        names = [inputs[0].name, w.constant(float(constant), np.float32)]
        return w.add(kind, names if constant is second else names[::-1])

    return write


def _turned_back(w: KerasTranslator, value: Value, rank: int) -> str:
    """In Keras's order; axes that are missing in front are those after the batch, as numpy has it without one."""
    name = w.in_keras_order(value)
    missing = rank - len(value.shape)
    return w.add("Unsqueeze", [name, w.constant(list(range(1, missing + 1)))]) if missing else name


def _one(function: str) -> Callable[..., str]:
    return lambda w, layer, inputs, shape: w.activate(inputs[0].name, function, len(shape))


def _plain(kind: str) -> Callable[..., str]:
    return lambda w, layer, inputs, shape: w.add(kind, [inputs[0].name])


def _reorder(w: KerasTranslator, layer: Any, inputs: list[Value], shape: Any) -> str:
    if not layer.axes or layer.axes[0] != 0:
        raise InputError("keras.ops.transpose that moves the batch cannot be translated")
    turned = w.add("Transpose", [w.in_keras_order(inputs[0])], perm=[int(axis) for axis in layer.axes])
    return _turned(w, turned, len(shape))


LAYERS: dict[str, Callable[..., str]] = {
    "GlobalAveragePooling1D": _tokens_mean,
    "GroupNormalization": _group_norm,
    "LayerNormalization": _layer_norm,
    "MultiHeadAttention": _attention,
    "PReLU": _prelu,
    "Rescaling": _rescale,
    "UpSampling2D": _upsample,
}
OPERATIONS: dict[str, Callable[..., str]] = {
    "Absolute": _plain("Abs"),
    "Add": _two("Add"),
    "Divide": _two("Div"),
    "Exp": _plain("Exp"),
    "Gelu": _one("gelu"),
    "HardSilu": _one("hard_silu"),
    "Max": _reduce("ReduceMax"),
    "Maximum": _two("Max"),
    "Mean": _reduce("ReduceMean"),
    "Minimum": _two("Min"),
    "Multiply": _two("Mul"),
    "Negative": _plain("Neg"),
    "Relu": _one("relu"),
    "Relu6": _one("relu6"),
    "Sigmoid": _one("sigmoid"),
    "Silu": _one("silu"),
    "Softplus": _one("softplus"),
    "Sqrt": _plain("Sqrt"),
    "Subtract": _two("Sub"),
    "Sum": _reduce("ReduceSum"),
    "Tanh": _one("tanh"),
    "Transpose": _reorder,
    "TrueDivide": _two("Div"),
}
"""Functions of `keras.ops` in a functional model; classes of one name with layers are told apart by their module."""
