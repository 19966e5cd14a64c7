"""The one grammar of network names: `family.words.numbers+option+option`.

Words of the 2020 paper (`conv`, `avg`, `bin`, `val4`) stand between family and numbers or after a plus;
options stand after a plus. `se.8.192.48+pass+komi+ownership` has 8 blocks of 192 filters on a trunk of 48,
a pass output, a komi head and an ownership head.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import did_you_mean
from tesuji.networks.zoo.registry import Family, Heads, families, family, pattern_code, pattern_of

# The labels of the papers that the grammar would read otherwise or not at all.
ALIASES = {
    "a0.small": "a0.10.63",
    "a0.small.conv.bin": "a0.conv.avg.bin.13.64",
    "a0.small.conv.bin.val4": "a0.conv.avg.bin.val4.13.64",
    "mobile.small": "mobile.25.200.64",
    "mobile.small.conv.bin": "mobile.conv.avg.bin.33.200.64",
    "mobile.small.conv.bin.val4": "mobile.conv.avg.bin.val4.33.200.64",
    "sap(6,3,3)": "sap.6.3.3.128",
    "alpha(9,256)": "alpha.9.256",
    "α(9,256)": "alpha.9.256",
    # The 2021 paper's comparison below a million parameters.
    "alphazero": "alphazero.10.44",
    "polygames": "residual.13.64",
    "mobile": "mobile.conv.avg.bin.17.384.64",
    "mobile+se": "se.17.384.64",
}

# Other names of families, and the option each implies.
# The 2021 paper's two AlphaZero heads have "a little less than 300,000" parameters: with the 50 hidden neurons of its
# other value heads they come to 279,000, with AlphaGo Zero's 256 to 353,000.
SYNONYMS = {"polygames": ("residual", None), "alphazero": ("a0", "az=50"), "golois": ("residual", None)}

OPTIONS = {
    "conv": "convolutional policy",
    "dense": "dense policy, for one board size",
    "avg": "value from global average pooling",
    "az": "value head of AlphaZero, for one board size; az=50: neurons of its hidden layer",
    "sap": "value from spatial average pooling, for one board size; sap=3.3: blocks after each pooling",
    "pool": "convolutional policy that sees the whole board, and the margin at this komi where the value counts",
    "komi": "win probability for every komi, from a distribution of scores; komi=60 sets the largest score",
    "count": "the same over all scores of the board, centred where the ownership puts it; with ownership",
    "nine": "nine komi outputs of the 2018 paper, for 19x19",
    "pass": "the policy speaks of passing",
    "norelu": "no ReLU at the end of the convolutional policy",
    "next": "policies for the two moves after the next as well",
    "ownership": "who will own each point",
    "score": "the expected score",
    "bin": "binary cross entropy for the value",
    "mse": "squared error for the value",
    "val4": "value loss weight 4, or any other number",
    "swish": "x sigmoid(x) in place of every ReLU",
    "novalue": "no value head",
    "nopolicy": "no policy head",
}
# What an option that takes no number changes of the heads.
EFFECTS: dict[str, dict[str, Any]] = {
    "conv": {"policy": "conv"},
    "dense": {"policy": "dense", "relu": True},
    "pool": {"policy": "pool", "relu": False},
    "nopolicy": {"policy": "none", "has_pass": False, "next_moves": False},
    "avg": {"value": "avg", "hidden": 50},
    "novalue": {"value": "none", "nine": False},
    "nine": {"nine": True},
    "pass": {"has_pass": True},
    "norelu": {"relu": False},
    "next": {"next_moves": True},
    "ownership": {"ownership": True},
    "score": {"score": True},
    "bin": {"value_loss": "bce"},
    "mse": {"value_loss": "mse"},
    "swish": {"swish": True},
}
WITH_NUMBERS = {"az": (256,), "sap": (1, 1), "komi": (0,), "count": (0,)}  # and those they take where none is written
# A network has one of each group: its options may name one, and that replaces what family and words say.
ALTERNATIVES = (
    ("conv", "dense", "pool", "nopolicy"),
    ("avg", "az", "sap", "komi", "count", "novalue"),
    ("bin", "mse"),
    ("val",),
)
PARTS = ALTERNATIVES[0] + ALTERNATIVES[1]  # which heads there are; the other options speak of these
VARIANTS = ("conv", "se")  # words that may name another trunk: a0.conv, mix.se
OF_TRAINING = {"cosine": "--schedule cosine"}  # words of the papers that speak of the training, and how it is told
MOST_LETTERS = 60  # blocks in an order
LARGEST = 4096  # a number in a name beyond this is a slip of the finger


@dataclass(frozen=True)
class Spec:
    """A name, understood."""

    family: Family
    numbers: tuple[int, ...]
    heads: Heads

    @property
    def name(self) -> str:
        """The name in its usual form; equal specs have equal names."""
        words, options = _written(self.heads, self.family)
        return ".".join([*words, *self.written_numbers]) + "".join(f"+{option}" for option in options)

    @property
    def shape(self) -> tuple[int, int]:
        """Depth and width of the trunk."""
        return self.family.depth(self.numbers), self.numbers[-1]

    @property
    def written_numbers(self) -> list[str]:
        """The numbers as a name writes them: an order of blocks by its letters."""
        numbers = [str(number) for number in self.numbers]
        if self.family.letters:
            numbers[0] = pattern_of(self.numbers[0])
        return numbers


def parse(name: str) -> Spec:
    """Reads a network's name. Raises `ValueError` with the nearest valid name when it means nothing."""
    head, *options = _without_blanks(name).split("+")
    while options and f"{head}+{options[0]}" in ALIASES:
        head = f"{head}+{options.pop(0)}"
    head, *more = ALIASES.get(head, head).split("+")
    first, *tokens = head.split(".")
    first, implied = SYNONYMS.get(first, (first, None))
    own = [token for token in tokens if not token.isdecimal()] + more
    for written in (own, options):
        _refuse_contradictions(written, name)
    words = [*([implied] if implied else []), *own, *options]
    kind = next((found for word in VARIANTS if word in words and (found := family(f"{first}.{word}"))), family(first))
    if kind is None:
        raise InputError(f"{unknown(name)} (a family of your own needs --plugin FILE)")
    numbers = kind.complete(tuple(int(token) for token in tokens if token.isdecimal()))
    if kind.letters:
        pattern = next((word for word in words if set(word) <= set(kind.letters)), "")
        words = [word for word in words if word != pattern]
        numbers = (pattern_code(pattern[:MOST_LETTERS]), *numbers) if pattern else ()
    sizes = numbers[1:] if kind.letters else numbers
    if len(numbers) != len(kind.numbers) or not all(0 < n <= LARGEST for n in sizes):
        meaning = ".".join(part.upper() for part in (kind.name, *kind.numbers)).lower()
        raise InputError(f"{unknown(name)} (names of this family read {meaning})")
    heads = kind.heads
    if kind.name == "sap":
        heads = replace(heads, stages=numbers[1:-1])
    words = [word for word in words if word != "se"] if kind.name.endswith(".se") else words
    for word in sorted(words, key=lambda word: _key(word) not in PARTS):  # whatever order they were written in
        heads = _apply(heads, word, name)
    return Spec(kind, numbers, _checked(heads, name))


