"""From a tree to what it found: the root's moves, who owns the points, and the move that is chosen."""

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tesuji._core import Game, MoveStatistics, Proof, Tree
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Floats
from tesuji.search.choice import BEST, MoveChoice
from tesuji.search.options import SearchOptions
from tesuji.search.result import RootMove, SearchResult

_PROVEN = {Proof.WIN: True, Proof.LOSS: False, Proof.NONE: None}


def root_moves(tree: Tree, komi: float, pv_moves: int, pv_length: int) -> tuple[RootMove, ...]:
    """The root's moves as Python objects; only the `pv_moves` most visited are given their variation."""
    statistics = tree.statistics
    moves = []
    for index, told in enumerate(tree.root_moves()):
        line = [(told.move, told.visits)]
        if told.visits and index < pv_moves:
            line = tree.variation(told.move, pv_length)
        pv, pv_visits = zip(*line, strict=True)
        score = told.black_score - komi if told.visits and statistics.has_score else None
        value = told.value if told.visits else statistics.network_value
        proven = _PROVEN[told.proof]
        moves.append(RootMove(told.move, told.visits, value, told.prior, told.deviation, score, proven, pv, pv_visits))
    return tuple(moves)


def owned_in(tree: Tree) -> Floats | None:
    """Who owns the points, `[N, N]` from -1 (White's) to 1 (Black's), as this tree's evaluations have it on average."""
    ownership = np.array(tree.black_ownership(), np.float32)
    return ownership.reshape(tree.size, tree.size) if ownership.size else None


def make_result(
    game: Game,
    tree: Tree,
    options: SearchOptions,
    choose: MoveChoice,
    chance: random.Random,
    seconds: float,
    subtree: Callable[[int, int], list[MoveStatistics]] | None,
    pv_length: int = 24,
) -> SearchResult:
    """What this tree says of its root, variations included when the tree may be asked for more."""
    statistics = tree.statistics
    moves = root_moves(tree, game.komi, pv_moves=64 if subtree else 1, pv_length=pv_length)
    if not moves:
        raise InputError("no move is allowed here")
    halving = options.gumbel_moves > 0 and options.choice in BEST and statistics.visits > 1
    raced = tree.gumbel_move() if halving else None
    if raced is None:  # noqa: SIM108
        chosen = choose(_foreseen(moves, tree, options), options, len(game.moves), chance).move
    else:
        chosen = raced
    return SearchResult(
        position=game.copy(),
        move=chosen,
        moves=moves,
        value=moves[0].value,
        root_visits=statistics.visits,
        descents=statistics.descents,
        evaluations=statistics.evaluations,
        seconds=seconds,
        depth=statistics.depth,
        nodes=statistics.nodes,
        memory=statistics.bytes,
        memory_full=statistics.memory_full,
        black_score=statistics.black_score - game.komi if statistics.has_score else None,
        black_ownership=owned_in(tree),
        network_value=statistics.network_value,
        waited=statistics.waited,
        improved_policy=dict(tree.improved_policy()) if options.gumbel_moves else None,
        _subtree=subtree,
    )


def _foreseen(moves: tuple[RootMove, ...], tree: Tree, options: SearchOptions) -> tuple[RootMove, ...]:
    """The moves with the visits that a last iteration without network adds, where the options want one."""
    if not options.last_iteration:
        return moves
    visits = dict(tree.last_iteration(options.last_iteration, options.last_weight or options.penalty_weight))
    return tuple(replace(move, visits=visits.get(move.move, move.visits)) for move in moves)
