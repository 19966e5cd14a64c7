"""The positions a teacher is asked about: of games, a few odd moves away from them, or where a search looks."""

import numpy as np

from tesuji._core import PASS, Game, MoveStatistics, Rules
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import encode
from tesuji.search.pool import SearchPool
from tesuji.training.data.game_set import GameSet
from tesuji.training.labels.options import LabelOptions, komi_values, odd_range

FIRST_MOVES = 8
"""A weaker player's choice: among so many of a policy's likeliest moves."""
FROM_ONE_TREE = 16
"""Nodes taken of one search: a search for each would cost more than the teacher."""
_DEEPEST, _WIDEST = 60, 400


class Questions:
    """Positions by number of their batch: the same number always gives the same positions."""

    def __init__(self, options: LabelOptions, odd_by: Evaluator | None = None, leaves: Evaluator | None = None) -> None:
        """`odd_by` draws the odd moves (None: at random), `leaves` searches (None: no search)."""
        self._options, self._odd_by, self._leaves = options, odd_by, leaves
        self._games = GameSet(*options.games)
        self.size = self._games.size
        self._rules = Rules.named(options.rules)
        self._komi = komi_values(options.komi)
        self._odd = odd_range(options.odd)

    def batch(self, number: int, count: int) -> list[Game]:
        """`count` positions whose game is not over."""
        rng = np.random.default_rng([self._options.seed, number])
        searched = self._leaves is not None
        games = [self._position(rng) for _ in range(-(-count // FROM_ONE_TREE) if searched else count)]
        self._play_odd(games, rng)
        return self._search(games, rng)[:count] if searched else games

    def _position(self, rng: np.random.Generator) -> Game:
        while True:
            game = self._games.record(int(rng.choice(self._games.games))).game()
            moves = int(rng.integers(game.move_count + 1))
            while game.move_count > moves:
                game.undo()
            game.rules = self._rules
            if len(self._komi):
                game.komi = float(rng.choice(self._komi))
            if not game.is_over:
                return game

    def _play_odd(self, games: list[Game], rng: np.random.Generator) -> None:
        low, high = self._odd
        left = rng.integers(low, high + 1, size=len(games))
        while left.any():
            moving = np.flatnonzero(left)
            chosen = self._odd_moves([games[i] for i in moving], rng)
            for i, move in zip(moving, chosen, strict=True):
                if move is None:
                    left[i] = 0  # nothing left to play but a pass
                else:
                    games[i].play(move)
                    left[i] -= 1

    def _odd_moves(self, games: list[Game], rng: np.random.Generator) -> list[int | None]:
        legal = [[move for move in game.legal_moves() if move != PASS] for game in games]
        if self._odd_by is None:
            return [int(rng.choice(moves)) if moves else None for moves in legal]
        judged = self._odd_by(encode(games, self._odd_by.planes), [game.komi for game in games])
        chosen: list[int | None] = []
        for policy, moves in zip(judged.policy, legal, strict=True):
            likely = sorted(moves, key=lambda move, policy=policy: -policy[move])[:FIRST_MOVES]  # type: ignore[misc]
            chosen.append(int(rng.choice(likely)) if likely else None)
        return chosen

    def _search(self, games: list[Game], rng: np.random.Generator) -> list[Game]:
        """For each position, some that a search of it has looked at."""
        assert self._leaves is not None
        pool = SearchPool(self._leaves, size=self.size, visits=self._options.leaf_visits, batch=len(games))
        found: dict[int, list[Game]] = {}
        slots = {}
        for i, game in enumerate(games):
            slot = pool.open(seed=int(rng.integers(1 << 30)))
            slots[id(slot)] = i
            pool.submit(slot, game)
        while pool.busy:
            for done in pool.step():
                nodes = done.slot.tree.subtree(_DEEPEST, _WIDEST)
                chosen = np.resize(rng.permutation(len(nodes)) if nodes else [-1], FROM_ONE_TREE)
                found[slots[id(done.slot)]] = [_walked(done.game, nodes, int(index)) for index in chosen]
        return [leaf for i in range(len(games)) for leaf in found[i]]


def _walked(game: Game, nodes: list[MoveStatistics], index: int) -> Game:
    """The game after the moves to a node of the tree; itself if that ends it."""
    path: list[int] = []
    while index >= 0:
        node = nodes[index]
        path.append(node.move)
        index = node.parent
    leaf = game.copy()
    for move in reversed(path):
        leaf.play(move)
    return game if leaf.is_over else leaf
