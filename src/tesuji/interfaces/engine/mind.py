"""The mind of a conversation: players with what their searches still know, the network's first opinion, the judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tesuji import BLACK, Game

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from tesuji.features.evaluation import Evaluation, Evaluator
    from tesuji.interfaces.engine.networks import Networks
    from tesuji.search.endgame.judge import Judgement
    from tesuji.search.options import SearchOptions
    from tesuji.search.players import PlayerOptions, SearchPlayer

CAREFUL_STONES = 9
KomiCurve = list[tuple[float, float]]
"""Pairs of komi and Black's win probability there."""


class Mind:
    """Thinks about the games it is shown. Not for several threads at once, but for any one of them."""

    def __init__(self, networks: Networks, kept: int = 2) -> None:
        self.networks = networks
        self._kept = kept  # players, each with a tree
        self._players: dict[Hashable, SearchPlayer] = {}
        self._judged: tuple[Any, Judgement] | None = None

    def player(
        self, size: int, search: SearchOptions, manners: PlayerOptions, network: str = "", seat: Hashable = None
    ) -> SearchPlayer:
        """The player with these options and this network (empty: what fits the board); the same one for the same.

        `seat` tells players apart that must not share a tree, as the two of a watched game.
        """
        from tesuji.search.players import SearchPlayer

        name = self.networks.choose(size, network)
        key = (name, search, manners, seat)
        # In single steps: a session may be closed, and its players forgotten, by another thread.
        player = self._players.pop(key, None)
        if player is None:
            player = SearchPlayer(self.networks.on_all_devices(name), search, manners)
        self._players[key] = player  # most recently used last
        for oldest in list(self._players)[: -self._kept]:
            self._players.pop(oldest, None)
        return player

    def forget(self) -> None:
        """Gives the memory of all trees back."""
        self._players.clear()
        self._judged = None

    def forget_game(self) -> None:
        """Another game begins."""
        for player in self._players.values():
            player.reset()

    def judgement(self, game: Game, network: str = "") -> Judgement:
        """Dead stones, seki and score, found once for each position."""
        from tesuji.search.endgame.judge import judge

        name = self.networks.choose(game.size, network)
        key = (name, game.size, game.hash, game.komi, game.rules, len(game.moves))
        if self._judged is None or self._judged[0] != key:
            self._judged = (key, judge(game, self.networks.get(name)))
        return self._judged[1]

    def evaluation(self, game: Game, symmetry: int = 0, network: str = "") -> Evaluation:
        """What the network alone says of a position turned by a symmetry, turned back."""
        from tesuji.features.planes import encode
        from tesuji.features.symmetry import inverse, transform, transform_policy

        evaluate = self.networks.for_size(game.size, network)
        said = evaluate(encode([game], evaluate.planes, symmetry), [game.komi])
        back = inverse(symmetry)
        owned = None if said.black_ownership is None else transform(said.black_ownership, back)
        return replace(said, policy=transform_policy(said.policy, back), black_ownership=owned)

    def handicap(
        self, game: Game, stones: int, network: str = "", hurried: Callable[[], bool] = lambda: False
    ) -> list[int]:
        """So many points for Black's stones, each the network's favourite given those before.

        Once `hurried`, stones beyond a usual handicap go where the network last liked them.
        """
        position = game.copy()
        chosen: list[int] = []
        policy: Any = None
        for number in range(stones):
            position.to_play = BLACK
            if number < CAREFUL_STONES or not hurried():
                views = range(8) if number < CAREFUL_STONES else range(1)  # hundreds of stones must not take a minute
                policy = sum(self.evaluation(position, symmetry, network).policy[0] for symmetry in views)
            free = [move for move in position.legal_moves() if move >= 0]
            best = max(free, key=lambda move: float(policy[move]))
            position.play(best)
            chosen.append(best)
        return chosen


@dataclass(frozen=True)
class Opinion:
    """A network's first thought, without search."""

    policy: list[float]
    """Shares of the legal moves by point, then pass; they sum to 1."""
    value: float
    """Win probability of the player to move."""
    komi_curve: KomiCurve | None


def first_opinion(evaluate: Evaluator, game: Game) -> Opinion:
    """What the network alone thinks of a position."""
    import numpy as np

    from tesuji.features.planes import encode

    said = evaluate(encode([game], evaluate.planes), [game.komi])
    legal = np.zeros(said.policy.shape[1], bool)
    legal[game.legal_moves()] = True  # PASS is -1: the last entry
    policy = np.where(legal, said.policy[0], 0)
    shares = policy / max(float(policy.sum()), 1e-9)
    curve = None
    if said.komi_curve is not None and evaluate.komi_grid is not None:
        pairs = zip(evaluate.komi_grid, said.komi_curve[0], strict=True)
        curve = [(float(komi), float(share)) for komi, share in pairs]
    return Opinion([round(float(share), 4) for share in shares], float(said.value[0]), curve)
