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
    analysis: bool = False
    overlay: Overlay = "none"
    network: str = ""
    """Network that analyses; empty for the best one for the board."""
