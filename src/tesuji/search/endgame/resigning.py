"""When to give up: by win rate and score, for several moves in a row, and never before the game has begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tesuji._core import WHITE, Color, Game
from tesuji.base.errors import InputError
from tesuji.search.endgame.settlement import SIGN
from tesuji.search.result import SearchResult

_EVEN = 0.5  # nobody gives up for points alone what the search rather takes for won


class Outlook(NamedTuple):
    """What a search says to who is to move of how the game will end."""

    value: float
    behind: float | None = None
    """Points; None where nobody told."""
    doubt: float | None = None
    """The points in doubt: for each what it lacks of being somebody's for certain."""
    proven: bool = False
    """Whether the chosen move is proven to win."""

    @classmethod
    def of(cls, result: SearchResult) -> Outlook:
        chosen, owned = result.chosen, result.black_ownership
        value, score = (chosen.value, chosen.black_score) if chosen.visits else (result.value, result.black_score)
        behind = None if score is None else -SIGN[result.position.to_play] * score
        doubt = None if owned is None else float(np.sum(1 - np.abs(owned)))
        return cls(value, behind, doubt, bool(chosen.proven))


@dataclass(frozen=True)
class ResignOptions:
    """When to resign."""

    threshold: float = 0.03
    """Win probability below which a game counts as lost; 0 never resigns."""
    far: float = 1.5
    """Points behind, for each line of the board, from which twice that win rate counts as lost too: a network may be
    slow to call a game lost that nobody could turn."""
    reach: float = 2.0
    """How many times the points in doubt somebody so far behind must be behind for ten times that win rate to count as
    lost: on large boards a value may stay at 0.3."""
    margin: float = 1.5
    """How many times the points in doubt anybody must be behind: what looks lost may be what both sides are wrong
    about."""
    close: float = 0.4
    """Points behind, for each line of the board, within which no game is given up: the endgame may turn it."""
    moves: int = 3
    """Own moves in a row that must be below it."""
    look: int = 400
    """Visits that must call the game lost: who wishes to give up after fewer looks once more, if there is time."""
    opening: float = 0.3
    """Share of the board's points that must have been played first, handicap stones not counted."""
    fight: int = 25
    """Moves that must have been played beyond that share: on a small board the groups that both sides take for dead,
    and that turn a game when they are not, are settled only then."""
    handicap: float = 0.7
    """The share for White in a handicap game, who is behind from the start and waits for mistakes."""

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise InputError(f"resign is {self.threshold:g}; it must be a win rate from 0, never, to 1")

    def calls_lost(self, outlook: Outlook, size: int) -> bool:
        """Whether this looks lost to who is to move."""
        if outlook.proven:
            return False
        if outlook.behind is None:
            return outlook.value < self.threshold
        return outlook.value < self._lost_below(outlook.behind, outlook.doubt, size)

    def _lost_below(self, behind: float, doubt: float | None, size: int) -> float:
        """The win rate below which a game counts as lost for who is so many points behind."""
        if behind <= max(self.close * size, self.margin * (doubt or 0.0)):
            return 0.0
        if behind < self.far * size:
            return self.threshold
        out_of_reach = doubt is not None and behind > self.reach * doubt
        return min((10 if out_of_reach else 2) * self.threshold, max(self.threshold, _EVEN))


class Resigning:
    """One player's patience during one game."""

    def __init__(self, options: ResignOptions) -> None:
        self.options = options
        self._lost: dict[Color, set[int]] = {}  # the turns in a row at which all was lost, asked about once or often
        self._last_move = -1

    def gives_up(self, game: Game, result: SearchResult) -> bool:
        """Whether to resign now; counts the turns below the threshold."""
        return self.gives_up_seeing(game, Outlook.of(result))

    def still_gives_up(self, deeper: SearchResult) -> bool:
        """Whether a deeper look calls the game lost, too; if not, patience begins anew."""
        if self.options.calls_lost(Outlook.of(deeper), deeper.position.size):
            return True
        self._lost.pop(deeper.position.to_play, None)
        return False

    def gives_up_seeing(self, game: Game, outlook: Outlook) -> bool:
        """The same, told what the search said."""
        color, played = game.to_play, game.move_count
        if played < self._last_move:  # taken back, or another game
            self._lost.clear()
        self._last_move = played
        lost = self._lost.setdefault(color, set())
        if not self.options.calls_lost(outlook, game.size):
            lost.clear()
            return False
        lost.add(played)
        behind_by_handicap = game.handicap >= 2 and color == WHITE
        share = self.options.handicap if behind_by_handicap else self.options.opening
        begun = played >= share * game.size**2 + self.options.fight
        return begun and len(lost) >= self.options.moves
