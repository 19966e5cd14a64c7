"""Reads Leela Zero's weight files, and writes them as ONNX.

Their rows count from the bottom, ours from the top: kernels, dense layers and the policy are turned over here, once.
"""

from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np

import tesuji
from tesuji.networks.foreign.stream import Floats, Stream
from tesuji.networks.onnx.builder import GraphBuilder
from tesuji.networks.onnx.model_file import ModelInfo

PLANES = "leela-18"
CHANNELS, BLACK_PLANE = 18, 16
EPSILON = 1e-5
FIRST, PER_BLOCK, HEADS = 4, 8, 14  # lines
MOST_LINES = FIRST + 1000 * PER_BLOCK + HEADS
HIDDEN = 256


@dataclass(frozen=True)
class Layer:
    """A convolution with its batch norm folded in."""

    weights: Floats
    bias: Floats


@dataclass(frozen=True)
class LeelaModel:
    """A whole weight file, rows already from the top."""

    size: int
    for_black: bool
    """Whether the value speaks of Black (ELF OpenGo's networks) rather than of the player to move."""
    layers: list[Layer]
    policy: Layer
    moves: Floats
    moves_bias: Floats
    value: Layer
    hidden: Floats
    hidden_bias: Floats
    result: Floats
    result_bias: Floats
    parameters: int


def read_leela(path: Path) -> LeelaModel:
    """The network in a weight file. Raises `ValueError` in one line when it is damaged or of another kind."""
    with Stream(path) as stream:
        version = stream.line("the version")
        if version is None or version.size != 1 or version[0] not in (1, 2):
            raise stream.fail("no weights of Leela Zero: the first line should be 1 or 2")
        lines: list[Floats] = []
        while (line := stream.line(f"line {len(lines) + 2}")) is not None:
            lines.append(line)
            if len(lines) > MOST_LINES:
                raise stream.fail("more lines than any network of Leela Zero has")
        stream.end()
        return _model(stream, lines, bool(version[0] == 2))


def _model(stream: Stream, lines: list[Floats], for_black: bool) -> LeelaModel:
    blocks, rest = divmod(len(lines) - FIRST - HEADS, PER_BLOCK)
    if blocks < 0 or rest:
        raise stream.fail(f"{len(lines) + 1} lines, which is no whole network of Leela Zero; fetch it again")
    filters = len(lines[1])
    head = FIRST + blocks * PER_BLOCK
    size = isqrt(max(len(lines[head + 5]) - 1, 0))
    if len(lines[head + 5]) != size * size + 1 or not 2 <= size <= 25:
        raise stream.fail(f"{len(lines[head + 5])} moves, which is no square board and pass")
    area = size * size

    def shaped(index: int, *shape: int) -> Floats:
        if lines[index].size != np.prod(shape):
            raise stream.fail(f"line {index + 2} has {lines[index].size} numbers, expected {int(np.prod(shape))}")
        return lines[index].reshape(shape)

    def layer(index: int, inputs: int, outputs: int, kernel: int) -> Layer:
        weights = shaped(index, outputs, inputs, kernel, kernel)[:, :, ::-1]
        biases, means, variances = (shaped(index + i, outputs).astype(np.float64) for i in (1, 2, 3))
        if not (variances + EPSILON > 0).all():
            raise stream.fail(f"line {index + 5} has a variance below zero; the file is damaged")
        scale = 1 / np.sqrt(variances + EPSILON)
        folded = weights * scale[:, None, None, None]
        return Layer(folded.astype(np.float32), ((biases - means) * scale).astype(np.float32))

    tower = [layer(0, CHANNELS, filters, 3)]
    tower += [layer(FIRST + 4 * i, filters, filters, 3) for i in range(2 * blocks)]
    dense = shaped(head + 4, area + 1, 2, size, size)[:, :, ::-1].reshape(area + 1, 2 * area)
    return LeelaModel(
        size=size,
        for_black=for_black,
        layers=tower,
        policy=layer(head, filters, 2, 1),
        moves=_turned_moves(dense, size),
        moves_bias=_turned_moves(shaped(head + 5, area + 1), size),
        value=layer(head + 6, filters, 1, 1),
        hidden=shaped(head + 10, HIDDEN, size, size)[:, ::-1].reshape(HIDDEN, area),
        hidden_bias=shaped(head + 11, HIDDEN),
        result=shaped(head + 12, 1, HIDDEN),
        result_bias=shaped(head + 13, 1),
        parameters=sum(line.size for line in lines),
    )


