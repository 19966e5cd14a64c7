"""Sequential halving at the root: its schedule, and the paper's formula written plainly beside it."""

import math
from itertools import pairwise

import pytest

from tests.search.evaluators import Hash
from tesuji import Game, Search, SearchOptions, SearchResult


def raised_logits(result: SearchResult, scale: float) -> dict[int, float]:
    """Danihelka et al. 2022: logit + (50 + most visits) * scale * q, with q completed and stretched to [0, 1]."""
    tried = {move.move: move for move in result.moves if move.visits}
    visits = sum(move.visits for move in tried.values())
    prior = sum(move.prior for move in tried.values())
    seen = sum(move.prior * move.value for move in tried.values()) / prior
    mixed = (result.network_value + visits * seen) / (1 + visits)
    completed = {move.move: move.value if move.visits else mixed for move in result.moves}
    low, high = min(completed.values()), max(completed.values())
    weight = (50 + max(move.visits for move in tried.values())) * scale
    return {
        move.move: math.log(move.prior) + weight * (completed[move.move] - low) / (high - low) for move in result.moves
    }


def softmax(logits: dict[int, float]) -> dict[int, float]:
    weights = {move: math.exp(logit - max(logits.values())) for move, logit in logits.items()}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def test_the_moves_considered_are_halved() -> None:
    result = Search(Hash(), visits=33, batch=1, gumbel_moves=8, prove=False, seed=4).run(Game(size=9))
    counts = sorted((n for n in result.visits.values() if n), reverse=True)
    assert sum(counts) == 32
    assert len(counts) == 8
    assert counts[:2] == pytest.approx([counts[0]] * 2, abs=1)
    assert counts[-1] == 1  # 8 moves once, 4 of them once more, the last 2 share the rest


@pytest.mark.parametrize("visits", [16, 17, 33, 64])
@pytest.mark.parametrize("scale", [0.0, 0.1, 0.5])
def test_move_and_target_follow_the_formula(visits: int, scale: float) -> None:
    options = SearchOptions(visits, batch=1, gumbel_moves=8, gumbel_noise=0.0, gumbel_scale=scale, prove=False)
    game = Game(size=7)
    for _ in range(6):
        result = Search(Hash(), options).run(game)
        logits = raised_logits(result, scale)
        assert result.improved_policy == pytest.approx(softmax(logits), abs=1e-6)
        # The last two share the rest of the budget: one of them may have a visit more, which decides nothing.
        finalists = [move.move for move in result.moves[:2]]
        assert result.visits[finalists[0]] - result.visits[finalists[1]] <= 1
        assert result.move == max(finalists, key=lambda move: logits[move])
        game.play(result.move)


def test_without_noise_the_highest_priors_are_considered() -> None:
    result = Search(Hash(), visits=16, batch=1, gumbel_moves=4, gumbel_noise=0.0, prove=False).run(Game(size=7))
    considered = {move.move for move in result.moves if move.visits}
    assert considered == set(sorted(result.priors, key=lambda move: -result.priors[move])[:4])


def test_what_a_value_counts_grows_with_the_scale() -> None:
    """Entropy of the target falls as values are trusted more."""
    entropies = []
    for scale in (0.0, 0.05, 0.1, 0.3):
        result = Search(Hash(), visits=64, batch=1, gumbel_moves=16, gumbel_scale=scale, seed=2).run(Game(size=7))
        assert result.improved_policy is not None
        entropies.append(-sum(p * math.log(p) for p in result.improved_policy.values() if p > 0))
    assert all(after < before for before, after in pairwise(entropies))
