"""Values corrected by what they were off by after the same local shape."""

from collections.abc import Sequence

import numpy as np

from tests.search.evaluators import Hash, Uniform
from tesuji import Game, Search
from tesuji._core import play_out
from tesuji.features.evaluation import Evaluation, Floats


class Blunderer(Uniform):
    """Thinks that Black has all but won when he has just played on the corner point; everything else is even."""

    planes = "agz-17"

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        white_to_play = planes[:, 16, 0, 0] == 0
        corner_now, corner_before = planes[:, 1, 0, 0] == 1, planes[:, 3, 0, 0] == 1
        said.value[white_to_play & corner_now & ~corner_before] = 0.1
        return said


def test_a_shape_that_disappoints_once_is_not_believed_again() -> None:
    """Everything is even in truth, so every bit above one half at the root is the blunder's."""
    game = Game(size=5, komi=0.5)
    means = []
    for correction in (0.0, 0.8):
        search = Search(
            Blunderer(), visits=2500, batch=1, c=1.0, first_play_reduction=0.0, correction=correction,
            transpositions="none", symmetry="none",
        )  # fmt: skip
        search.run(game)
        assert search._tree is not None
        means.append(search._tree.statistics.value - 0.5)
    assert 0 < means[1] < means[0]


def test_without_it_nothing_changes_and_with_it_the_tree_still_adds_up() -> None:
    game = Game(size=7, komi=6.5)
    play_out(game, seed=5, max_moves=12)
    plain, same, other = (
        Search(Hash(), visits=400, batch=4, batch_growth=0, correction=correction) for correction in (0.0, 0.0, 0.5)
    )
    first, second, third = (search.run(game) for search in (plain, same, other))
    assert first.visits == second.visits != third.visits
    assert other._tree is not None
    assert other._tree.violations() == []
    assert np.isfinite(list(third.values.values())).all()
    assert Search(Hash(), visits=400, batch=4, batch_growth=0, correction=0.5).run(game).visits == third.visits
