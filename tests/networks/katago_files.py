"""Small network files of KataGo with every kind of block, and beside each what it must say, computed plainly.

The file and the function are made layer by layer from the same random numbers, so neither knows our reader.
"""

import gzip
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Layer = Callable[[Array], Array]
WIDTH = 8
BLOCKS = ("ordinary", "gpool", "bottleneck", "attention", "fixed", "still", "swiglu", "plain")


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def softplus(x: Array) -> Array:
    return np.logaddexp(0, x)


def softmax(x: Array) -> Array:
    e: Array = np.exp(x - x.max(-1, keepdims=True))
    shares: Array = e / e.sum(-1, keepdims=True)
    return shares


ACTIVATIONS: dict[str, Layer] = {
    "IDENTITY": lambda x: x,
    "RELU": lambda x: np.maximum(x, 0),
    "MISH": lambda x: x * np.tanh(softplus(x)),
    "SILU": lambda x: x * sigmoid(x),
}


def pool(x: Array) -> Array:
    side = (np.sqrt(x.shape[0] * x.shape[1]) - 14) * 0.1
    mean = x.mean((0, 1))
    return np.concatenate([mean, mean * side, x.max((0, 1))])


def value_pool(x: Array) -> Array:
    side = np.sqrt(x.shape[0] * x.shape[1]) - 14
    mean = x.mean((0, 1))
    return np.concatenate([mean, mean * side * 0.1, mean * (side**2 * 0.01 - 0.1)])


