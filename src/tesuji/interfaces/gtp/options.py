"""What the engine is started with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GtpOptions:
    """The command line of `tesuji gtp`, and nothing that a client changes later."""

    net: str | None = None
    """A model by name or file; None chooses by board size."""
    visits: int | None = None
    """Most descents for one move."""
    seconds: float | None = None
    """Most seconds for one move; without it, visits or a clock decide, and where there is neither, one second."""
    threads: int = 2
    size: int = 9
    rules: str = "chinese"
    komi: float = 7.0
    policy_only: bool = False
    """Plays the network's first choice without search."""
    resign: float = 0.03
    """Resigns when the win rate stays below; 0 never resigns."""
    move_choice: str | None = None
    ponder: bool = False
    name: str = "Tesuji"
    version: str | None = None
    """What `version` answers, for clients that look at it; None is the package's own."""
    log: str | None = None
    lag: float = 0.2
    """Seconds kept back on every clock for the way to the server."""
    seed: int | None = None
