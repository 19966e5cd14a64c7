"""A KataGo network as an ONNX graph of any board size, written the way onnxruntime runs it fastest.

Every point of the buffer lies on the board, so there is no mask. Numbers that depend on the board's size alone are
left as small sums in the graph: onnxruntime works them out once, when the size is known. Values come in two layouts:
planes `[B, C, N, N]` for convolutions, and one row a point, `[B, N*N, C]`, for everything that looks at one point
only or at all of them, where one large product of matrices does the work.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tesuji.networks.foreign.katago_model import (
    GLOBAL,
    SPATIAL,
    Affine,
    Attention,
    Block,
    Bottleneck,
    Conv,
    FeedForward,
    GlobalPooling,
    Ordinary,
    RmsNorm,
    Trunk,
)
from tesuji.networks.foreign.stream import Floats
from tesuji.networks.onnx.builder import FLOAT, GraphBuilder

TO_PLAY = SPATIAL + GLOBAL  # a plane of ones where Black is to move, which KataGo itself does not see
CHANNELS = TO_PLAY + 1
RUNTIME = "com.microsoft"  # onnxruntime's own operators
ALIGNED = 4  # onnxruntime's fast convolutions want channels in multiples of this


@dataclass(frozen=True)
class Value:
    """A value of the graph: its name, and whether it lies as rows of points or as planes."""

    name: str
    rows: bool
    channels: int


class KatagoGraph(GraphBuilder):
    """Writes the trunk of a network; the heads build on it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.area = size * size
        self.operations = 0
        # Of one position, because onnxruntime works a shape out beforehand only where all of it is known.
        one = self.add("Gather", ["planes", self.constant(0)], axis=0)
        self._board = self.add("Shape", [one], start=1, end=3)
        area = self.add("Cast", [self.add("ReduceProd", [self._board], keepdims=1)], to=FLOAT)
        wide = self.add("Sub", [self.add("Sqrt", [area]), self.operand(14.0)])
        self.width = self.add("Mul", [wide, self.operand(0.1)])  # (side of the board - 14) / 10, as pooling knows it

    def trunk(self, trunk: Trunk) -> Value:
        """What the heads read."""
        x = self._inputs(trunk)
        if all(map(_is_pointwise, trunk.blocks)):
            x = self.in_rows(x)
        for block in trunk.blocks:
            x = self._block(block, x)
        return self.normed(x, trunk.norm, trunk.activation)

    def _inputs(self, trunk: Trunk) -> Value:
        """Planes by a convolution, the global numbers, which fill planes of their own, by one of a single point."""
        first = _aligned(trunk.spatial.weights, before=0)
        spatial = Conv(first, trunk.spatial.dilation)
        every = _aligned(trunk.globals.T[:, :, None, None], before=-GLOBAL % ALIGNED)
        point = Conv(every, (1, 1))
        from_planes = self.conv(self.sliced("planes", 0, first.shape[1]), spatial)
        from_globals = self.conv(self.sliced("planes", TO_PLAY - every.shape[1], TO_PLAY), point)
        return Value(self.add("Add", [from_planes, from_globals]), False, trunk.channels)

    def _block(self, block: Block, x: Value) -> Value:
        match block:
            case Ordinary():
                y = self.normed(x, block.norm1, block.activation1)
                y = self.convolved(y, block.conv1, block.norm2, block.activation2)
                return self.sum(x, self.convolved(y, block.conv2))
            case GlobalPooling():
                return self._pooling(block, x)
            case Bottleneck():
                y = self.convolved(self.normed(x, block.norm1, block.activation1), block.down)
                for inner in block.blocks:
                    y = self._block(inner, y)
                return self.sum(x, self.convolved(self.normed(y, block.norm2, block.activation2), block.up))
            case Attention():
                return self._attention(block, self.in_rows(x))
            case FeedForward():
                return self._feed_forward(block, self.in_rows(x))

    def _pooling(self, block: GlobalPooling, x: Value) -> Value:
        y = self.normed(x, block.norm1, block.activation1)
        side = self.convolved(y, block.pooled, block.pooled_norm, block.pooled_activation)
        y = self.with_pooled(self.convolved(y, block.regular, block.norm2), side, block.to_bias * block.norm2.scale)
        y = Value(self.activated(y.name, block.activation2), y.rows, y.channels)
        return self.sum(x, self.convolved(y, block.conv2))

    def with_pooled(self, y: Value, side: Value, weights: Floats) -> Value:
        """`y` plus, on every point, what is pooled from `side`."""
        if y.rows:
            pooled = self.add("Unsqueeze", [self.pooled(side, weights), self.constant([1])])
        else:
            pooled = self._pooled_planes(self.in_planes(side), weights)
        return Value(self.add("Add", [y.name, pooled]), y.rows, y.channels)

    def pooled(self, side: Value, weights: Floats) -> str:
        """Mean, mean by board width, and maximum of each channel, times `weights`: `[B, outputs]`."""
        of_mean, of_width, of_max = np.split(weights, 3)
        mean, most = self._reduced("ReduceMean", side), self._reduced("ReduceMax", side)
        both = self.add("Add", [self.matrix(of_mean), self.add("Mul", [self.width, self.matrix(of_width)])])
        return self.add("Add", [self.add("MatMul", [mean, both]), self.add("MatMul", [most, self.matrix(of_max)])])

    def _pooled_planes(self, side: Value, weights: Floats) -> str:
        """The same as planes of one point, all by operators that keep onnxruntime's own layout of channels."""
        of_mean, of_width, of_max = (part.T[:, :, None, None] for part in np.split(weights, 3))
        both = self.add("Add", [self.matrix(of_mean), self.add("Mul", [self.width, self.matrix(of_width)])])
        mean = self.add("Conv", [self.add("GlobalAveragePool", [side.name]), both], kernel_shape=[1, 1])
        most = self.add("Conv", [self.add("GlobalMaxPool", [side.name]), self.matrix(of_max)], kernel_shape=[1, 1])
        return self.add("Add", [mean, most])

    def _reduced(self, kind: str, x: Value) -> str:
        return self.add(kind, [x.name, self.constant([1] if x.rows else [2, 3])], keepdims=0)

    def mean(self, x: Value) -> str:
        """The mean of each channel over the board, `[B, C]`."""
        return self._reduced("ReduceMean", x)

    def _attention(self, block: Attention, x: Value) -> Value:
        """onnxruntime's own operator attends, which is faster than its parts; it knows no shared heads, so they are
        written out."""
        y = self._root_mean_square(x, block.norm).name
        owners = np.arange(block.heads) * block.kv_heads // block.heads
        query = self.product(y, block.query)
        key = self.product(y, _repeated(block.key, block.kv_heads, owners))
        value = self.product(y, _repeated(block.value, block.kv_heads, owners))
        if block.frequencies is not None:
            cosines, sines = self._angles(block.frequencies[owners])
            query, key = (self._turned(part, cosines, sines, block.heads) for part in (query, key))
        seen = self.add_extension(RUNTIME, "MultiHeadAttention", [query, key, value], num_heads=block.heads)
        self.operations += 2 * self.area**2 * block.heads * (block.query_width + block.value_width)
        return self.sum(x, Value(self.product(seen, block.out), True, x.channels))

    def _angles(self, frequencies: Floats) -> tuple[str, str]:
        """Cosines and sines by which each head's pairs of channels turn at each point, `[N*N * heads, pairs]`."""
        place = self.add("Cast", [self.add("Range", [self.constant(0), self._side(), self.constant(1)])], to=FLOAT)
        columns = self.add("Reshape", [place, self.constant([1, -1, 1])])
        rows = self.add("Reshape", [place, self.constant([-1, 1, 1])])
        by_column = self.add("Mul", [columns, self.matrix(frequencies[..., 0].reshape(1, 1, -1))])
        by_row = self.add("Mul", [rows, self.matrix(frequencies[..., 1].reshape(1, 1, -1))])
        both = self.add("Add", [by_column, by_row])
        angles = self.add("Reshape", [both, self.constant([-1, frequencies.shape[1]])])
        return self.add("Cos", [angles]), self.add("Sin", [angles])

    def _turned(self, value: str, cosines: str, sines: str, heads: int) -> str:
        """Queries or keys with their pairs of channels turned.

        Points and heads become one long row of places, because every head turns at its own speed.
        """
        places = self.add("ReduceProd", [self._board], keepdims=1)
        all_places = self.add("Mul", [places, self.constant([heads])])
        apart = self.add("Concat", [self.constant([0]), all_places, self.constant([-1])], axis=0)
        together = self.add("Concat", [self.constant([0]), places, self.constant([-1])], axis=0)
        inputs = [self.add("Reshape", [value, apart]), self.constant([0]), cosines, sines]
        turned = self.add_extension(RUNTIME, "RotaryEmbedding", inputs, interleaved=1, num_heads=1)
        return self.add("Reshape", [turned, together])

    def _side(self) -> str:
        return self.add("Gather", [self._board, self.constant(0)], axis=0)

    def _feed_forward(self, block: FeedForward, x: Value) -> Value:
        y = self._root_mean_square(x, block.norm).name
        inner = self.activated(self.product(y, block.first), "silu")
        if block.gate is not None:
            inner = self.add("Mul", [inner, self.product(y, block.gate)])
        return self.sum(x, Value(self.product(inner, block.second), True, x.channels))

    def normed(self, x: Value, norm: Affine | RmsNorm, activation: str) -> Value:
        """A norm and its activation."""
        if isinstance(norm, RmsNorm):
            y = self._root_mean_square(x, norm)
        elif x.rows:
            y = Value(self._scaled(x, norm.scale, norm.bias), True, x.channels)
        else:
            still = [self.matrix(part) for part in (norm.scale, norm.bias, norm.bias * 0, norm.bias * 0 + 1)]
            y = Value(self.add("BatchNormalization", [x.name, *still], epsilon=0.0), False, x.channels)
        return Value(self.activated(y.name, activation), y.rows, y.channels)

    def _root_mean_square(self, x: Value, norm: RmsNorm) -> Value:
        if not norm.spatial:
            x = self.in_rows(x)
            name = self.add(
                "SimplifiedLayerNormalization", [x.name, self.matrix(norm.scale)], axis=-1, epsilon=norm.epsilon
            )
            if norm.bias is not None:
                name = self.add("Add", [name, self.matrix(norm.bias)])
            return Value(name, True, x.channels)
        axes = self.constant([1, 2] if x.rows else [1, 2, 3])
        square = self.add("ReduceMean", [self.add("Mul", [x.name, x.name]), axes])
        length = self.add("Sqrt", [self.add("Add", [square, self.operand(norm.epsilon)])])
        even = Value(self.add("Div", [x.name, length]), x.rows, x.channels)
        return Value(self._scaled(even, norm.scale, norm.bias), x.rows, x.channels)

    def _scaled(self, x: Value, scale: Floats, bias: Floats | None) -> str:
        shape = (-1,) if x.rows else (-1, 1, 1)
        name = self.add("Mul", [x.name, self.matrix(scale.reshape(shape))])
        return name if bias is None else self.add("Add", [name, self.matrix(bias.reshape(shape))])

    def convolved(self, x: Value, conv: Conv, norm: Affine | None = None, activation: str = "identity") -> Value:
        """A convolution with the norm that follows folded into it, and its activation."""
        out = len(conv.weights)
        bias = None
        if norm is not None:
            conv = Conv(conv.weights * norm.scale[:, None, None, None], conv.dilation)
            bias = norm.bias
        if x.rows and conv.is_pointwise:
            name = self.product(x.name, conv.weights[:, :, 0, 0].T)
            if bias is not None:
                name = self.add("Add", [name, self.matrix(bias)])
        else:
            x = self.in_planes(x)
            name = self.conv(x.name, conv, bias)
        return Value(self.activated(name, activation), x.rows, out)

    def conv(self, planes: str, conv: Conv, bias: Floats | None = None) -> str:
        """A convolution of planes."""
        height, width = conv.weights.shape[2:]
        across = [height // 2 * conv.dilation[0], width // 2 * conv.dilation[1]]
        self.operations += 2 * conv.weights.size * self.area
        inputs = [planes, self.matrix(conv.weights), *([] if bias is None else [self.matrix(bias)])]
        return self.add("Conv", inputs, kernel_shape=[height, width], pads=across * 2, dilations=list(conv.dilation))

    def product(self, rows: str, weights: Floats) -> str:
        """Rows of points times a matrix."""
        self.operations += 2 * weights.size * self.area
        return self.add("MatMul", [rows, self.matrix(weights)])

    def activated(self, name: str, activation: str) -> str:
        """An activation by its name."""
        match activation:
            case "relu":
                return self.add("Relu", [name])
            case "silu":
                return self.add("Mul", [name, self.add("Sigmoid", [name])])
            case "mish":
                return self._mish(name)
        return name

    def _mish(self, x: str) -> str:
        """`x tanh(softplus(x))`, written as `x (2 / (1 + s^2) - 1)` with `s = sigmoid(-x)`, which is fast."""
        s = self.add("Sigmoid", [self.add("Neg", [x])])
        below = self.add("Add", [self.add("Mul", [s, s]), self.operand(1.0)])
        share = self.add("Sub", [self.add("Div", [self.operand(2.0), below]), self.operand(1.0)])
        return self.add("Mul", [x, share])

    def sum(self, x: Value, y: Value) -> Value:
        """Both together, in the layout of the first."""
        other = self.in_rows(y) if x.rows else self.in_planes(y)
        return Value(self.add("Add", [x.name, other.name]), x.rows, x.channels)

    def in_rows(self, x: Value) -> Value:
        """As rows of points."""
        if x.rows:
            return x
        flat = self.add("Reshape", [x.name, self.constant([0, x.channels, -1])])
        return Value(self.add("Transpose", [flat], perm=[0, 2, 1]), True, x.channels)

    def in_planes(self, x: Value) -> Value:
        """As planes."""
        if not x.rows:
            return x
        shape = self.add("Concat", [self.constant([0, x.channels]), self._board], axis=0)
        flat = self.add("Transpose", [x.name], perm=[0, 2, 1])
        return Value(self.add("Reshape", [flat, shape]), False, x.channels)

    def sliced(self, name: str, start: int, end: int, axis: int = 1) -> str:
        """Part of a value along an axis."""
        return self.add("Slice", [name, *(self.constant([number]) for number in (start, end, axis))])

    def matrix(self, array: Floats) -> str:
        """A weight, named by its number."""
        return self.weight(f"w{len(self.weights)}", np.ascontiguousarray(array, np.float32))


def _is_pointwise(block: Block) -> bool:
    """Whether a block holds no convolution of several points, so that planes would only be in the way."""
    match block:
        case Ordinary():
            return block.conv1.is_pointwise and block.conv2.is_pointwise
        case GlobalPooling():
            return all(conv.is_pointwise for conv in (block.regular, block.pooled, block.conv2))
        case Bottleneck():
            outer = block.down.is_pointwise and block.up.is_pointwise
            return outer and all(map(_is_pointwise, block.blocks))
    return True


def _repeated(weights: Floats, heads: int, owners: NDArray[np.integer]) -> Floats:
    """The columns of `heads`, repeated for all that share them."""
    apart = weights.reshape(len(weights), heads, -1)
    return apart[:, owners].reshape(len(weights), -1)


def _aligned(weights: Floats, before: int) -> Floats:
    """Weights with inputs of zero added in front, and behind, so that their number suits fast convolutions."""
    after = -(weights.shape[1] + before) % ALIGNED
    return np.pad(weights, ((0, 0), (before, after), (0, 0), (0, 0)))
