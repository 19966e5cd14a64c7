"""Players: something that is shown a game and answers with a move, a pass or its resignation."""

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from tesuji._core import PASS, Game
from tesuji.base.field_help import with_field_help
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.search.clock import Clock, TimeOptions, allowance
from tesuji.search.endgame.ownership import head_ownership
from tesuji.search.endgame.passing import before_their_pass, pass_share, sensible_move, wants_look, with_look
from tesuji.search.endgame.resigning import Resigning, ResignOptions
from tesuji.search.looks import after_pass, believed_lost
from tesuji.search.options import BARE, SearchOptions
from tesuji.search.result import SearchResult
from tesuji.search.search import RunningSearch, Search


@dataclass(frozen=True)
class Decision:
    """A player's answer."""

    move: int
    """A point number or `tesuji.PASS`; where it resigns, the move it would have made."""
    resign: bool = False
    result: SearchResult | None = None
    """What the search found, for players that search."""


@runtime_checkable
class Player(Protocol):
    """Whoever plays: a search, a policy alone, chance. Engines of other makers sit in the arena."""

    name: str

    def move(self, game: Game, clock: Clock | None = None) -> Decision:
        """The answer to this position, for the side to move; whoever thinks by time looks at `clock`, its own."""
        ...

    def reset(self) -> None:
        """Another game begins."""
        ...


@with_field_help
@dataclass(frozen=True)
class PlayerOptions:
    """How a player behaves beyond its search."""

    sensible: bool = True
    """Whether to pass when the game is won and settled, and rather than fill an own eye for nothing."""
    cleanup: bool = False
    """Whether to capture dead stones before passing, as `kgs-genmove_cleanup` asks."""
    agreed: bool = True
    """Whether the players take dead stones off after the game: then a pass is answered while they stand. Not in the
    arena, nor by Tromp-Taylor rules, which count the board as it stands."""
    ponder: bool = False
    """Whether to search on the opponent's time."""
    resign: ResignOptions = field(default_factory=ResignOptions)
    """When to give up."""
    time: TimeOptions = field(default_factory=TimeOptions)
    """How to spend the clock."""


class Turn:
    """One turn of a player, apart from who searches: ask for `position`, then `decide` by what was found.

    `position` is the game's, or that before the opponent's pass where dead stones go after the game. `pass_share`
    tells how much of the search must look at passing, once the root's owners are known; it is part of the budget.
    """

    def __init__(self, game: Game, options: PlayerOptions) -> None:
        self.game = game
        self.position = before_their_pass(game)
        self._options = options

    def pass_share(self, owned: Floats | None) -> float:
        """By who owns the points of the root, as the network sees them."""
        return pass_share(self.game, owned) if self._options.sensible else 0.0

    @property
    def may_agree(self) -> bool:
        """Whether a pass would end the game by agreement: then who owns the points is asked as for a count."""
        return self.game.passes == 1 and self._options.sensible and self._options.agreed

    def decide(self, result: SearchResult, resigning: Resigning, owned: Floats | None = None) -> Decision:
        """From what the search found to what is played; `owned` is who owns the points, where it was asked."""
        move = result.move
        if self._options.sensible:
            move = sensible_move(self.game, result, self._options.cleanup, self._options.agreed, owned)
        if not self.game.is_legal(move):  # by a superko that looks at the player too
            move = next(other.move for other in result.moves if self.game.is_legal(other.move))
        if move != result.move:
            result = replace(result, move=move)
        return Decision(move, move != PASS and resigning.gives_up(self.game, result), result)


class SearchPlayer:
    """Plays what a search finds, with a sense for passing and for giving up."""

    def __init__(
        self,
        evaluate: Evaluator | Sequence[Evaluator],
        options: SearchOptions | None = None,
        player: PlayerOptions | None = None,
        name: str | None = None,
        **changes: Any,
    ) -> None:
        self.search = Search(evaluate, options, **changes)
        self.options = player or PlayerOptions()
        self.name = name or self.search.evaluate.name
        self._resigning = Resigning(self.options.resign)
        self._pondering: RunningSearch | None = None

    def move(self, game: Game, clock: Clock | None = None, **run: Any) -> Decision:
        """Searches and decides; further keywords go to `Search.run` (`stop`, `report`, `restrictions`, ...)."""
        self.stop_pondering()
        if game.is_over and not game.is_void:
            return Decision(PASS)
        if clock is not None and "seconds" not in run:
            run["seconds"] = self._seconds(game, clock)
        # Where analysis forbids moves, nothing else may be played instead of the search's choice.
        options = replace(self.options, sensible=False) if run.get("restrictions") else self.options
        turn = Turn(game, options)
        result = self.search.run(turn.position, pass_share=turn.pass_share, **run)
        if options.sensible and wants_look(game, result):
            result = with_look(result, after_pass(game, self.search.evaluate))
        owned = head_ownership(game, self.search.evaluate) if turn.may_agree else None
        decision = turn.decide(result, self._resigning, owned)
        # Who thinks by the clock has looked as long as he may.
        timed = run.get("seconds", self.search.options.seconds) is not None
        if decision.resign and not timed:
            resign = believed_lost(result, self._resigning, self.search.evaluate, run.get("stop"))
            decision = replace(decision, resign=resign)
        if self.options.ponder and not decision.resign:
            self._ponder(game, decision.move)
        return decision

    def _seconds(self, game: Game, clock: Clock) -> float:
        seconds = allowance(clock, game.size, len(game.moves), self.options.time)
        own = self.search.options.seconds
        return seconds if own is None else min(seconds, own)

    def _ponder(self, game: Game, move: int) -> None:
        after = game.copy()
        after.play(move)
        if not after.is_over:
            self._pondering = self.search.ponder(after)

    def stop_pondering(self) -> None:
        """Ends the search on the opponent's time, keeping what it found."""
        if self._pondering is not None:
            pondering, self._pondering = self._pondering, None
            pondering.stop()

    def reset(self) -> None:
        self.stop_pondering()
        self.search.clear()
        self._resigning = Resigning(self.options.resign)


class PolicyPlayer:
    """Plays the network's policy without search, as in the papers' policy tournaments."""

    def __init__(
        self,
        evaluate: Evaluator,
        choice: str = "prior",
        player: PlayerOptions | None = None,
        name: str | None = None,
        seed: int = 1,
    ) -> None:
        options = SearchOptions(**BARE, choice=choice, seed=seed)
        self._inner = SearchPlayer(evaluate, options, player, name)
        self.name = self._inner.name

    def move(self, game: Game, clock: Clock | None = None) -> Decision:
        return self._inner.move(game)

    def reset(self) -> None:
        self._inner.reset()


class RandomPlayer:
    """Plays any legal move that does not fill an own eye: the weakest opponent there is."""

    def __init__(self, seed: int = 1, name: str = "random") -> None:
        self.name = name
        self._chance = random.Random(seed)
        self._lock = threading.Lock()

    def move(self, game: Game, clock: Clock | None = None) -> Decision:
        board, color = game.board, game.to_play
        moves = [move for move in game.legal_moves() if move != PASS and not board.is_eye(move, color)]
        with self._lock:
            return Decision(self._chance.choice(moves) if moves else PASS)

    def reset(self) -> None:
        pass
