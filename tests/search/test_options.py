"""What each option of a search changes, seen from outside."""

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.search.evaluators import Hash, Uniform
from tests.search.test_players import SETTLED
from tests.search.test_solved import position
from tesuji import BLACK, PASS, Game, Search
from tesuji._core import TreeOptions
from tesuji.features import symmetry
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.networks.evaluators.wrappers import AverageOfSymmetries
from tesuji.search.options import AS_THEY_ARE, OUTSIDE, TRANSLATED, WORDS, SearchOptions, tree_options


class WithoutPass(Uniform):
    """A network of the papers: its policy knows points only."""

    has_pass = False

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        said.policy[:, -1] = 0
        return said


def test_passing_gets_its_prior_by_rule_where_the_network_has_none() -> None:
    game = Game(size=9)
    assert Search(WithoutPass(), visits=1).run(game).priors[PASS] == pytest.approx(0.01)
    game.play(PASS)
    priors = Search(WithoutPass(), visits=1).run(game).priors
    assert priors[PASS] == pytest.approx(0.3)
    assert priors[0] == pytest.approx(0.7 / 81)
    nothing_but_own_eyes = position(SETTLED, BLACK)
    assert Search(WithoutPass(), visits=1).run(nothing_but_own_eyes).priors[PASS] == pytest.approx(1)


def test_eight_symmetries_are_averaged_as_the_wrapper_does() -> None:
    game = Game(size=9)
    game.play("C4")
    inside = Search(Hash(), visits=60, batch=1, symmetry="all").run(game)
    around = Search(AverageOfSymmetries(Hash()), visits=60, batch=1).run(game)
    assert inside.priors == pytest.approx(around.priors, abs=1e-6)
    assert inside.network_value == pytest.approx(around.network_value, abs=1e-6)
    assert inside.visits == around.visits


def test_a_random_symmetry_is_turned_back() -> None:
    game = Game(size=9)
    game.play("C4")
    views = tesuji.encode([game] * 8, "golois-31", range(8))
    policies = Hash()(views, [7.5] * 8).policy
    turned = [symmetry.transform_policy(policies[s], symmetry.inverse(s)) for s in range(8)]
    legal = [move for move in game.legal_moves() if move != PASS]
    seen = set()
    for seed in range(30):
        priors = Search(Hash(), visits=1, symmetry="random", seed=seed).run(game).priors
        found = np.array([priors[move] for move in legal])
        distances = [np.abs(found / found.sum() - policy[legal] / policy[legal].sum()).max() for policy in turned]
        assert min(distances) < 1e-6
        seen.add(int(np.argmin(distances)))
    assert len(seen) > 4


def test_early_stop_spares_visits_that_cannot_matter() -> None:
    game = Game(size=9)
    full = Search(Hash(), visits=400, batch=1).run(game)
    early = Search(Hash(), visits=400, batch=1, early_stop=True).run(game)
    assert early.move == full.move
    assert early.root_visits < 400
    first, second = sorted(early.visits.values(), reverse=True)[:2]
    assert first - second > 400 - early.root_visits


def test_noise_changes_the_search_and_not_what_is_told_of_the_network() -> None:
    plain, noisy = (Search(Hash(), visits=100, batch=1, noise=noise).run(Game(size=9)) for noise in (0.0, 0.25))
    assert noisy.priors == plain.priors
    assert noisy.visits != plain.visits


def test_a_search_without_end_has_no_halving_and_still_a_move() -> None:
    stop = threading.Event()

    def enough(result: tesuji.SearchResult) -> None:
        if result.root_visits > 40:
            stop.set()

    search = Search(Hash(), gumbel_moves=8, batch=4)
    result = search.run(Game(size=9), unlimited=True, stop=stop, report=enough, interval=0)
    assert result.move == max(result.visits, key=lambda move: result.visits[move])
    assert result.visits[result.move] > 0


def test_every_option_reaches_the_tree_or_is_heeded_outside_it() -> None:
    """A field that is renamed on one side only would be dropped in silence."""
    names = [field.name for field in dataclasses.fields(SearchOptions)]
    assert sorted((*AS_THEY_ARE, *TRANSLATED, *OUTSIDE)) == sorted(names)
    core = {name for name in dir(TreeOptions()) if not name.startswith("_")}
    by_network = {"has_pass"}
    assert core - by_network == {*AS_THEY_ARE, "first_play", "penalty", "symmetries", "history", "memory"}


@pytest.mark.parametrize("name", [*AS_THEY_ARE, *TRANSLATED])
def test_an_option_of_the_tree_changes_it(name: str) -> None:
    usual = SearchOptions()
    value = getattr(usual, name)
    other: Any
    if name in WORDS:
        other = next(word for word in reversed(WORDS[name]) if word != value)
    elif isinstance(value, bool):
        other = not value
    else:
        other = value + (0.25 if isinstance(value, float) else 1)
    changed = dataclasses.replace(usual, **{name: other})
    before, after = tree_options(usual, "golois-31", True), tree_options(changed, "golois-31", True)
    told = {entry for entry in dir(before) if getattr(before, entry) != getattr(after, entry) and entry[0] != "_"}
    assert len(told) == 1
