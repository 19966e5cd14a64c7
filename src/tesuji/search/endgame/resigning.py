"""When to give up: by win rate and score, for several moves in a row, and never before the game has begun."""

from dataclasses import dataclass

import numpy as np

from tesuji._core import WHITE, Color, Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Floats
from tesuji.search.result import SearchResult

_EVEN = 0.5  # nobody gives up for points alone what the search rather takes for won


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


class Resigning:
    """One player's patience during one game."""

    def __init__(self, options: ResignOptions) -> None:
        self.options = options
        self._lost: dict[Color, set[int]] = {}  # the turns in a row at which all was lost, asked about once or often
        self._last_move = -1

    def gives_up(self, game: Game, result: SearchResult) -> bool:
        """Whether to resign now; counts the turns below the threshold."""
        color, played = game.to_play, game.move_count
        if played < self._last_move:  # taken back, or another game
            self._lost.clear()
        self._last_move = played
        lost = self._lost.setdefault(color, set())
        if not self._is_lost(game, result):
            lost.clear()
            return False
        lost.add(played)
        behind_by_handicap = game.handicap >= 2 and color == WHITE
        share = self.options.handicap if behind_by_handicap else self.options.opening
        begun = played >= share * game.size**2 + self.options.fight
        return begun and len(lost) >= self.options.moves

    def _is_lost(self, game: Game, result: SearchResult) -> bool:
        chosen = result.chosen if result.chosen.visits else None
        value = chosen.value if chosen else result.value
        if result.chosen.proven:
            return False
        score = chosen.black_score if chosen else result.black_score
        if score is None:
            return value < self.options.threshold
        behind = score if game.to_play == WHITE else -score
        return value < self._lost_below(behind, game.size, result.black_ownership)

    def _lost_below(self, behind: float, size: int, owned: Floats | None) -> float:
        """The win rate below which a game counts as lost for who is so many points behind."""
        # For each point what it lacks of being somebody's for certain.
        doubt = 0.0 if owned is None else float(np.sum(1 - np.abs(owned)))
        if behind <= max(self.options.close * size, self.options.margin * doubt):
            return 0.0
        threshold = self.options.threshold
        if behind < self.options.far * size:
            return threshold
        out_of_reach = owned is not None and behind > self.options.reach * doubt
        return min((10 if out_of_reach else 2) * threshold, max(threshold, _EVEN))
