"""How a visitor likes the page."""

from dataclasses import dataclass
from typing import Literal

Overlay = Literal["none", "territory", "policy"]


@dataclass
class Look:
    """How the visitor likes the page."""

    coordinates: bool = True
    numbers: bool = False
    sound: bool = False
    theme: Literal["auto", "light", "dark"] = "auto"
    board: Literal["wood", "plain", "night"] = "wood"
    stones: Literal["shaded", "flat"] = "shaded"
    language: str = ""
    """Code of a language; empty for that of the browser."""
    strength: str = ""
    """How strong the visitor said to be: a key of `proposal.PROPOSALS`."""
    streak: int = 0
    """Games won in a row against the engine; lost ones are negative."""
    teaching: bool = False
    """Whether a move that loses much is told at once."""
    teach_points: float = 5.0
    """From so many points on."""
    analysis: bool = False
    overlay: Overlay = "none"
    network: str = ""
    """Network that analyses; empty for the best one for the board."""
