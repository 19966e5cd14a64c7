"""A KataGo network as data: what its file says, weights as arrays, nothing computed yet."""

from dataclasses import dataclass

from tesuji.networks.foreign.stream import Floats

SPATIAL, GLOBAL = 22, 19  # inputs of the seventh kind, the only one of the versions we read


@dataclass(frozen=True)
class Conv:
    """A convolution with zero padding, stride one."""

    weights: Floats
    """`[out, in, y, x]`"""
    dilation: tuple[int, int]

    @property
    def is_pointwise(self) -> bool:
        """Whether it looks at one point only, and so is a product of matrices."""
        return self.weights.shape[2:] == (1, 1)


@dataclass(frozen=True)
class Affine:
    """A batch norm, its statistics merged: `x * scale + bias` for each channel."""

    scale: Floats
    bias: Floats


@dataclass(frozen=True)
class RmsNorm:
    """Divides by the root of the mean square, over the channels of a point or (`spatial`) of the whole board."""

    scale: Floats
    bias: Floats | None
    epsilon: float
    spatial: bool = False


@dataclass(frozen=True)
class Ordinary:
    """`x + conv2(act2(norm2(conv1(act1(norm1(x))))))`"""

    norm1: Affine
    activation1: str
    conv1: Conv
    norm2: Affine
    activation2: str
    conv2: Conv


@dataclass(frozen=True)
class GlobalPooling:
    """An ordinary block, part of whose middle is pooled over the board and added to the rest."""

    norm1: Affine
    activation1: str
    regular: Conv
    pooled: Conv
    pooled_norm: Affine
    pooled_activation: str
    to_bias: Floats
    norm2: Affine
    activation2: str
    conv2: Conv


@dataclass(frozen=True)
class Bottleneck:
    """Blocks on fewer channels between two convolutions of one point."""

    norm1: Affine
    activation1: str
    down: Conv
    blocks: tuple["Block", ...]
    norm2: Affine
    activation2: str
    up: Conv


@dataclass(frozen=True)
class Attention:
    """Every point asks every other; several query heads may share one key and value head."""

    heads: int
    kv_heads: int
    query_width: int
    value_width: int
    norm: RmsNorm
    query: Floats
    key: Floats
    value: Floats
    out: Floats
    frequencies: Floats | None
    """`[kv_heads, query_width / 2, (column, row)]`: how fast pairs of channels turn per step; None without turning."""


@dataclass(frozen=True)
class FeedForward:
    """`x + second(silu(first(y)) * gate(y))`, `y = norm(x)`; without gate where it is None."""

    norm: RmsNorm
    first: Floats
    gate: Floats | None
    second: Floats


Block = Ordinary | GlobalPooling | Bottleneck | Attention | FeedForward


@dataclass(frozen=True)
class Trunk:
    """From the inputs to what the heads read."""

    channels: int
    spatial: Conv
    globals: Floats
    blocks: tuple[Block, ...]
    norm: Affine | RmsNorm
    activation: str


@dataclass(frozen=True)
class PolicyHead:
    """Moves and pass; one channel, or several of which the second is the optimistic policy."""

    conv: Conv
    pooled: Conv
    pooled_norm: Affine
    pooled_activation: str
    to_bias: Floats
    norm: Affine
    activation: str
    moves: Conv
    to_pass: Floats
    pass_bias: Floats | None
    pass_activation: str
    pass_second: Floats | None


@dataclass(frozen=True)
class ValueHead:
    """Win, loss, no result; scores and their errors; ownership."""

    conv: Conv
    norm: Affine
    activation: str
    dense: Floats
    dense_bias: Floats
    dense_activation: str
    outcome: Floats
    outcome_bias: Floats
    scores: Floats
    scores_bias: Floats
    ownership: Conv


@dataclass(frozen=True)
class Multipliers:
    """What the score outputs are multiplied with."""

    score_mean: float = 20.0
    score_stdev: float = 20.0
    lead: float = 20.0
    value_error: float = 0.25
    score_error: float = 30.0


@dataclass(frozen=True)
class KatagoModel:
    """A whole network file."""

    name: str
    version: int
    multipliers: Multipliers
    trunk: Trunk
    policy: PolicyHead
    value: ValueHead
    parameters: int