def _without_blanks(name: str) -> str:
    """Lower case; the papers write `SAP (6,3,3)` and `α (9,256)` with a blank before the bracket."""
    return re.sub(r"\s*([(),])\s*", r"\1", name.strip().lower())


def unknown(name: str) -> str:
    """What to say of a name that is no network."""
    known = [*ALIASES, *(example for kind in families() for example in kind.examples)]
    return f"no network '{name[:60]}'{did_you_mean(name.split('+')[0], known, '`tesuji networks` lists them')}"


def _key(word: str) -> str:
    return "val" if re.fullmatch(r"val[\d.]+", word) else word.partition("=")[0]


def _refuse_contradictions(words: list[str], name: str) -> None:
    for group in ALTERNATIVES:
        chosen = list(dict.fromkeys(word for word in words if _key(word) in group))
        if len(chosen) > 1:
            both = " and ".join(f"'{word[:40]}'" for word in chosen[:2])
            raise InputError(f"{both} contradict each other in network '{name[:60]}'; keep one of them")


def _apply(heads: Heads, word: str, name: str) -> Heads:
    key, _, value = word.partition("=")
    if value and key in OPTIONS and key not in WITH_NUMBERS:
        raise InputError(f"option '{key}' in network '{name[:60]}' takes no number; leave out '={value[:20]}'")
    if key in EFFECTS:
        return replace(heads, **EFFECTS[key])
    if weight := re.fullmatch(r"val(\d+(?:\.\d+)?)", word):
        return replace(heads, value_weight=float(weight[1]))
    if key in OF_TRAINING:
        raise InputError(
            f"'{key}' in network '{name[:60]}' speaks of its training; leave it out and train with {OF_TRAINING[key]}"
        )
    if key not in WITH_NUMBERS:
        raise InputError(f"no option '{word[:40]}' in network '{name[:60]}'{did_you_mean(key, OPTIONS)}")
    numbers = _numbers(value, name) if value else WITH_NUMBERS[key]
    if key == "sap":
        return replace(heads, value="sap", stages=numbers, hidden=50)
    if len(numbers) > 1:
        what = "hidden neurons in network '{}' are" if key == "az" else "largest score in network '{}' is"
        example = "az=50" if key == "az" else "komi=60"
        raise InputError(f"the {what.format(name[:60])} one whole number, as in {example}")
    if key == "az":
        return replace(heads, value="az", hidden=numbers[0])
    heads = replace(heads, value="komi", komi_limit=numbers[0], nine=False)
    return replace(heads, value="count", ownership=True) if key == "count" else heads


