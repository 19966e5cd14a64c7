"""Bad input gives a clear error or a defined move: no deadlock, nothing left pending."""

import math
import re
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.search.evaluators import Hash, Uniform
from tesuji import PASS, Game, Search, SearchOptions, SearchPlayer, SearchPool
from tesuji.features.evaluation import Evaluation, Floats


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"visits": 0}, "visits is 0; it must be at least 1"),
        ({"visits": -5}, "visits is -5"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"seconds": math.nan}, "seconds is nan"),
        ({"batch": 0}, "batch is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"c": math.inf}, "c is inf"),
        ({"noise": 1.5}, "noise is 1.5"),
        ({"first_play": "parrent"}, "one of parent, mu, network, siblings, best, fixed"),
        ({"symmetry": "eight"}, "one of none, random, all"),
        ({"memory_mb": 0}, "memory_mb is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_options_say_what_is_wrong(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"visit": 9}, "no search option 'visit'; did you mean 'visits'?"),
        ({"gumbel": 4}, "did you mean 'gumbel_"),
        ({"zzz": 4}, "no search option 'zzz'; there are visits, seconds, c"),
        ({"visits": "many"}, "search option visits is 'many'; it must be a whole number"),
        ({"batch": 2.5}, "search option batch is 2.5; it must be a whole number"),
        ({"c": None}, "search option c is None; it must be a number"),
        ({"prove": "yes"}, "search option prove is 'yes'; it must be True or False"),
        ({"choice": 3}, "search option choice is 3; it must be text"),
    ],
)
def test_keywords_that_are_no_options_are_one_clear_line(changes: dict[str, Any], message: str) -> None:
    pool = SearchPool(Uniform(), size=5)
    for use in (
        lambda: Search(Uniform(), **changes),
        lambda: SearchPlayer(Uniform(), **changes),
        lambda: pool.open(**changes),
    ):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            use()
        assert "\n" not in str(caught.value)


def test_a_search_needs_an_end() -> None:
    with pytest.raises(ValueError, match="needs visits, seconds"):
        Search(Uniform(), visits=None).run(Game(size=9))
    with pytest.raises(ValueError, match="at least 1"):
        Search(Uniform()).run(Game(size=9), visits=0)


def test_a_finished_game_has_nothing_to_search() -> None:
    game = Game(size=9)
    game.play(PASS)
    game.play(PASS)
    with pytest.raises(ValueError, match="the game is over"):
        Search(Uniform()).run(game)
    assert SearchPlayer(Uniform()).move(game).move == PASS


class Broken(Hash):
    """Answers well for a while, then as told."""

    def __init__(self, trouble: str, after: int = 3) -> None:
        super().__init__()
        self.trouble, self.left = trouble, after

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        self.left -= 1
        if self.left > 0:
            return said
        if self.trouble == "raises":
            raise OSError("the device is gone")
        if self.trouble == "nan-policy":
            said.policy[-1, 5] = np.nan
        elif self.trouble == "nan-value":
            said.value[0] = np.nan
        elif self.trouble == "big-value":
            said.value[0] = 7
        elif self.trouble == "short":
            return Evaluation(said.policy[:-1], said.value[:-1])
        elif self.trouble == "no-pass":
            return Evaluation(said.policy[:, :-1], said.value)
        return said


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        ("raises", "the device is gone"),
        ("nan-policy", "probability .*nan"),
        ("nan-value", "value of .*nan"),
        ("big-value", "between 0 and 1"),
        ("short", "positions"),
        ("no-pass", "positions"),
    ],
)
def test_a_failing_evaluator_ends_the_search_and_leaves_no_trace(trouble: str, message: str, threads: int) -> None:
    search = Search(Broken(trouble), visits=500, batch=4, threads=threads)
    with pytest.raises((ValueError, OSError), match=message):
        search.run(Game(size=9))
    assert search._tree is not None
    assert search._tree.violations() == []
    assert threading.active_count() < 10
    # The same search goes on once the evaluator recovers.
    search._evaluators[0].left = 10**9  # type: ignore[attr-defined]
    assert search.run(Game(size=9)).root_visits == 500


def test_nothing_but_zeros_is_no_policy() -> None:
    class Silent(Uniform):
        def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
            said = super().__call__(planes, komi)
            return Evaluation(np.zeros_like(said.policy), said.value)

    result = Search(Silent(), visits=50).run(Game(size=9))
    assert result.priors[0] == pytest.approx(1 / 82)


def test_full_memory_ends_the_search_with_a_move() -> None:
    game = Game(size=9)
    search = Search(Hash(), visits=100_000, batch=16, memory_mb=1)
    result = search.run(game)
    assert result.memory_full
    assert result.root_visits < 100_000
    assert result.memory < 2.2e6
    assert search._tree is not None
    assert search._tree.violations() == []
    game.play(result.move)
    assert search.run(game).root_visits > 1


def test_another_size_than_the_network_plays() -> None:
    class Nine(Uniform):
        def plays(self, size: int) -> bool:
            return size == 9

    with pytest.raises(ValueError, match="does not play 13x13"):
        Search(Nine()).run(Game(size=13))
    with pytest.raises(ValueError, match="does not play 19x19"):
        SearchPool(Nine(), size=19)
    search = Search(Uniform(), visits=20)
    for size in (9, 5, 13):
        assert search.run(Game(size=size)).position.size == size


def test_one_search_runs_once_at_a_time() -> None:
    search = Search(Uniform())
    running = search.ponder(Game(size=9))
    while search._tree is None:
        pass
    with pytest.raises(ValueError, match="running already"):
        search.run(Game(size=9))
    running.stop()


def test_pool_refuses_what_makes_no_sense() -> None:
    pool = SearchPool(Uniform(), size=5, visits=10)
    slot = pool.open()
    with pytest.raises(ValueError, match="at least 1"):
        pool.submit(slot, Game(size=5), visits=0)
    with pytest.raises(ValueError, match="a pool needs visits"):
        pool.submit(pool.open(visits=None, seconds=1.0), Game(size=5))
    pool.submit(slot, Game(size=5))
    with pytest.raises(ValueError, match="being searched"):
        pool.submit(slot, Game(size=5))
    with pytest.raises(ValueError, match="another board size"):
        pool.submit(pool.open(), Game(size=9))
