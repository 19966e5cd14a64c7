"""What must hold after every search, whatever the position, budget, batch and number of threads."""

import random

import pytest

from tests.search.evaluators import Hash, Uniform
from tesuji import BLACK, PASS, Game, Search, SearchOptions
from tesuji._core import Leaves, Tree, gather_all, play_out
from tesuji.search.options import tree_options
from tesuji.search.work import scatter

RULES = ("tromp-taylor", "chinese", "aga", "new-zealand", "japanese")


def random_game(chance: random.Random, sizes: tuple[int, ...] = (2, 3, 5, 7, 9)) -> Game:
    size = chance.choice(sizes)
    game = Game(size=size, komi=chance.choice((0, 0.5, 6.5, 7.5, -3)), rules=chance.choice(RULES))
    play_out(game, chance.getrandbits(32), max_moves=chance.randrange(3 * size * size))
    while game.is_over:
        game.undo()
    return game


def random_options(chance: random.Random, threads: int) -> SearchOptions:
    return SearchOptions(
        visits=chance.randrange(1, 120),
        batch=chance.choice((1, 2, 5, 16, 64)),
        threads=threads,
        c=chance.choice((0.05, 0.5, 2.0)),
        tau=chance.choice((0.3, 0.5, 0.737)),
        first_play=chance.choice(("parent", "mu", "network", "siblings", "best", "fixed")),
        first_play_reduction=chance.choice((0.0, 0.2)),
        penalty=chance.choice(("loss", "mean")),
        penalty_weight=chance.choice((0.5, 1.0, 3.0)),
        batch_growth=chance.choice((0, 0, 1, 8)),
        c_log=chance.choice((0.0, 0.2)),
        c_spread=chance.choice((0.0, 0.8)),
        score_weight=chance.choice((0.0, 0.05)),
        score_weight_near=chance.choice((0.0, 0.15)),
        second_move=chance.random() < 0.3,
        last_iteration=chance.choice((0, 0, 10)),
        root_symmetries=chance.random() < 0.3,
        root_temperature=chance.choice((1.0, 1.2)),
        transpositions=chance.choice(("none", "position", "history")),
        symmetry=chance.choice(("none", "random", "all")),
        prove=chance.random() < 0.5,
        noise=chance.choice((0.0, 0.25)),
        gumbel_moves=chance.choice((0, 0, 4, 16)),
        choice=chance.choice(("visits", "temperature", "lcb", "search-2021", "second-2020", "policy-2021")),
        seed=chance.getrandbits(60),
    )


def search_and_check(chance: random.Random, threads: int) -> None:
    """One random search: a legal move, a tree that adds up, the budget used and not overstepped."""
    game = random_game(chance)
    options = random_options(chance, threads)
    search = Search([chance.choice((Hash, Uniform))()] * threads, options)
    result = search.run(game, pass_share=chance.choice((0.0, 0.0, 0.25, 1.0)))
    assert game.is_legal(result.move)
    assert set(result.visits) == set(game.legal_moves())
    assert all(0 <= value <= 1 for value in result.values.values())
    assert options.visits is not None
    assert result.root_visits <= options.visits
    assert search._tree is not None
    assert search._tree.violations() == []
    assert search._tree.finished


@pytest.mark.parametrize("seed", range(4))
def test_random_searches_leave_a_consistent_tree_and_a_legal_move(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(120):
        search_and_check(chance, threads=1)


def test_several_threads_keep_the_tree_consistent() -> None:
    chance = random.Random(9)
    for _ in range(40):
        search_and_check(chance, threads=chance.choice((2, 3, 4)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_ten_thousand_random_searches(seed: int) -> None:
    """500 positions for each of the 20 seeds: any budget, batch, number of threads and option."""
    chance = random.Random(seed)
    for _ in range(500):
        search_and_check(chance, threads=chance.choice((1, 1, 2, 3, 4)))


def test_ten_thousand_positions_in_step() -> None:
    """The same through the pool's three calls, many trees to a batch, so that it is quick."""
    chance = random.Random(3)
    leaves = Leaves("golois-31", 5, 64)
    for _ in range(100):
        games = [random_game(chance, sizes=(5,)) for _ in range(100)]
        trees = []
        for game in games:
            tree = Tree(tree_options(SearchOptions(batch=4), "golois-31", chance.random() < 0.5), "golois-31", 5)
            tree.set_root(game)
            tree.set_target(chance.randrange(1, 12))
            trees.append(tree)
        while not all(tree.finished for tree in trees):
            gather_all(trees, leaves, [chance.randrange(1, 4) for _ in trees], chance.randrange(100))
            scatter(leaves, Uniform())
        leaves.abandon()
        for game, tree in zip(games, trees, strict=True):
            assert {move.move for move in tree.root_moves()} == set(game.legal_moves())
            assert tree.violations() == []


def test_moves_in_the_tree_are_those_of_a_replayed_game() -> None:
    """10 000 nodes reached by random paths, superko and kos included."""
    chance = random.Random(5)
    checked = 0
    while checked < 10_000:
        game = random_game(chance, sizes=(2, 3, 4, 5))
        search = Search(
            Uniform(), visits=3000, batch=64, prove=False, transpositions=chance.choice(("position", "history"))
        )
        search.run(game)
        tree = search._tree
        assert tree is not None
        for _ in range(400):
            path: list[int] = []
            replay = game.copy()
            while moves := tree.playable_moves(path):
                assert set(moves) == set(replay.legal_moves())
                checked += 1
                path.append(chance.choice(moves))
                replay.play(path[-1])
                if replay.is_over:
                    break


def test_virtual_losses_vanish_when_leaves_are_abandoned() -> None:
    tree = Tree(tree_options(SearchOptions(batch_growth=0), "golois-31", True), "golois-31", 9)
    game = Game(size=9)
    tree.set_root(game)
    leaves = Leaves("golois-31", 9, 32)
    tree.gather(leaves, 32)
    scatter(leaves, Hash())
    for _ in range(5):
        tree.gather(leaves, 32)
        scatter(leaves, Hash())
    before = tree.statistics.visits
    tree.gather(leaves, 32)
    assert len(leaves) > 1
    with pytest.raises(RuntimeError, match="waits"):
        tree.set_root(game)
    leaves.abandon()
    assert tree.violations() == []
    assert tree.statistics.visits == before
    game.play("E5")
    tree.set_root(game)


def test_reused_and_compacted_trees_stay_consistent() -> None:
    """A whole game with a memory limit so small that the tree is copied again and again."""
    game = Game(size=5, komi=0.5)
    search = Search(Hash(), visits=2000, batch=8, memory_mb=1)
    kept = 0
    while not game.is_over and game.move_count < 40:
        result = search.run(game)
        assert search._tree is not None
        assert search._tree.violations() == []
        kept += result.root_visits - result.descents
        game.play(result.move)
    assert kept > 1000


def test_undo_finds_the_old_position_again() -> None:
    game = Game(size=9)
    search = Search(Hash(), visits=200)
    first = search.run(game)
    game.play(first.move, BLACK)
    search.run(game)
    game.undo()
    again = search.run(game)
    assert again.descents == 0
    assert again.visits[first.move] >= first.visits[first.move]
    assert PASS in again.visits
