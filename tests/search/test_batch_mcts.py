"""Batch MCTS: what descents under way count as, the last iteration, the second move, and batches that grow."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.search.evaluators import Hash, Uniform
from tesuji import Game, Search
from tesuji._core import play_out
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.search.options import SearchOptions, tree_options


def middle_game(seed: int = 5) -> Game:
    game = Game(size=7, komi=6.5)
    play_out(game, seed=seed, max_moves=12)
    return game


class Sizes(Hash):
    """Remembers how many positions each call judged."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        self.seen.append(len(planes))
        return super().__call__(planes, komi)


class OneGoodMove(Uniform):
    """Likes one point; every other move is as likely as the next."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        said.policy[:, :] = 0.3 / (said.policy.shape[1] - 1)
        said.policy[:, 24] = 0.7
        return said


def test_a_virtual_mean_leaves_the_values_alone() -> None:
    """Sixteen leaves at once: a mean keeps the batch on the favourite's side, a loss drives it away."""
    game = Game(size=7, komi=6.5)
    shares = {}
    plain = SearchOptions(visits=64, c=0.2, first_play_reduction=0.0, symmetry="none")
    for penalty in ("loss", "mean"):
        result = Search(OneGoodMove(), plain, batch=16, penalty=penalty).run(game)
        shares[penalty] = result.visits[24] / sum(result.visits.values())
    sequential = Search(OneGoodMove(), plain, batch=1).run(game)
    wanted = sequential.visits[24] / sum(sequential.visits.values())
    assert abs(shares["mean"] - wanted) < abs(shares["loss"] - wanted)


def test_one_leaf_at_a_time_the_penalty_is_never_seen() -> None:
    found = [
        Search(Hash(), visits=150, batch=1, penalty=p, penalty_weight=3).run(middle_game()) for p in ("loss", "mean")
    ]
    assert found[0].visits == found[1].visits


def test_batches_grow_with_the_tree() -> None:
    evaluate = Sizes()
    Search(evaluate, visits=200, batch=16, batch_growth=8).run(middle_game())
    assert evaluate.seen[:8] == [1] * 8
    assert max(evaluate.seen) > 8
    judged = np.cumsum(evaluate.seen)
    assert all(size <= max(1, before // 8) for size, before in zip(evaluate.seen[1:], judged, strict=False))


def test_the_last_iteration_counts_further_and_leaves_the_tree_as_it_was() -> None:
    game = middle_game()
    search = Search(Hash(), visits=100, batch=8)
    result = search.run(game)
    tree = search._tree
    assert tree is not None
    foreseen = dict(tree.last_iteration(25, 1))
    assert sum(foreseen.values()) >= 25 + sum(result.visits.values())
    assert all(foreseen.get(move, 0) >= visits for move, visits in result.visits.items())
    assert tree.violations() == []
    assert {move.move: move.visits for move in tree.root_moves()} == result.visits
    assert search.run(game, visits=120).root_visits == 120


def test_a_descent_of_the_last_iteration_counts_as_often_as_told() -> None:
    search = Search(Hash(), visits=100, batch=8)
    before = sum(search.run(middle_game()).visits.values())
    tree = search._tree
    assert tree is not None
    once, thrice = (sum(dict(tree.last_iteration(1, weight)).values()) - before for weight in (1, 3))
    assert (once, thrice) == (1, 3)


def test_the_last_iteration_has_a_weight_of_its_own() -> None:
    same, once, thrice = (
        Search(Hash(), visits=30, batch=8, choice="visits", last_iteration=40, last_weight=weight)
        .run(middle_game(2))
        .move
        for weight in (0, 1, 3)
    )
    assert same == once != thrice


def test_the_last_iteration_looks_at_more_than_the_second_move() -> None:
    """Once the budget is spent, nothing can be overtaken any more: that rule has no say in it."""
    search = Search(Hash(), visits=100, batch=8, second_move=True)
    before = search.run(middle_game()).visits
    tree = search._tree
    assert tree is not None
    added = [move for move, visits in tree.last_iteration(100, 1) if visits > before.get(move, 0)]
    assert len(added) > 2


def test_the_last_iteration_may_change_the_choice_but_not_what_is_reported() -> None:
    plain = Search(Hash(), visits=30, batch=8).run(middle_game())
    further = Search(Hash(), visits=30, batch=8, last_iteration=200).run(middle_game())
    assert further.visits == plain.visits
    differ = [
        Search(Hash(), visits=30, batch=8).run(middle_game(seed)).move
        != Search(Hash(), visits=30, batch=8, last_iteration=200).run(middle_game(seed)).move
        for seed in range(12)
    ]
    assert any(differ)


def test_visits_that_change_nothing_go_to_the_second_move() -> None:
    game = Game(size=7, komi=6.5)
    plain, second = (
        sorted(
            Search(OneGoodMove(), visits=100, batch=1, c=0.3, second_move=on).run(game).visits.values(), reverse=True
        )
        for on in (False, True)
    )
    assert plain[0] > 60, "one move takes most of the visits by itself"
    assert second[0] < plain[0]
    assert second[1] > plain[1]
    assert second[0] >= second[1] >= second[0] - 1, "what is left goes to the second, up to the first's lead"


def test_the_better_of_the_two_most_visited_plays() -> None:
    """Over many positions the choice is the higher mean of two, whenever both were searched."""
    changed = 0
    for seed in range(20):
        game = middle_game(seed)
        if game.is_over:
            continue
        result = Search(Hash(), visits=80, batch=1, second_move=True, prove=False).run(game)
        first, second = result.moves[:2]
        best = max((first, second), key=lambda move: move.value)
        assert result.move == (best.move if second.visits > 1 else first.move)
        changed += result.move == second.move
    assert changed


def test_the_root_in_all_views_and_the_leaves_in_one() -> None:
    evaluate = Sizes()
    Search(evaluate, visits=5, batch=1, root_symmetries=True).run(middle_game())
    assert evaluate.seen == [8, 1, 1, 1, 1]


def test_a_warm_root_spreads_the_visits() -> None:
    game = Game(size=7, komi=6.5)
    top = [
        max(Search(OneGoodMove(), visits=200, batch=1, root_temperature=t).run(game).visits.values()) for t in (1, 2)
    ]
    assert top[1] < top[0]
    told = Search(OneGoodMove(), visits=20, root_temperature=2.0).run(game)
    assert told.priors[24] == pytest.approx(0.7, abs=1e-6), "what is reported is the network's own prior"


def test_mu_is_the_parents_mean() -> None:
    options = tree_options(SearchOptions(first_play="mu"), "golois-31", True)
    assert options.first_play == tree_options(SearchOptions(first_play="parent"), "golois-31", True).first_play
