"""What the engine is started with."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tesuji.networks.devices import usual_batch
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.options import SearchOptions

# Leaves a CPU evaluates at once: nearly the speed of 16, and a stop is obeyed in half the time.
BATCH = 8


def usual_search(devices: Sequence[str] = ("cpu",)) -> SearchOptions:
    """The search on these devices where nothing else is asked: no limit of its own, for GTP has clocks."""
    return SearchOptions(visits=None, batch=usual_batch(BATCH, devices), threads=2)


@dataclass(frozen=True)
class GtpOptions:
    """The command line of `tesuji gtp`, and nothing that a client changes later."""

    net: str = ""
    """A model by name or file; empty chooses by board size."""
    value_net: str = ""
    """Another one whose value joins the policy of `net`."""
    devices: tuple[str, ...] = ("cpu",)
    """Where networks run, an evaluator on each."""
    search: SearchOptions = field(default_factory=usual_search)
    """How to search. Its visits and seconds, where given, are those of one move at the start."""
    size: int = 9
    rules: str = "chinese"
    komi: float | None = None
    """Until the client sets it; None for the usual one of board and rules."""
    policy_only: bool = False
    """Plays the network's first choice without search."""
    resign: float = ResignOptions.threshold
    """Resigns when the win rate stays below; 0 never resigns."""
    ponder: bool = False
    name: str = "Tesuji"
    version: str | None = None
    """What `version` answers, for clients that look at it; None is the package's own."""
    log: str | None = None
    lag: float = 0.2
    """Seconds kept back on every clock for the way to the server."""
