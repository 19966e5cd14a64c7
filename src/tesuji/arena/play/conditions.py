"""What all games of a tournament have in common."""

import math
from dataclasses import asdict, dataclass
from typing import Any, cast

from tesuji._core import Rules
from tesuji.base.errors import InputError
from tesuji.go.rules import usual_komi


@dataclass(frozen=True)
class Conditions:
    """Board, rules and how games end. Part of the results file: other conditions are another tournament."""

    size: int = 9
    komi: float = cast("float", None)
    """The usual one of the rules and the board where nobody gives it."""
    rules: str = "chinese"
    """Area rules without suicide, which every engine knows; see docs/arena.md before choosing others."""
    seed: int = 1
    """Of openings and of every random choice in the games."""
    move_limit: int = 0
    """Moves after which the board is counted as it stands; 0 for three times the points of the board."""
    adjudicate: str = ""
    """Empty: play to the end. `agree`: both players give the same side the game. `referee`: a network does."""
    adjudicate_at: float = 0.99
    """How sure they must be, for `adjudicate_moves` moves in a row."""
    adjudicate_moves: int = 6
    referee: str = ""
    """Network that plays out dead stones where players disagree, and adjudicates when asked to."""

    def __post_init__(self) -> None:
        if not 2 <= self.size <= 25:
            raise InputError(f"size={self.size}: boards have 2 to 25 lines")
        if self.komi is None:
            object.__setattr__(self, "komi", usual_komi(self.size, self.rules))
        if not math.isfinite(self.komi) or abs(self.komi) > 1000 or (2 * self.komi) % 1:
            raise InputError(f"komi={self.komi}: a number of points, whole or with a half")
        if Rules.named(self.rules).scoring != "area":
            raise InputError(f"rules={self.rules}: tournaments count area, so that dead stones can be played out")
        if self.move_limit < 0:
            raise InputError(f"move_limit={self.move_limit}: 0 or more")
        if self.adjudicate not in {"", "agree", "referee"}:
            raise InputError(f"adjudicate={self.adjudicate}: agree or referee, or nothing to play to the end")
        if not 0.5 < self.adjudicate_at < 1 or self.adjudicate_moves < 1:
            raise InputError("adjudicate_at lies between 0.5 and 1, adjudicate_moves is at least 1")
        if self.adjudicate == "referee" and not self.referee:
            raise InputError("adjudicate=referee needs referee=, the network that judges")

    @property
    def longest(self) -> int:
        """Moves after which a game is counted as it stands."""
        return self.move_limit or 3 * self.size * self.size

    def record(self) -> dict[str, Any]:
        """As written into the results file."""
        return asdict(self)
