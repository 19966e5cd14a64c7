"""Everything a search may vary, in one frozen dataclass with a line under each field; read from TOML as it stands."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

from tesuji import _core
from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help
from tesuji.base.settings import check_names
from tesuji.features.planes import plane_set


@with_field_help
@dataclass(frozen=True)
class SearchOptions:
    """How to search. The bandit is `Q + c * P * N**tau / (1 + n)` with Q in [0, 1] for the player to move."""

    visits: int | None = 400
    """Visits of the root that end the search, those kept from earlier moves included; None for no such limit."""
    seconds: float | None = None
    """Time that ends the search; with `visits` too, whichever comes first."""
    clock: str = "wall"
    """What `seconds` are counted by: "wall", or "processor": the time of the searching thread on a core, which other
    work on the machine does not shorten; with several threads that of the whole process."""
    c: float = 0.8
    """Weight of the prior. The papers use 0.1 to 0.3 for 16 to 512 descents, 0.5 on 9x9; with `tau` 0.737, 0.057."""
    tau: float = 0.5
    """Growth of the prior's weight with the visits: 0.5 is PUCT, other values Generalized PUCT (paper: 0.737)."""
    c_log: float = 0.0
    """Added to `c` times ln((N + c_base) / c_base): exploration that grows with the visits of the node."""
    c_base: float = 500.0
    """Visits at which that growth begins to matter."""
    c_spread: float = 0.0
    """How far `c` follows the spread of the values at a node: 0 not at all, 1 in proportion."""
    first_play: str = "parent"
    """Value of an untried move: "parent" (its mean so far; "mu" in the papers), "network" (of the parent), "siblings"
    (their mean), "best" (of the siblings' means) or "fixed"."""
    first_play_reduction: float = 0.15
    """Taken off the first-play value unless it is fixed, times the square root of the prior mass already tried."""
    first_play_value: float = 0.5
    """The first-play value where `first_play` is "fixed"."""
    batch: int = 16
    """Leaves evaluated at once; fewer when fewer differ. 1 is the sequential search of the papers."""
    batch_growth: int = 8
    """Visits of the root for each leaf of a batch: small batches while the tree is small; 0 for full ones always."""
    threads: int = 1
    """Threads that share the tree; with several evaluators as many at least, each with its own. 1 repeats exactly."""
    penalty: str = "mean"
    """What a descent under way counts as, to send the others elsewhere: "loss", or its move's "mean" so far."""
    penalty_weight: float = 1.0
    """How many descents one under way counts as."""
    last_iteration: int = 0
    """Positions not judged any more in which the descents end that decide the move after the last batch."""
    last_weight: float = 0.0
    """How many visits one of these descents counts as; 0 for as many as `penalty_weight`."""
    second_move: bool = False
    """Whether visits that can no longer change the first move go to the second; the higher mean plays."""
    correction: float = 0.0
    """Share of the network's expected error taken off its values: what they were off by after the same local shape."""
    score_weight: float = 0.0
    """Weight of the expected score in the worth of a move, by an S-curve around an even game."""
    score_weight_near: float = 0.0
    """The same by a steeper S-curve around the score of the root."""
    handicap_score: float = 0.3
    """The least `score_weight_near` in a game with handicap stones, and three times the least `score_weight`."""
    symmetry: str = "random"
    """Views of each leaf given to the network: "none" but its own, one "random", or the mean of "all" eight."""
    root_symmetries: bool = False
    """Whether the root is judged in all eight views, whatever `symmetry` says of the leaves."""
    root_temperature: float = 1.0
    """Of the root's priors: above 1 evens them out."""
    transpositions: str = "history"
    """What shares a node: positions alike to the network ("history"), equal boards ("position"), nothing ("none")."""
    prove: bool = True
    """Whether a win or loss proven by the rules is final."""
    early_stop: bool = False
    """Whether to stop once the most visited move cannot be overtaken."""
    reuse: bool = True
    """Whether to keep what the last search knows of the position reached since."""
    cache: int = 0
    """Evaluations remembered beyond the tree, shared by all trees of one search."""
    choice: str = "lcb"
    """How the move is chosen; see `tesuji.search.choice.CHOICES`."""
    temperature: float = 1.0
    """Spread of the choices "temperature" and "soft-prior": visits or priors to the power of its inverse."""
    temperature_moves: int = 30
    """Moves of the game after which "temperature" plays the most visited move."""
    noise: float = 0.0
    """Weight of Dirichlet noise in the root's priors; self-play uses 0.25."""
    noise_alpha: float = 0.0
    """Its parameter; 0 takes 10.83 / legal moves, which is 0.03 on the empty 19x19 board."""
    gumbel_moves: int = 0
    """Moves that enter sequential halving at the root, with Gumbel noise; 0 for the bandit at the root too."""
    gumbel_scale: float = 0.1
    """How much values, stretched from the worst (0) to the best (1), count against priors in sequential halving."""
    gumbel_noise: float = 1.0
    """Weight of the Gumbel noise: 1 for self-play, 0 to play as well as possible."""
    pass_prior: float = 0.01
    """Prior of passing while there is something to play, where the network has none."""
    pass_back_prior: float = 0.3
    """The same after the opponent's pass."""
    memory_mb: int = 2048
    """Memory of the tree; when it is full the search ends with what it knows."""
    seed: int = 1
    """Of symmetries, noise and random choices."""

    def __post_init__(self) -> None:
        for problem in _wrong_kinds(self) or _problems(self):
            raise InputError(problem)


