"""The mind of the engine: networks, players and the judge behind one door, loaded when first needed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tesuji import BLACK, Game
from tesuji.interfaces.gtp.networks import Networks, describe

if TYPE_CHECKING:
    from tesuji.features.evaluation import Evaluation
    from tesuji.interfaces.gtp.analysis_request import MoveList
    from tesuji.interfaces.gtp.options import GtpOptions
    from tesuji.interfaces.gtp.parameters import Parameters
    from tesuji.interfaces.gtp.report import Report
    from tesuji.interfaces.gtp.thought import Tell, Thought
    from tesuji.search.clock import Clock
    from tesuji.search.endgame.judge import Judgement
    from tesuji.search.players import Decision, SearchPlayer
    from tesuji.search.result import SearchResult

_DEFAULT_SECONDS = 1.0
_BATCH = 8  # leaves evaluated at once: nearly the speed of 16, and a stop is obeyed in half the time
_NO_REPORTS = 1e9  # seconds
_TOO_SHORT = 0.03  # seconds; below, starting a search costs more than it finds: the network's first choice


class Mind:
    """Thinks about the games it is shown; keeps the tree from move to move."""

    def __init__(self, options: GtpOptions, parameters: Parameters, wake: Callable[[], None]) -> None:
        self.networks = Networks(options.net)
        self.last_report: Report | None = None
        self._options = options
        self._parameters = parameters
        self._wake = wake
        self._players: dict[int, SearchPlayer] = {}
        self._judged: tuple[Any, Judgement] | None = None
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

    def forget(self) -> None:
        """Frees the trees and all that was found."""
        self.rest()
        self._players.clear()
        self._judged = None
        self.last_report = None

    def forget_game(self) -> None:
        """Another game begins."""
        self.rest()
        for player in self._players.values():
            player.reset()
        self.last_report = None

    def evaluation(self, game: Game, symmetry: int = 0) -> Evaluation:
        """What the network alone says of a position turned by a symmetry, turned back."""
        from tesuji.features.planes import encode

        evaluate = self.networks.for_size(game.size)
        said = evaluate(encode([game], evaluate.planes, symmetry), [game.komi])
        return _turned_back(said, symmetry)

    def judgement(self, game: Game) -> Judgement:
        """Dead stones and score, found once for each position."""
        from tesuji.search.endgame.judge import judge

        self.rest()
        key = (game.size, game.hash, game.komi, game.rules, len(game.moves))
        if self._judged is None or self._judged[0] != key:
            self._judged = (key, judge(game, self.networks.for_size(game.size)))
        return self._judged[1]

    def handicap(self, game: Game, stones: int) -> list[int]:
        """So many points for Black's stones, each the network's favourite given those before."""
        position = game.copy()
        chosen: list[int] = []
        for _ in range(stones):
            position.to_play = BLACK
            policy = sum(self.evaluation(position, symmetry).policy[0] for symmetry in range(8))
            free = [move for move in position.legal_moves() if move >= 0]
            best = max(free, key=lambda move: float(policy[move]))
            position.play(best)
            chosen.append(best)
        return chosen

    def description(self, size: int) -> str:
        """The network and the budget of a move, in words."""
        visits, seconds = self._parameters.maxVisits, self._parameters.maxTime
        limits = [f"{visits} visits"] * bool(visits) + [f"{seconds:g} s"] * bool(seconds)
        budget = "policy only" if self._options.policy_only else " or ".join(limits) or f"{_DEFAULT_SECONDS:g} s"
        return f"{describe(self.networks.for_size(size), size)}; {budget} a move"

    def _begin(self, work: Callable[[Any, Tell], Any]) -> Thought[Any]:
        from tesuji.interfaces.gtp.thought import Thought

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
            lag = TimeOptions(overhead=self._parameters.lagBuffer)
            # A fifth is left for the second look that a player takes before it passes.
            fair = 0.8 * allowance(clock, game.size, game.move_count, lag)
            if fair < _TOO_SHORT:
                return {"visits": 1}
            seconds = fair if seconds is None else min(fair, seconds)
        elif visits is None and seconds is None:
            seconds = _DEFAULT_SECONDS
        return {"visits": visits, "seconds": seconds}

    def _player(self, game: Game) -> SearchPlayer:
        if game.size not in self._players:
            self._players[game.size] = self._new_player(game.size)
        return self._players[game.size]

    def _new_player(self, size: int) -> SearchPlayer:
        from tesuji.search.endgame.resigning import ResignOptions
        from tesuji.search.options import SearchOptions
        from tesuji.search.players import PlayerOptions, SearchPlayer

        choice = self._options.move_choice or ("prior" if self._options.policy_only else "visits")
        options = SearchOptions(
            visits=None,
            batch=_BATCH,
            threads=self._options.threads,
            choice=choice,
            seed=self._options.seed or time.time_ns(),
        )
        resign = ResignOptions(threshold=(self._parameters.resignThreshold + 1) / 2)
        return SearchPlayer(self.networks.for_size(size), options, PlayerOptions(resign=resign))


def _restrictions(game: Game, lists: Sequence[MoveList]) -> list[Any]:
    from tesuji._core import Restriction

    return [Restriction(each.color, sorted(each.moves), each.allow, each.depth, game.size) for each in lists]


def _turned_back(said: Evaluation, symmetry: int) -> Evaluation:
    from tesuji.features.symmetry import inverse, transform, transform_policy

    back = inverse(symmetry)
    owned = None if said.black_ownership is None else transform(said.black_ownership, back)
    return replace(said, policy=transform_policy(said.policy, back), black_ownership=owned)
