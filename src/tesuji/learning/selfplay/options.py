"""How self-play games are played: one frozen dataclass with a line under each field."""

import math
import random
from dataclasses import dataclass, field, replace

from tesuji._core import Rules
from tesuji.base.errors import InputError
from tesuji.base.field_help import with_field_help
from tesuji.go.rules import usual_komi
from tesuji.search.choice import choice_named
from tesuji.search.options import SearchOptions

SEARCH = SearchOptions(
    visits=200, c=0.5, first_play_reduction=0.1, batch=1, symmetry="random", reuse=False, cache=100_000, noise=0.25,
    gumbel_moves=16, memory_mb=256,
)  # fmt: skip
"""The search of self-play unless told otherwise. Each game's tree gives one leaf to a batch, and starts afresh at every
move, so that a target has exactly the visits it says; what it knew is found again in the worker's cache."""

# Options of a search that self-play decides by settings of its own, and which.
_OWN = {
    "seconds": "search.visits",
    "threads": "the number of worker processes",
    "choice": "temperature",
    "temperature": "temperature",
    "temperature_moves": "temperature_halflife",
    "seed": "seed",
}


@with_field_help
@dataclass(frozen=True)
class SelfplayOptions:
    """One kind of self-play. The same options and the same network make the same kind of games everywhere."""

    size: int = 9
    """Lines of the board."""
    komi: str = ""
    """Points given to White, or a range `5.5:9.5` from which every game draws in whole steps; empty: the usual komi."""
    rules: str = "chinese"
    """Rule set; area scoring, so that a game played to the end counts itself."""
    search: SearchOptions = field(default_factory=lambda: SEARCH)
    """A full search, whose findings become targets. Noise belongs to full searches alone."""
    fast_visits: int = 40
    """Visits of a fast search, which only moves the game on."""
    full_share: float = 0.25
    """Share of moves searched in full (playout-cap randomisation); 1 searches all of them so."""
    policy: str = ""
    """Plays the network's policy without search, its moves chosen in this way (near-best-prior-2018, policy-2021, ...);
    such games have no targets and nobody resigns. Empty: searches."""
    root: str = "dirichlet"
    """Exploration at the root: `dirichlet` noise on the priors, or `gumbel` sequential halving."""
    temperature: float = 1.0
    """Spread of the move choice at the beginning of a game: visits to the power of its inverse."""
    temperature_end: float = 0.2
    """Spread late in the game."""
    temperature_halflife: float = 0.0
    """Moves in which the spread gets half way to its end; 0 takes the board's lines."""
    sensible: bool = True
    """Whether nobody fills an own eye for nothing or plays where the outcome is proven; targets are as searched."""
    resign: float = 0.05
    """Win probability below which a side gives up; 0 never."""
    resign_moves: int = 3
    """Own moves in a row below it."""
    played_out: float = 0.1
    """Share of games that nobody may resign, to measure how often resigning would have been wrong."""
    starts: str = "empty"
    """Where games begin: `empty`, `random[:MOVES]` (up to so many moves drawn from the policy), or a packed file of
    games `[:MOVES]` (positions of them, up to so many moves in; anywhere when left out)."""
    start_share: float = 1.0
    """Share of games that begin there; the others begin on the empty board."""
    move_limit: int = 0
    """Moves after which a game is cut off: the winner is who is ahead on the board, the score stays unknown; 0 for
    three times the board's points."""
    concurrent: int = 64
    """Games side by side in each worker, whose trees share batches."""
    seed: int = 1
    """Of every random choice."""

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise InputError(problem)

    @property
    def stated_komi(self) -> str:
        """The komi or its range, the usual one where none is given."""
        return self.komi or f"{usual_komi(self.size, self.rules):g}"

    @property
    def longest(self) -> int:
        """Moves after which a game is cut off."""
        return self.move_limit or 3 * self.size * self.size

    def komi_of(self, chance: random.Random) -> float:
        """The komi of one game."""
        low, high = komi_range(self.stated_komi)
        return low + chance.randint(0, round(high - low))

    def temperature_at(self, move: int) -> float:
        """Spread of the choice after so many moves."""
        halflife = self.temperature_halflife or self.size
        return float(self.temperature_end + (self.temperature - self.temperature_end) * 0.5 ** (move / halflife))

    def search_of(self, *, full: bool) -> SearchOptions:
        """The search of a full or of a fast move."""
        gumbel = self.root == "gumbel"
        return replace(
            self.search,
            visits=self.search.visits if full else self.fast_visits,
            noise=self.search.noise if full and not gumbel else 0.0,
            gumbel_moves=self.search.gumbel_moves if gumbel else 0,
        )


def komi_range(text: str) -> tuple[float, float]:
    """`7` or `5.5:9.5` as two numbers."""
    low, _, high = text.partition(":")
    try:
        ends = float(low), float(high or low)
    except ValueError:
        raise InputError(f"komi is '{text}'; it is a number, or a range such as 5.5:9.5") from None
    if not (all(math.isfinite(end) and abs(end) <= 1000 for end in ends) and ends[0] <= ends[1]):
        raise InputError(f"komi is '{text}'; the lower end of a range comes first")
    if any((2 * end) % 1 for end in ends) or (ends[1] - ends[0]) % 1:
        raise InputError(f"komi is '{text}'; whole or half points, both ends alike")
    return ends


def _problems(options: SelfplayOptions) -> list[str]:
    problems = []

    def need(truth: bool, name: str, rule: str) -> None:
        if not truth:
            problems.append(f"self-play setting {name} is {getattr(options, name)!r}; it must be {rule}")

    need(2 <= options.size <= 25, "size", "from 2 to 25")
    for name in ("fast_visits", "resign_moves", "concurrent"):
        need(getattr(options, name) >= 1, name, "at least 1")
    for name in ("full_share", "resign", "played_out", "start_share"):
        need(0 <= getattr(options, name) <= 1, name, "between 0 and 1")
    for name in ("temperature", "temperature_end", "temperature_halflife", "move_limit", "seed"):
        need(0 <= getattr(options, name) < math.inf, name, "0 or more")
    need(options.full_share > 0, "full_share", "above 0: only full searches become targets")
    need(options.root in ("dirichlet", "gumbel"), "root", "dirichlet or gumbel")
    if options.root == "gumbel" and not options.search.gumbel_moves:
        problems.append("self-play setting search.gumbel_moves is 0; root=gumbel needs it above 0")
    if options.search.visits is None:
        problems.append("self-play setting search.visits is None; it must be at least 1")
    for name, instead in _OWN.items():
        if getattr(options.search, name) != getattr(SEARCH, name):
            problems.append(f"self-play setting search.{name} has no effect; {instead} decides it")
    need(Rules.named(options.rules).scoring == "area", "rules", "rules that count area")
    komi_range(options.stated_komi)
    if options.policy:
        choice_named(options.policy)
    return problems
