"""Many games at once: the same searches as one by one, in few large batches."""

from collections.abc import Sequence

import pytest

from tests.search.evaluators import Hash, Uniform
from tesuji import Game, Search, SearchPool
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.search.options import SearchOptions


def test_a_pool_searches_as_a_single_search_does() -> None:
    pool = SearchPool(Hash(), size=9, visits=60, batch=8)
    games = [Game(size=9, komi=komi) for komi in (0.5, 5.5, 7.5)]
    slots = [pool.open(batch=1) for _ in games]
    for slot, game in zip(slots, games, strict=True):
        pool.submit(slot, game)
    found = {}
    while pool.busy:
        for done in pool.step():
            found[done.game.komi] = done.result.visits
    for game in games:
        assert found[game.komi] == Search(Hash(), visits=60, batch=1).run(game).visits


@pytest.mark.parametrize("growth", [0, 8])
@pytest.mark.parametrize("penalty", ["mean", "loss"])
def test_as_if_alone_every_tree_has_the_batches_of_its_own_options(growth: int, penalty: str) -> None:
    """Also when there is room for a few trees only; twenty games in step once had one leaf each, whatever they said."""
    options = SearchOptions(visits=200, batch_growth=growth, penalty=penalty)
    pool = SearchPool(Hash(), options, size=9, batch=24, as_if_alone=True)
    games = [Game(size=9, komi=komi + 0.5) for komi in range(20)]
    batches = {game.komi: 1 + 3 * (number % 6) for number, game in enumerate(games)}
    for game in games:
        pool.submit(pool.open(batch=batches[game.komi]), game)
    found = {}
    while pool.busy:
        for done in pool.step():
            found[done.game.komi] = done.result.visits
    for game in games:
        assert found[game.komi] == Search(Hash(), options, batch=batches[game.komi]).run(game).visits
    sequential = Search(Hash(), options, batch=1).run(games[5])
    assert found[games[5].komi] != sequential.visits  # a batch of 16 is seen in the tree


def test_batches_are_full_and_games_differ_by_their_options() -> None:
    sizes = []

    class Watched(Uniform):
        def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
            sizes.append(len(planes))
            return super().__call__(planes, komi)

    pool = SearchPool(Watched(), size=9, batch=32, visits=20, noise=0.25)
    slots = [pool.open(seed=seed) for seed in range(50)]
    for index, slot in enumerate(slots):
        pool.submit(slot, Game(size=9), visits=10 + index % 3)
    results = [done for _ in range(200) for done in pool.step()]
    assert len(results) == 50
    assert sum(sizes) / len(sizes) > 24
    assert {done.result.root_visits for done in results} == {10, 11, 12}
    assert len({tuple(done.result.visits.items()) for done in results}) > 10  # noise differs by seed


def test_whole_games_keep_their_trees() -> None:
    pool = SearchPool(Uniform(), size=5, visits=30, batch=16)
    for seed in range(8):
        pool.submit(pool.open(seed=seed, choice="temperature"), Game(size=5))
    kept = moves = 0
    while pool.busy and moves < 400:
        for done in pool.step():
            kept += done.result.root_visits - done.result.descents
            done.game.play(done.result.move)
            moves += 1
            if not done.game.is_over:
                pool.submit(done.slot, done.game)
    assert kept > 0
    assert pool.evaluations > pool.batches


def test_withdrawn_games_leave_the_others_alone() -> None:
    pool = SearchPool(Uniform(), size=5, visits=30, batch=4)
    slots = [pool.open() for _ in range(3)]
    for slot in slots:
        pool.submit(slot, Game(size=5))
    pool.step()
    pool.withdraw(slots[1])
    finished = []
    while pool.busy:
        finished += [done.slot for done in pool.step()]
    assert set(finished) == {slots[0], slots[2]}