def _numbers(text: str, name: str) -> tuple[int, ...]:
    parts = text.split(".")
    if not all(part.isdecimal() and 0 < int(part) <= LARGEST for part in parts):
        raise InputError(f"'{text[:40]}' in network '{name[:60]}' should be whole numbers, as in komi=60 or sap=3.3")
    return tuple(map(int, parts))


def _checked(heads: Heads, name: str) -> Heads:
    if heads.policy == "none" and heads.value == "none":
        raise InputError(f"network '{name}' has neither a policy nor a value")
    if heads.policy == "none" and (heads.has_pass or heads.next_moves):
        raise InputError(f"network '{name}' has no policy that could speak of passes or next moves")
    if not heads.relu and heads.policy not in {"conv", "pool"}:
        raise InputError(f"norelu speaks of a convolutional policy, which '{name}' has not")
    if heads.nine and heads.value not in {"avg", "az", "sap"}:
        raise InputError(f"nine komi outputs need a value head avg, az or sap: '{name}'")
    if heads.score and heads.has_scores:
        raise InputError(f"the {heads.value} head of '{name}' gives the score already; leave out +score")
    return heads


def _written(heads: Heads, kind: Family) -> tuple[list[str], list[str]]:
    """The words of the 2020 paper and the options that tell these heads from the family's own."""
    own = kind.heads
    words = kind.name.split(".")
    if own.policy == "dense" and heads.policy == "conv":
        words.append("conv")
    if "conv" in words and heads.value == "avg":
        words.append("avg")
    if own.value_loss == "mse" and heads.value_loss == "bce":
        words.append("bin")
    if heads.value_weight != 1:
        words.append(f"val{heads.value_weight:g}")
    stages = "" if heads.stages == (1, 1) else "=" + ".".join(map(str, heads.stages))
    limit = f"={heads.komi_limit}" if heads.komi_limit else ""
    hidden = "" if heads.hidden == 256 else f"={heads.hidden}"
    numbers = {"az": hidden, "sap": stages, "komi": limit, "count": limit}.get(heads.value, "")
    value = "novalue" if heads.value == "none" else heads.value + numbers
    other_value = heads.value != own.value or (heads.value == "az" and heads.hidden != own.hidden)
    written = {
        "dense": heads.policy == "dense" != own.policy,
        "conv": heads.policy == "conv" and own.policy in {"none", "pool"},
        "pool": heads.policy == "pool" != own.policy,
        "nopolicy": heads.policy == "none" != own.policy,
        "pass": heads.has_pass and not own.has_pass,
        "norelu": heads.policy == "conv" and not heads.relu and (own.relu or own.policy != "pool"),
        "next": heads.next_moves,
        value: other_value or bool(heads.komi_limit),
        "nine": heads.nine and not own.nine,
        "ownership": heads.ownership and not own.ownership and heads.value != "count",
        "score": heads.score,
        "mse": heads.value_loss == "mse" != own.value_loss,
        "swish": heads.swish and not own.swish,
    }
    return words, [option for option, present in written.items() if present]
