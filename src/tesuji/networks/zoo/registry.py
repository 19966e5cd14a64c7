"""The families of networks: what the numbers of a name mean and which heads it carries. No torch here.

A family's trunk is built by a function that takes the number of input planes and the numbers of the name, and
returns a torch module from `[B, C, N, N]` to `[B, width, N, N]`; heads are added by the name's options.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tesuji.base.errors import InputError
from tesuji.networks.zoo import plugins

if TYPE_CHECKING:
    from torch import nn

Complete = Callable[[tuple[int, ...]], tuple[int, ...]]
Build = TypeVar("Build", bound=Callable[..., Any])
BLOCKS = ("blocks", "mixers", "transformers")
"""Words for numbers of a name that count blocks."""


@dataclass(frozen=True)
class Heads:
    """The parts a network ends in, and how its papers train them."""

    policy: Literal["conv", "dense", "pool", "none"] = "conv"
    value: Literal["avg", "az", "sap", "komi", "count", "none"] = "avg"
    relu: bool = True
    """Whether the convolutional policy ends in the ReLU of the 2020 paper's appendix."""
    has_pass: bool = False
    next_moves: bool = False
    """Golois's three output planes: policies for the two moves after the next as well."""
    komi_limit: int = 0
    """Heads of scores speak of scores from minus this to plus this; 0 lets the board size decide."""
    nine: bool = False
    """Nine outputs on 19x19 (2018): number k says that Black's area is at most 180 + k, so White wins at komi 2k - 1 to
    2k + 0.5; komi 0.5 reads the first, 7.5 the fifth."""
    stages: tuple[int, ...] = (1, 1)
    """Residual blocks after each spatial average pooling of a `sap` value head."""
    hidden: int = 50
    """Neurons of the value head's hidden layer."""
    ownership: bool = False
    score: bool = False
    value_loss: Literal["bce", "mse"] = "bce"
    value_weight: float = 1.0
    swish: bool = False
    """x sigmoid(x) in place of every ReLU, in the trunk as well."""

    @property
    def has_scores(self) -> bool:
        """Whether the value is read off a distribution of scores, at any komi."""
        return self.value in {"komi", "count"}


@dataclass(frozen=True)
class Family:
    """One kind of trunk, and what a bare name of it means."""

    name: str
    numbers: tuple[str, ...]
    """What the numbers of a name count; the last one is the width of the trunk."""
    build: str | Callable[..., "nn.Module"]
    """The trunk's builder, or `module:function` so that reading names imports no torch."""
    summary: str
    paper: str
    examples: tuple[str, ...] = ()
    heads: Heads = Heads()
    planes: str = "golois-21"
    size: int = 19
    value_of: Literal["white", "to_play"] = "white"
    """Whose win the value speaks of; always the player to move under a komi head."""
    letters: str = ""
    """Letters of blocks, where names tell their order (`rt.rrtrrt.64`); its code is the first number."""
    complete: Complete = lambda numbers: numbers
    """Turns the numbers as written into the numbers of `numbers`."""
    builtin: bool = True
    """Whether it is Tesuji's; else it was registered."""

    def trunk(self, inputs: int, numbers: Sequence[int]) -> "nn.Module":
        """Builds the trunk on this many input planes."""
        build = self.build
        if isinstance(build, str):
            module, function = build.split(":")
            build = getattr(importlib.import_module(module), function)
        trunk: nn.Module = build(inputs, *numbers)
        return trunk

    def depth(self, numbers: Sequence[int]) -> int:
        """Blocks of a trunk of these numbers, of whatever kind; the first number where the family counts none."""
        if self.letters:
            return len(pattern_of(numbers[0]))
        return sum(n for what, n in zip(self.numbers, numbers, strict=True) if what in BLOCKS) or numbers[0]


def _mobile_numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if len(numbers) == 1:  # the 2020 paper's mobile.conv.bin.n
        return (numbers[0], 512, 128)
    if len(numbers) == 3:  # its Table II writes filters and trunk in either order
        return (numbers[0], max(numbers[1:]), min(numbers[1:]))
    return numbers