PAPERS_SEARCH: Mapping[str, Any] = {
    "c": 0.5, "first_play_reduction": 0.0, "symmetry": "none", "choice": "visits", "batch": 1, "batch_growth": 0,
}  # fmt: skip
"""The plain PUCT of the papers, one leaf at a time: our own defaults may be better, and change."""
BARE: Mapping[str, Any] = {"visits": 1, "batch": 1, "reuse": False, "symmetry": "none"}
"""No search: the network's own word on the position as it stands."""


def changed(options: SearchOptions | None, changes: Mapping[str, Any]) -> SearchOptions:
    """The options, or the usual ones, with these changes. `ValueError` names what is near an unknown name."""
    check_names(changes, [field.name for field in fields(SearchOptions)], "search option")
    return replace(options or SearchOptions(), **changes)


_KINDS: dict[type, tuple[type, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "text"),
}


def _wrong_kinds(options: SearchOptions) -> list[str]:
    """Values of another kind than the field's, which no comparison could judge."""
    problems = []
    for field in fields(options):
        value = getattr(options, field.name)
        if value is None and field.name in ("visits", "seconds"):
            continue
        kind, wanted = _KINDS[float if field.name == "seconds" else type(field.default)]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            problems.append(f"search option {field.name} is {value!r}; it must be {wanted}")
    return problems


def _problems(options: SearchOptions) -> list[str]:
    problems = []

    def need(truth: bool, name: str, rule: str) -> None:
        if not truth:
            problems.append(f"search option {name} is {getattr(options, name)!r}; it must be {rule}")

    need(options.visits is None or 1 <= options.visits < 2**32 - 1, "visits", "at least 1, or None for no limit")
    need(options.seconds is None or 0 <= options.seconds < math.inf, "seconds", "a time, or None for no limit")
    for name in (
        "c",
        "tau",
        "c_log",
        "penalty_weight",
        "last_weight",
        "correction",
        "score_weight",
        "score_weight_near",
        "handicap_score",
        "temperature",
        "gumbel_scale",
        "gumbel_noise",
    ):
        need(0 <= getattr(options, name) < math.inf, name, "a number from 0 on")
    for name in ("pass_prior", "pass_back_prior", "noise", "first_play_value"):
        need(0 <= getattr(options, name) <= 1, name, "between 0 and 1")
    need(math.isfinite(options.first_play_reduction), "first_play_reduction", "a number")
    need(0 <= options.noise_alpha < math.inf, "noise_alpha", "a number from 0 on")
    for name in ("batch", "threads"):
        need(1 <= getattr(options, name) <= 4096, name, "between 1 and 4096")
    need(options.batch * options.threads <= 16384, "batch", "at most 16384 over all threads together")
    need(options.memory_mb >= 1, "memory_mb", "at least 1")
    need(0 <= options.seed < 2**64, "seed", "a number from 0 to 2**64 - 1")
    for name in ("gumbel_moves", "temperature_moves", "cache", "batch_growth"):
        need(getattr(options, name) >= 0, name, "0 or more")
    for name, words in WORDS.items():
        need(getattr(options, name) in words, name, "one of " + ", ".join(words))
    return problems


WORDS: dict[str, tuple[str, ...]] = {
    "clock": ("wall", "processor"),
    "first_play": ("parent", "mu", "network", "siblings", "best", "fixed"),
    "penalty": ("loss", "mean"),
    "symmetry": ("none", "random", "all"),
    "transpositions": ("history", "position", "none"),
}


# Every option is told to the tree as it is, translated by `tree_options`, or heeded outside the tree; a test counts.
AS_THEY_ARE = (
    "c",
    "tau",
    "first_play_reduction",
    "first_play_value",
    "penalty_weight",
    "batch_growth",
    "correction",
    "c_log",
    "c_base",
    "c_spread",
    "score_weight",
    "score_weight_near",
    "handicap_score",
    "root_symmetries",
    "root_temperature",
    "second_move",
    "prove",
    "early_stop",
    "noise",
    "noise_alpha",
    "gumbel_moves",
    "gumbel_scale",
    "gumbel_noise",
    "pass_prior",
    "pass_back_prior",
    "seed",
)
TRANSLATED = ("first_play", "penalty", "symmetry", "transpositions", "memory_mb")
OUTSIDE = (
    "visits",
    "seconds",
    "clock",
    "batch",
    "threads",
    "last_iteration",
    "last_weight",
    "reuse",
    "cache",
    "choice",
    "temperature",
    "temperature_moves",
)


def tree_options(options: SearchOptions, planes: str, has_pass: bool) -> _core.TreeOptions:
    """The same for the compiled tree, for a network that reads these planes."""
    core = _core.TreeOptions()
    for name in AS_THEY_ARE:
        setattr(core, name, getattr(options, name))
    core.first_play = _core.FirstPlay["PARENT" if options.first_play == "mu" else options.first_play.upper()]
    core.penalty = _core.Penalty[options.penalty.upper()]
    core.symmetries = _core.Symmetries[options.symmetry.upper()]
    core.history = {"none": 0, "position": 1, "history": plane_set(planes).history}[options.transpositions]
    core.has_pass = has_pass
    core.memory = options.memory_mb << 20
    return core
