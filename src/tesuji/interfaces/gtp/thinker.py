"""What a client wants thought about, done beside the conversation: moves, analysis, pondering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tesuji import Game
from tesuji.interfaces.engine.mind import Mind
from tesuji.interfaces.engine.networks import Networks

if TYPE_CHECKING:
    from tesuji.features.evaluation import Evaluation
    from tesuji.interfaces.engine.thought import Thought, Work
    from tesuji.interfaces.gtp.analysis_request import MoveList
    from tesuji.interfaces.gtp.options import GtpOptions
    from tesuji.interfaces.gtp.parameters import Parameters
    from tesuji.search.clock import Clock
    from tesuji.search.endgame.judge import Judgement
    from tesuji.search.players import Decision, SearchPlayer
    from tesuji.search.result import SearchResult

_DEFAULT_SECONDS = 1.0
_NO_REPORTS = 1e9  # seconds
_TOO_SHORT = 0.03  # seconds; below, starting a search costs more than it finds: the network's first choice


class Thinker:
    """The thinking of one conversation; keeps the tree from move to move."""

    def __init__(self, options: GtpOptions, parameters: Parameters, wake: Callable[[], None]) -> None:
        self.last_result: SearchResult | None = None
        """What the last search found, for whoever asks about it."""
        self._mind = Mind(Networks(options.net, options.value_net, options.devices))
        self._options = options
        self._parameters = parameters
        self._wake = wake
        self._thoughts: list[Thought[Any]] = []

    def decide(
        self, game: Game, clock: Clock | None, *, interval: float, restrictions: Sequence[MoveList]
    ) -> Thought[Decision]:
        """Begins to look for a move of the player to move."""
        self.rest()
        player = self._player(game)
        run = {"interval": interval, "restrictions": _restrictions(game, restrictions), **self._budget(game, clock)}
        position = game.copy()
        return self._begin(lambda stop, tell: player.move(position, stop=stop, report=tell, **run))

    def analyse(self, game: Game, *, interval: float, restrictions: Sequence[MoveList]) -> Thought[SearchResult]:
        """Begins to search without an end."""
        self.rest()
        search = self._player(game).search
        banned, position = _restrictions(game, restrictions), game.copy()
        return self._begin(
            lambda stop, tell: search.run(
                position, unlimited=True, stop=stop, report=tell, interval=interval, restrictions=banned
            )
        )

    def ponder(self, game: Game) -> None:
        """Searches on the opponent's time, where that is wanted; the next move finds the tree."""
        if self._parameters.ponderingEnabled and not game.is_over:
            self.analyse(game, interval=_NO_REPORTS, restrictions=())

    def interrupt(self) -> None:
        """Asks all thinking to end and does not wait: an answer must not hang on the batch under way."""
        for thought in self._thoughts:
            thought.stop()

    def rest(self) -> None:
        """Ends all thinking."""
        self.interrupt()
        for thought in self._thoughts:
            thought.wait()
        self._thoughts.clear()

    def leave(self, seconds: float) -> None:
        """Ends all thinking, or leaves alone what does not end in so long: the process is about to."""
        self.interrupt()
        for thought in self._thoughts:
            thought.wait(seconds)

    def forget(self) -> None:
        """Frees the trees and all that was found."""
        self.rest()
        self._mind.forget()
        self.last_result = None

    def forget_game(self) -> None:
        """Another game begins."""
        self.rest()
        self._mind.forget_game()
        self.last_result = None

    def load_ahead(self, size: int) -> None:
        """Loads the network in the background, so that the first move need not wait."""
        self._mind.networks.load_ahead(size, self._net)

    def evaluation(self, game: Game, symmetry: int = 0) -> Evaluation:
        """What the network alone says of a position turned by a symmetry, turned back."""
        return self._mind.evaluation(game, symmetry, self._net)

    def judgement(self, game: Game) -> Judgement:
        """Dead stones and score, found once for each position."""
        self.rest()
        return self._mind.judgement(game, self._net)

    def handicap(self, game: Game, stones: int, hurried: Callable[[], bool]) -> list[int]:
        """So many points for Black's stones, each the network's favourite given those before, unless `hurried`."""
        return self._mind.handicap(game, stones, self._net, hurried)

    def description(self, size: int) -> str:
        """The network and the budget of a move, in words."""
        visits, seconds = self._parameters.maxVisits, self._parameters.maxTime
        limits = [f"{visits} visits"] * bool(visits) + [f"{seconds:g} s"] * bool(seconds)
        budget = "policy only" if self._options.policy_only else " or ".join(limits) or f"{_DEFAULT_SECONDS:g} s"
        networks = self._mind.networks
        return f"{networks.description(networks.choose(size, self._net), size)}; {budget} a move"

    @property
    def _net(self) -> str:
        """Who names a network at the start gets no other one, whatever the board."""
        return self._mind.networks.own

    def _begin(self, work: Work[Any]) -> Thought[Any]:
        from tesuji.interfaces.engine.thought import Thought

        thought: Thought[Any] = Thought(work, self._wake)
        self._thoughts.append(thought)
        return thought

    def _budget(self, game: Game, clock: Clock | None) -> dict[str, Any]:
        """What ends the search of a move."""
        from tesuji.search.clock import TimeOptions, allowance

        if self._options.policy_only:
            return {"visits": 1}
        visits, seconds = self._parameters.maxVisits or None, self._parameters.maxTime or None
        if clock is not None:
            fair = allowance(clock, game.size, game.move_count, TimeOptions(overhead=self._parameters.lagBuffer))
            if fair < _TOO_SHORT:
                return {"visits": 1}
            seconds = fair if seconds is None else min(fair, seconds)
        elif visits is None and seconds is None:
            seconds = _DEFAULT_SECONDS
        return {"visits": visits, "seconds": seconds}

    def _player(self, game: Game) -> SearchPlayer:
        from tesuji.search.choice import BEST
        from tesuji.search.endgame.resigning import ResignOptions
        from tesuji.search.players import PlayerOptions

        # The budget of a move is told with each move: a client may change it.
        search = replace(self._options.search, visits=None, seconds=None)
        if self._options.policy_only and search.choice in BEST:
            search = replace(search, choice="prior", symmetry="none")
        manners = PlayerOptions(resign=ResignOptions(threshold=(self._parameters.resignThreshold + 1) / 2))
        return self._mind.player(game.size, search, manners, self._net)


def _restrictions(game: Game, lists: Sequence[MoveList]) -> list[Any]:
    from tesuji._core import Restriction

    return [Restriction(each.color, sorted(each.moves), each.allow, each.depth, game.size) for each in lists]