def _se_numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if len(numbers) == 2:  # the 2021 paper's se.depth.width
        return (numbers[0], 6 * numbers[1], numbers[1])
    return _mobile_numbers(numbers) if len(numbers) == 3 else numbers


def _or_default(*default: int) -> Complete:
    """Missing numbers at the end take these values."""
    return lambda numbers: numbers + default[len(numbers) :]


def pattern_code(pattern: str) -> int:
    """An order of `r` and `t` as one number: a bit for each block behind a leading one."""
    return int("1" + pattern.replace("r", "0").replace("t", "1"), 2)


def pattern_of(code: int) -> str:
    """The order of blocks behind a code."""
    return bin(code)[3:].replace("0", "r").replace("1", "t")


MOBILE = "Cazenave, Mobile Networks for Computer Go (2020)"
IMPROVING = "Cazenave, Improving Model and Search for Computer Go (2021)"
POOLING = "Cazenave, Spatial Average Pooling for Computer Go (2018)"
ZERO = "Silver et al., Mastering the game of Go without human knowledge (2017)"
TORONTO = "Learning to Play Go (2021)"
MIXNET = "Cazenave, Sentuc, Videau, Cosine Annealing, Mixnet and Swish Activation for Computer Go (2021)"
VISION = "Sagri, Cazenave, Arjonilla, Saffidine, Vision Transformers for Computer Go (2024)"
RESTNET = "Ju, Wu, Shih, Wu, Bridging Local and Global Knowledge via Transformer in Board Games (2025)"
KATAGO = "Wu, Accelerating Self-Play Learning in Go (2019)"

_DENSE = Heads(policy="dense", value_loss="mse")
_ZERO = Heads(policy="dense", value="az", has_pass=True, hidden=256, value_loss="mse")
_NINE = Heads(policy="none", value="sap", nine=True)

_FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family(
            "se",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:se",
            "MobileNetV2 blocks with squeeze and excitation",
            IMPROVING,
            ("se.8.128.32", "se.8.192.48", "se.16.384.64", "se.32.768.128"),
            complete=_se_numbers,
        ),
        Family(
            "mobile",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:mobile",
            "MobileNetV2 blocks",
            MOBILE,
            ("mobile.25.200.64", "mobile.conv.avg.bin.33.200.64", "mobile.conv.avg.bin.40.512.128"),
            _DENSE,
            complete=_mobile_numbers,
        ),
        Family(
            "mix",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:mix",
            "MobileNetV2 blocks, depthwise half 3x3, half 5x5",
            MIXNET,
            (
                "mix.16.384.64",
                "mix.16.384.64+swish",
            ),
            complete=_se_numbers,
        ),
        Family(
            "mix.se",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:mix_se",
            "the same with squeeze and excitation",
            MIXNET,
            ("mix.se.8.128.32", "mix.se.16.384.64"),
            complete=_se_numbers,
        ),
        Family(
            "mobile5",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:mobile5",
            "MobileNetV2 blocks, depthwise 5x5",
            MIXNET,
            ("mobile5.16.384.64",),
            complete=_se_numbers,
        ),
        Family(
            "mobile5.se",
            ("blocks", "filters", "trunk"),
            "tesuji.networks.zoo.mobile:mobile5_se",
            "the same with squeeze and excitation",
            MIXNET,
            ("mobile5.se.16.384.64",),
            complete=_se_numbers,
        ),
        Family(
            "a0",
            ("blocks", "filters"),
            "tesuji.networks.zoo.residual:a0",
            "residual blocks of AlphaZero, dense policy",
            MOBILE,
            ("a0.10.63", "a0.20.256"),
            _DENSE,
            complete=_or_default(10, 256),
        ),
        Family(
            "a0.conv",
            ("blocks", "filters"),
            "tesuji.networks.zoo.residual:golois",
            "residual blocks of Golois, convolutional policy",
            MOBILE,
            ("a0.conv.avg.bin.13.64",),
            replace(_DENSE, policy="conv"),
            complete=_or_default(10, 256),
        ),
        Family(
            "residual",
            ("blocks", "filters"),
            "tesuji.networks.zoo.residual:polygames",
            "residual blocks of Golois with Polygames heads",
            IMPROVING,
            ("residual.13.64", "residual.20.256"),
            complete=_or_default(20, 256),
        ),
        Family(
            "gpool",
            ("blocks", "filters"),
            "tesuji.networks.zoo.residual:gpool",
            "residual blocks of Golois, every third with global pooling; heads that count",
            KATAGO,
            ("gpool.6.64", "gpool.10.96"),
            Heads(policy="pool", value="count", relu=False, has_pass=True, ownership=True),
            value_of="to_play",
            complete=_or_default(6, 64),
        ),
        Family(
            "eformer",
            ("mixers", "transformers", "trunk"),
            "tesuji.networks.zoo.attention:eformer",
            "EfficientFormer's blocks: pooling mixers, then transformers",
            VISION,
            ("eformer.12.2.64",),
        ),
        Family(
            "rt",
            ("order", "filters"),
            "tesuji.networks.zoo.attention:hybrid",
            "residual blocks (r) and transformers (t) in the order written",
            RESTNET,
            ("rt.rrtrrt.64",),
            letters="rt",
        ),
        Family(
            "agz",
            ("blocks", "filters"),
            "tesuji.networks.zoo.alphago_zero:agz",
            "AlphaGo Zero: 3x3 stem, policy with pass, tanh value",
            ZERO,
            ("agz.19.256", "agz.39.256"),
            _ZERO,
            planes="agz-17",
            value_of="to_play",
            complete=_or_default(19, 256),
        ),
        Family(
            "toronto",
            ("blocks", "filters"),
            "tesuji.networks.zoo.alphago_zero:toronto",
            "two residual blocks for 9x9, added without a last ReLU",
            TORONTO,
            ("toronto.2.256",),
            _ZERO,
            planes="toronto-18",
            size=9,
            value_of="to_play",
            complete=_or_default(2, 256),
        ),
        Family(
            "alpha",
            ("blocks", "filters"),
            "tesuji.networks.zoo.residual:polygames",
            "Golois's residual value network, nine komi outputs",
            POOLING,
            ("alpha.9.256",),
            replace(_NINE, stages=(), hidden=256),
            planes="alphago-47",
            complete=_or_default(9, 256),
        ),
        Family(
            "sap",
            ("blocks", "blocks", "blocks", "filters"),
            "tesuji.networks.zoo.residual:before_pooling",
            "value network with spatial average pooling, nine komi outputs",
            POOLING,
            ("sap.6.3.3.128",),
            _NINE,
            planes="alphago-47",
            complete=_or_default(6, 3, 3, 128),
        ),
    )
}


def families() -> list[Family]:
    """Every family, those of installed packages too, in the order of the list `tesuji networks` prints."""
    plugins.load_installed()
    return list(_FAMILIES.values())


def family(name: str) -> Family | None:
    """The family of this name, if there is one, here or in an installed package."""
    if name not in _FAMILIES:
        plugins.load_installed()
    return _FAMILIES.get(name)


def register(
    name: str,
    numbers: Sequence[str],
    *,
    summary: str = "",
    example: str = "",
    planes: str = "golois-21",
    size: int = 19,
) -> Callable[[Build], Build]:
    """Adds a family: decorates the function that builds its trunk.

    The function takes the number of input planes and one number for each of `numbers`, and returns a module
    whose output has as many channels as the last number says. Names then read `name.1.2.3`, with the same
    options as any other network. Raises `ValueError` when the name is taken or would not parse.
    """
    if not name.isidentifier() or name != name.lower():
        raise InputError(f"'{name}' cannot name networks: use lower-case letters, digits and underscores")
    if name in _FAMILIES:
        raise InputError(f"a family of networks named '{name}' exists already")
    if not numbers:
        raise InputError(f"'{name}' needs at least one number in its names: the width of its trunk")

    def add(build: Build) -> Build:
        text = summary or (build.__doc__ or "").strip().split("\n")[0]
        examples = (example,) if example else ()
        _FAMILIES[name] = Family(
            name, tuple(numbers), build, text, "your own", examples, planes=planes, size=size, builtin=False
        )
        return build

    return add


def forget(name: str) -> None:
    """Takes a registered family away again."""
    _FAMILIES.pop(name, None)