class KatagoFile:
    """A network file in the making; every method writes a layer and returns it as a function of `[N, N, C]`."""

    def __init__(
        self,
        version: int,
        blocks: Sequence[str] = ("ordinary",),
        *,
        activation: str = "RELU",
        rms: int | None = None,
        binary: bool = True,
        seed: int = 0,
    ) -> None:
        self.version, self.binary = version, binary
        self.activation = activation if version >= 11 else "RELU"
        self.random = np.random.default_rng(seed)
        self.pieces: list[bytes] = []
        self.policies = 1 if version < 12 else 2 if version < 16 else 4
        self.multipliers = [20.0, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0]
        self.words("small", version, 22, 19)
        if version >= 13:
            self.multipliers = [20.0, 21.0, 22.0, 23.0, 40.0, 0.25, 150.0]
            self.words(*self.multipliers)
        if version >= 15:
            self.words(*[0] * 8)
        self.words("trunk", len(blocks), WIDTH, WIDTH, WIDTH, WIDTH, 4)
        if version >= 15:
            self.words(int(rms is not None), *[0] * 5)
        self.first, self.globals = self.conv(3, 22, WIDTH), self.matmul(19, WIDTH)
        self.blocks = [self.block(kind, WIDTH) for kind in blocks]
        self.tip = self.norm(WIDTH) if rms is None else self.trunk_norm(WIDTH, rms)
        self.tip_activation = self.act()
        self.policy_head()
        self.value_head()

    def data(self) -> bytes:
        return b"".join(self.pieces)

    def packed(self) -> bytes:
        return gzip.compress(self.data(), 1)

    def words(self, *words: object) -> None:
        self.pieces.append(" ".join(map(str, words)).encode() + b"\n")

    def draw(self, *shape: int, scale: float = 1.0, around: float = 0.0) -> Array:
        array = (self.random.standard_normal(shape) * scale + around).astype(np.float32)
        if self.binary:
            self.pieces.append(b"@BIN@" + array.astype("<f4").tobytes() + b"\n")
        else:
            self.words(*(repr(float(number)) for number in array.reshape(-1)))
        return array.astype(np.float64)

    def conv(self, kernel: int, inputs: int, outputs: int) -> Layer:
        self.words("conv", kernel, kernel, inputs, outputs, 1, 1)
        w = self.draw(kernel, kernel, inputs, outputs, scale=1 / (kernel * inputs**0.5))

        def run(x: Array) -> Array:
            half, n = kernel // 2, len(x)
            wide = np.pad(x, ((half, half), (half, half), (0, 0)))
            taps = [wide[i : i + n, j : j + n] @ w[i, j] for i in range(kernel) for j in range(kernel)]
            return np.sum(taps, 0)  # type: ignore[no-any-return]

        return run

    def norm(self, channels: int) -> Layer:
        has_scale, has_bias = int(self.random.integers(2)), 1
        self.words("norm", channels, 0.001, has_scale, has_bias)
        mean = self.draw(channels, scale=0.2)
        variance = self.draw(channels, scale=0.1, around=1)
        scale = self.draw(channels, scale=0.2, around=1) if has_scale else 1.0
        bias = self.draw(channels, scale=0.3)
        return lambda x: (x - mean) / np.sqrt(variance + 0.001) * scale + bias

    def act(self) -> Layer:
        self.words("act", *([f"ACTIVATION_{self.activation}"] if self.version >= 11 else []))
        return ACTIVATIONS[self.activation]

    def matmul(self, inputs: int, outputs: int) -> Layer:
        self.words("matmul", inputs, outputs)
        w = self.draw(inputs, outputs, scale=inputs**-0.5)
        return lambda x: x @ w

    def bias(self, channels: int) -> Layer:
        self.words("bias", channels)
        b = self.draw(channels, scale=0.3)
        return lambda x: x + b

    def point_norm(self, channels: int) -> Layer:
        self.words("rms", channels, 1e-6)
        w = self.draw(channels, scale=0.2, around=1)
        return lambda x: x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * w

    def trunk_norm(self, channels: int, spatial: int) -> Layer:
        self.words("tip", channels, 1e-6, spatial, 0)
        gamma, beta = self.draw(channels, scale=0.2, around=1), self.draw(channels, scale=0.3)
        axes = (0, 1, 2) if spatial else (2,)
        return lambda x: x / np.sqrt((x**2).mean(axes, keepdims=True) + 1e-6) * gamma + beta

    def block(self, kind: str, channels: int) -> Layer:
        match kind:
            case "ordinary":
                self.words("ordinary_block", "b")
                layers = [self.norm(channels), self.act(), self.conv(3, channels, 12)]
                layers += [self.norm(12), self.act(), self.conv(3, 12, channels)]
                return lambda x: x + run(layers, x)
            case "gpool":
                return self.gpool(channels)
            case "bottleneck":
                self.words("nested_bottleneck_block", "b", 2)
                layers = [self.norm(channels), self.act(), self.conv(1, channels, 4)]
                layers += [self.block("ordinary", 4), self.block("gpool", 4)]
                layers += [self.norm(4), self.act(), self.conv(1, 4, channels)]
                return lambda x: x + run(layers, x)
            case "deep":
                return self.nested(channels, 6)
            case "attention":
                return self.attention(channels, heads=4, shared=2, turns=1, learned=1)
            case "fixed":
                return self.attention(channels, heads=3, shared=3, turns=1, learned=0)
            case "still":
                return self.attention(channels, heads=2, shared=1, turns=0, learned=0)
        return self.feed_forward(channels, gated=int(kind == "swiglu"))

    def nested(self, channels: int, depth: int) -> Layer:
        """Blocks within blocks, so deep."""
        if not depth:
            return self.block("ordinary", channels)
        self.words("nested_bottleneck_block", "b", 1)
        layers = [self.norm(channels), self.act(), self.conv(1, channels, 4), self.nested(4, depth - 1)]
        layers += [self.norm(4), self.act(), self.conv(1, 4, channels)]
        return lambda x: x + run(layers, x)

    def gpool(self, channels: int) -> Layer:
        self.words("gpool_block", "b")
        norm1, act1, regular, side = (
            self.norm(channels),
            self.act(),
            self.conv(3, channels, 6),
            self.conv(3, channels, 4),
        )
        side_norm, side_act, to_bias = self.norm(4), self.act(), self.matmul(12, 6)
        norm2, act2, last = self.norm(6), self.act(), self.conv(3, 6, channels)

        def whole(x: Array) -> Array:
            y = act1(norm1(x))
            y = regular(y) + to_bias(pool(side_act(side_norm(side(y)))))
            return x + last(act2(norm2(y)))

        return whole

    def attention(self, channels: int, *, heads: int, shared: int, turns: int, learned: int) -> Layer:
        wide, value_wide = 8, 5
        self.words("transformer_attention_block", "b", heads, shared, wide, value_wide, turns, learned)
        norm, q, k = (
            self.point_norm(channels),
            self.matmul(channels, heads * wide),
            self.matmul(channels, shared * wide),
        )
        v, out = self.matmul(channels, shared * value_wide), self.matmul(heads * value_wide, channels)
        speeds = np.zeros((shared, wide // 2, 2))
        if turns and learned:
            self.words("rope", shared, wide // 2, 2)
            speeds = self.draw(shared, wide // 2, 2)
        elif turns:
            self.words("rope", 100.0)
            for pair in range(2):
                speeds[:, pair, 1] = speeds[:, 2 + pair, 0] = 100.0 ** (-2 * pair / 4)

        def turned(x: Array, row: int, column: int, head: int) -> Array:
            angle = column * speeds[head, :, 0] + row * speeds[head, :, 1]
            a, b = x[0::2], x[1::2]
            return np.stack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], 1).ravel()

        def whole(x: Array) -> Array:
            n, y = len(x), norm(x)
            places = [(i, j) for i in range(n) for j in range(n)]
            seen = []
            for h in range(heads):
                own = h * shared // heads
                part, of_value = slice(own * wide, (own + 1) * wide), slice(own * value_wide, (own + 1) * value_wide)
                query = np.array([turned(q(y)[p][h * wide : (h + 1) * wide], *p, own) for p in places])
                key = np.array([turned(k(y)[p][part], *p, own) for p in places])
                value = np.array([v(y)[p][of_value] for p in places])
                seen.append(softmax(query @ key.T / wide**0.5) @ value)
            return x + out(np.concatenate(seen, 1)).reshape(x.shape)

        return whole

    def feed_forward(self, channels: int, gated: int) -> Layer:
        self.words("transformer_ffn_block", "b", channels, 10, gated)
        norm, first = self.point_norm(channels), self.matmul(channels, 10)
        gate = self.matmul(channels, 10) if gated else lambda x: np.ones(1)
        second = self.matmul(10, channels)
        return lambda x: x + second(ACTIVATIONS["SILU"](first(norm(x))) * gate(norm(x)))

    def policy_head(self) -> None:
        self.words("policy", *([self.policies, 0, 0, 0] if self.version >= 17 else []))
        p1, g1, g_norm, g_act = self.conv(1, WIDTH, 6), self.conv(1, WIDTH, 4), self.norm(4), self.act()
        to_bias, p_norm, p_act = self.matmul(12, 6), self.norm(6), self.act()
        moves = self.conv(1, 6, self.policies)
        if self.version < 15:
            passing = [self.matmul(12, self.policies)]
        else:
            passing = [self.matmul(12, 6), self.bias(6), self.act(), self.matmul(6, self.policies)]

        def logits(x: Array) -> Array:
            side = pool(g_act(g_norm(g1(x))))
            points = moves(p_act(p_norm(p1(x) + to_bias(side))))
            return np.concatenate([points.reshape(-1, self.policies), run(passing, side)[None]])

        self.logits = logits

    def value_head(self) -> None:
        self.words("value", *([0, 0, 0] if self.version >= 17 else []))
        v1 = [self.conv(1, WIDTH, 5), self.norm(5), self.act()]
        dense = [self.matmul(15, 7), self.bias(7), self.act()]
        outcome = [self.matmul(7, 3), self.bias(3)]
        count = 4 if self.version == 8 else 6
        scores = [self.matmul(7, count), self.bias(count)]
        ownership = self.conv(1, 5, 1)

        def said(x: Array) -> tuple[Array, Array, Array]:
            y = run(v1, x)
            hidden = run(dense, value_pool(y))
            return run(outcome, hidden), run(scores, hidden), np.tanh(ownership(y))[..., 0]

        self.said = said

    def judge(self, planes: Array, komi: float, optimism: float = 0.2) -> dict[str, Array]:
        """What an evaluation must hold of one position, `planes [42, N, N]`."""
        x = planes.transpose(1, 2, 0).astype(np.float64)
        told = x[0, 0, 22:41]
        sign = 2 * x[0, 0, 41] - 1
        y = self.first(x[..., :22]) + self.globals(told)
        y = self.tip_activation(self.tip(run(self.blocks, y)))
        logits = self.logits(y)
        mixed = logits[:, 0] if self.policies == 1 else logits[:, 0] * (1 - optimism) + logits[:, 1] * optimism
        outcome, scores, ownership = self.said(y)
        if told[6] and not told[9]:
            outcome[2] = -np.inf
        win, _, nothing = softmax(outcome)
        _, _, stdev, lead, _, value_error, score_error = self.multipliers
        result = {
            "policy": softmax(mixed),
            "value": win + nothing / 2,
            "black_score": sign * scores[2] * lead * (1 - nothing) + komi,
            "black_ownership": sign * ownership,
            "score_stdev": softplus(scores[1]) * stdev,
        }
        if self.version >= 14:
            errors = softplus(scores[4:] / 2) * np.sqrt([value_error, score_error])
        elif self.version >= 10:
            errors = np.sqrt(softplus(scores[4:]) * [value_error, score_error])
        elif self.version == 9:
            errors = softplus(scores[4:]) * [1, 10]
        else:
            return result
        return result | {"value_error": errors[0] / 2, "score_error": errors[1]}


def run(layers: Sequence[Layer], x: Array) -> Array:
    for layer in layers:
        x = layer(x)
    return x


def positions(count: int, size: int, seed: int = 1) -> Array:
    """Planes as a network of KataGo might see them: global numbers fill their planes, also those of the rules."""
    random = np.random.default_rng(seed)
    planes = (random.random((count, 42, size, size)) < 0.3).astype(np.float32)
    planes[:, 22:] = random.integers(0, 2, (count, 20, 1, 1))
    planes[:, 27] = random.normal(size=(count, 1, 1))
    return planes