def _turned_moves(moves: Floats, size: int) -> Floats:
    """Moves counted from the top row, pass where it was."""
    points = moves[:-1].reshape(size, size, -1)[::-1].reshape(size * size, -1)
    return np.concatenate([points, moves[-1:].reshape(1, -1)]).reshape(moves.shape)


def leela_onnx(model: LeelaModel, name: str, training: dict[str, Any]) -> bytes:
    """The model file of a network."""
    writer = _Writer(model.size)
    x = writer.conv("planes", model.layers[0])
    for first, second in zip(model.layers[1::2], model.layers[2::2], strict=True):
        x = writer.conv(writer.conv(x, first), second, onto=x)
    policy = writer.add("Flatten", [writer.conv(x, model.policy)], axis=1)
    policy = writer.add("Softmax", [writer.dense(policy, model.moves, model.moves_bias)], axis=1)
    value = writer.add("Flatten", [writer.conv(x, model.value)], axis=1)
    value = writer.add("Relu", [writer.dense(value, model.hidden, model.hidden_bias)])
    # (1 + tanh(x)) / 2 is the sigmoid of 2x.
    logit = writer.dense(value, 2 * model.result, 2 * model.result_bias)
    value = writer.value(logit, model.for_black)
    info = ModelInfo(
        name=name,
        planes=PLANES,
        size=model.size,
        any_size=False,
        has_pass=True,
        value_of="to_play",
        outputs=("policy", "value"),
        parameters=model.parameters,
        operations=writer.operations,
        training=training,
        tesuji=tesuji.__version__,
    )
    return writer.model(info, CHANNELS, [policy, value])


class _Writer(GraphBuilder):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.area = size * size
        self.operations = 0

    def conv(self, planes: str, layer: Layer, onto: str | None = None) -> str:
        """A convolution and its rectifier, after adding `onto`."""
        kernel = layer.weights.shape[-1]
        self.operations += 2 * layer.weights.size * self.area
        inputs = [planes, self._matrix(layer.weights), self._matrix(layer.bias)]
        out = self.add("Conv", inputs, kernel_shape=[kernel, kernel], pads=[kernel // 2] * 4)
        return self.add("Relu", [out if onto is None else self.add("Add", [out, onto])])

    def dense(self, rows: str, weights: Floats, bias: Floats) -> str:
        self.operations += 2 * weights.size
        return self.add("Gemm", [rows, self._matrix(weights), self._matrix(bias)], transB=1)

    def value(self, logit: str, for_black: bool) -> str:
        """The win of the player to move, `[B]`."""
        if for_black:
            corner = [self.constant(bound) for bound in ([BLACK_PLANE, 0, 0], [BLACK_PLANE + 1, 1, 1], [1, 2, 3])]
            black = self.add("Reshape", [self.add("Slice", ["planes", *corner]), self.constant([-1, 1])])
            sign = self.add("Sub", [self.add("Mul", [black, self.operand(2.0)]), self.operand(1.0)])
            logit = self.add("Mul", [logit, sign])
        return self.add("Squeeze", [self.add("Sigmoid", [logit]), self.constant([1])])

    def _matrix(self, array: Floats) -> str:
        return self.weight(f"w{len(self.weights)}", np.ascontiguousarray(array, np.float32))
