"""Reads KataGo's network files, versions 8 to 17: binary or text, gzip or plain."""

import re
from pathlib import Path

import numpy as np

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
    KatagoModel,
    Multipliers,
    Ordinary,
    PolicyHead,
    RmsNorm,
    Trunk,
    ValueHead,
)
from tesuji.networks.foreign.stream import Floats, Stream

VERSIONS = range(8, 18)
ACTIVATIONS = {f"ACTIVATION_{name.upper()}": name for name in ("identity", "relu", "mish", "silu")}
MOST_CHANNELS, MOST_BLOCKS, MOST_DEPTH = 1 << 14, 1000, 4
MOST_PARAMETERS = 450_000_000  # an ONNX file ends at 2 GB
SCORES = {8: 4}  # outputs of the score head; 6 in every later version


def read_katago(path: Path) -> KatagoModel:
    """The network in a file. Raises `ValueError` in one line when it is damaged or of another kind."""
    with Stream(path) as stream:
        return _Reader(stream).model()


class _Reader:
    """The parts of a file, each method one of them, in the order of the file."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.version = 0
        self.parameters = 0

    def model(self) -> KatagoModel:
        name = self.stream.word("the network's name")
        if not re.fullmatch(r"[A-Za-z0-9_.+-]{1,96}", name):
            raise self.stream.fail("no network of KataGo: it does not begin with a name")
        self.version = self.stream.integer("its version", -(10**9), 10**9)
        if self.version not in VERSIONS:
            raise self.stream.fail(f"version {self.version} of KataGo's files; versions 8 to 17 can be read")
        self.stream.integer("the number of planes", SPATIAL, SPATIAL)
        self.stream.integer("the number of global inputs", GLOBAL, GLOBAL)
        multipliers = self._multipliers()
        if self.version >= 15:
            if self.stream.integer("the kind of metadata", 0, 100):
                raise self.stream.fail("a human-like network, which asks for ranks and dates; only others can be read")
            self.stream.integer("the pass-alive flag", 0, 1)
            self._spare(6)
        trunk = self._trunk()
        policy = self._policy(trunk.channels)
        value = self._value(trunk.channels)
        self.stream.end()
        return KatagoModel(name, self.version, multipliers, trunk, policy, value, self.parameters)

    def _multipliers(self) -> Multipliers:
        if self.version < 13:
            return Multipliers()
        _, mean, stdev, lead, _, value_error, score_error = (self.stream.real("a multiplier") for _ in range(7))
        return Multipliers(mean, stdev, lead, value_error, score_error)

    def _trunk(self) -> Trunk:
        self.stream.word("the trunk's name")
        blocks = self.stream.integer("the number of blocks", 1, MOST_BLOCKS)
        channels = self.stream.integer("the number of channels", 1, MOST_CHANNELS)
        for what in ("middle", "regular", "dilated", "pooled"):
            self.stream.integer(f"the number of {what} channels", 0, MOST_CHANNELS)
        is_rms = False
        if self.version >= 15:
            is_rms = bool(self.stream.integer("the kind of the trunk's norm", 0, 1))
            self._spare(5)
        spatial = self._conv(SPATIAL, channels)
        to_all = self._matmul(GLOBAL, channels)
        listed = self._blocks(blocks, channels, 0)
        norm = self._trunk_norm(channels) if is_rms else self._norm(channels)
        return Trunk(channels, spatial, to_all, listed, norm, self._activation())

    def _blocks(self, count: int, channels: int, depth: int) -> tuple[Block, ...]:
        if depth > MOST_DEPTH:
            raise self.stream.fail(f"blocks within blocks more than {MOST_DEPTH} deep; the file is damaged")
        return tuple(self._block(channels, depth) for _ in range(count))

    def _block(self, channels: int, depth: int) -> Block:
        kind = self.stream.word("the kind of a block")
        self.stream.word("a block's name")
        match kind:
            case "ordinary_block":
                return self._ordinary(channels)
            case "gpool_block":
                return self._pooling(channels)
            case "nested_bottleneck_block":
                return self._bottleneck(channels, depth)
            case "transformer_attention_block":
                return self._attention(channels)
            case "transformer_ffn_block":
                return self._feed_forward(channels)
        raise self.stream.fail(f"a block of kind '{kind[:40]}', which is not known")

    def _ordinary(self, channels: int) -> Ordinary:
        norm1, activation1, conv1 = self._norm(channels), self._activation(), self._conv(channels)
        middle = len(conv1.weights)
        norm2, activation2, conv2 = self._norm(middle), self._activation(), self._conv(middle, channels)
        return Ordinary(norm1, activation1, conv1, norm2, activation2, conv2)

    def _pooling(self, channels: int) -> GlobalPooling:
        norm1, activation1 = self._norm(channels), self._activation()
        regular, pooled = self._conv(channels), self._conv(channels)
        middle, side = len(regular.weights), len(pooled.weights)
        pooled_norm, pooled_activation = self._norm(side), self._activation()
        to_bias = self._matmul(3 * side, middle)
        norm2, activation2, conv2 = self._norm(middle), self._activation(), self._conv(middle, channels)
        return GlobalPooling(
            norm1, activation1, regular, pooled, pooled_norm, pooled_activation, to_bias, norm2, activation2, conv2
        )

    def _bottleneck(self, channels: int, depth: int) -> Bottleneck:
        inner = self.stream.integer("the number of inner blocks", 1, MOST_BLOCKS)
        norm1, activation1, down = self._norm(channels), self._activation(), self._conv(channels)
        middle = len(down.weights)
        blocks = self._blocks(inner, middle, depth + 1)
        norm2, activation2, up = self._norm(middle), self._activation(), self._conv(middle, channels)
        return Bottleneck(norm1, activation1, down, blocks, norm2, activation2, up)

    def _attention(self, channels: int) -> Attention:
        heads = self.stream.integer("the number of heads", 1, 1024)
        kv_heads = self.stream.integer("the number of key heads", 1, heads)
        query_width = self.stream.integer("the width of a query", 1, MOST_CHANNELS)
        value_width = self.stream.integer("the width of a value", 1, MOST_CHANNELS)
        turns = self.stream.integer("the flag of turning", 0, 1)
        learned = self.stream.integer("the flag of learned turning", 0, 1)
        if heads % kv_heads or (turns and query_width % 2):
            raise self.stream.fail(f"{heads} heads of width {query_width} do not divide among {kv_heads} and pairs")
        norm = self._point_norm(channels)
        query = self._matmul(channels, heads * query_width)
        key = self._matmul(channels, kv_heads * query_width)
        value = self._matmul(channels, kv_heads * value_width)
        out = self._matmul(heads * value_width, channels)
        frequencies = self._frequencies(kv_heads, query_width // 2, bool(learned)) if turns else None
        return Attention(heads, kv_heads, query_width, value_width, norm, query, key, value, out, frequencies)

    def _frequencies(self, kv_heads: int, pairs: int, learned: bool) -> Floats:
        name = self.stream.word("the name of the turning")
        if learned:
            for what, wanted in (("key heads", kv_heads), ("pairs", pairs), ("directions", 2)):
                self.stream.integer(f"the number of {what} in {name}", wanted, wanted)
            return self._floats(name, kv_heads, pairs, 2)
        theta = self.stream.real("theta")
        if theta <= 0 or pairs % 2:
            raise self.stream.fail(f"turning by theta {theta} on {pairs} pairs is impossible")
        half = pairs // 2
        speeds = theta ** (-np.arange(half) / half)
        both = np.zeros((pairs, 2), np.float32)
        both[:half, 1] = both[half:, 0] = speeds  # the first half of the pairs tell rows, the others columns
        return np.broadcast_to(both, (kv_heads, pairs, 2))

    def _feed_forward(self, channels: int) -> FeedForward:
        self.stream.integer("the number of channels", channels, channels)
        width = self.stream.integer("the width of a block", 1, MOST_CHANNELS)
        gated = self.stream.integer("the flag of gating", 0, 1)
        norm = self._point_norm(channels)
        first = self._matmul(channels, width)
        gate = self._matmul(channels, width) if gated else None
        return FeedForward(norm, first, gate, self._matmul(width, channels))

    def _policy(self, channels: int) -> PolicyHead:
        self.stream.word("the policy head's name")
        outputs = 1 if self.version < 12 else 2 if self.version < 16 else 4
        if self.version >= 17:
            outputs = self.stream.integer("the number of policies", 2, 4)
            self._spare(3)
        conv, pooled = self._conv(channels), self._conv(channels)
        width, side = len(conv.weights), len(pooled.weights)
        pooled_norm, pooled_activation = self._norm(side), self._activation()
        to_bias = self._matmul(3 * side, width)
        norm, activation = self._norm(width), self._activation()
        moves = self._conv(width, outputs)
        bias = second = None
        pass_activation = "identity"
        if self.version < 15:
            to_pass = self._matmul(3 * side, outputs)
        else:
            to_pass = self._matmul(3 * side)
            hidden = to_pass.shape[1]
            bias, pass_activation = self._bias(hidden), self._activation()
            second = self._matmul(hidden, outputs)
        return PolicyHead(
            conv, pooled, pooled_norm, pooled_activation, to_bias, norm, activation, moves, to_pass, bias,
            pass_activation, second,
        )  # fmt: skip

    def _value(self, channels: int) -> ValueHead:
        self.stream.word("the value head's name")
        if self.version >= 17:
            self._spare(3)
        conv = self._conv(channels)
        width = len(conv.weights)
        norm, activation = self._norm(width), self._activation()
        dense = self._matmul(3 * width)
        hidden = dense.shape[1]
        dense_bias, dense_activation = self._bias(hidden), self._activation()
        outcome, outcome_bias = self._matmul(hidden, 3), self._bias(3)
        count = SCORES.get(self.version, 6)
        scores, scores_bias = self._matmul(hidden, count), self._bias(count)
        ownership = self._conv(width, 1)
        return ValueHead(
            conv, norm, activation, dense, dense_bias, dense_activation, outcome, outcome_bias, scores, scores_bias,
            ownership,
        )  # fmt: skip

    # The elementary layers.

    def _conv(self, inputs: int, outputs: int | None = None) -> Conv:
        name = self.stream.word("a convolution's name")
        height, width = (self.stream.integer(f"the kernel of {name}", 1, 19) for _ in range(2))
        self.stream.integer(f"the inputs of {name}", inputs, inputs)
        out = self._outputs(name, outputs)
        dilation = tuple(self.stream.integer(f"the dilation of {name}", 1, 19) for _ in range(2))
        if not height % 2 or not width % 2:
            raise self.stream.fail(f"{name} has a kernel of {height}x{width}, which has no middle")
        weights = self._floats(name, height, width, inputs, out)
        return Conv(np.ascontiguousarray(weights.transpose(3, 2, 0, 1)), (dilation[0], dilation[1]))

    def _norm(self, channels: int) -> Affine:
        name = self.stream.word("a norm's name")
        self.stream.integer(f"the channels of {name}", channels, channels)
        epsilon = self.stream.real(f"the epsilon of {name}")
        has_scale, has_bias = (self.stream.integer(f"a flag of {name}", 0, 1) for _ in range(2))
        mean, variance = self._floats(name, channels), self._floats(name, channels)
        if not (variance.astype(np.float64) + epsilon > 0).all():
            raise self.stream.fail(f"{name} has a variance below zero; the file is damaged")
        scale = self._floats(name, channels) if has_scale else np.ones(channels, np.float32)
        bias = self._floats(name, channels) if has_bias else np.zeros(channels, np.float32)
        merged = scale / np.sqrt(variance.astype(np.float64) + epsilon)
        return Affine(merged.astype(np.float32), (bias - merged * mean).astype(np.float32))

    def _point_norm(self, channels: int) -> RmsNorm:
        name = self.stream.word("a norm's name")
        self.stream.integer(f"the channels of {name}", channels, channels)
        epsilon = self.stream.real(f"the epsilon of {name}")
        return RmsNorm(self._floats(name, channels), None, epsilon)

    def _trunk_norm(self, channels: int) -> RmsNorm:
        name = self.stream.word("a norm's name")
        self.stream.integer(f"the channels of {name}", channels, channels)
        epsilon = self.stream.real(f"the epsilon of {name}")
        spatial = bool(self.stream.integer(f"a flag of {name}", 0, 1))
        self.stream.integer(f"the group size of {name}", 0, 0)
        return RmsNorm(self._floats(name, channels), self._floats(name, channels), epsilon, spatial)

    def _activation(self) -> str:
        name = self.stream.word("an activation's name")
        if self.version < 11:
            return "relu"
        kind = self.stream.word(f"the kind of {name}")
        if kind not in ACTIVATIONS:
            raise self.stream.fail(f"{name} is '{kind[:40]}', which is not known; known: {', '.join(ACTIVATIONS)}")
        return ACTIVATIONS[kind]

    def _matmul(self, inputs: int, outputs: int | None = None) -> Floats:
        name = self.stream.word("a layer's name")
        self.stream.integer(f"the inputs of {name}", inputs, inputs)
        return self._floats(name, inputs, self._outputs(name, outputs))

    def _bias(self, channels: int) -> Floats:
        name = self.stream.word("a bias's name")
        self.stream.integer(f"the channels of {name}", channels, channels)
        return self._floats(name, channels)

    def _outputs(self, name: str, wanted: int | None) -> int:
        return self.stream.integer(f"the outputs of {name}", wanted or 1, wanted or MOST_CHANNELS)

    def _spare(self, count: int) -> None:
        for _ in range(count):
            self.stream.integer("a field kept for later versions", 0, 0)

    def _floats(self, name: str, *shape: int) -> Floats:
        array = self.stream.floats(name, *shape)
        self.parameters += array.size
        if self.parameters > MOST_PARAMETERS:
            raise self.stream.fail(f"more than {MOST_PARAMETERS} numbers, too many for this reader")
        return array
