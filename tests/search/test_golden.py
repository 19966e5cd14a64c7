"""The tree in C++ against PUCT written plainly: the same visits, the same means."""

from typing import Any

import pytest

from tests.search.evaluators import Counting, Hash
from tests.search.slow_puct import SlowPuct
from tesuji import Game, Search, SearchOptions
from tesuji._core import play_out
from tesuji.search.options import PAPERS_SEARCH

HISTORY = {"none": 0, "position": 1, "history": 5}
PLAIN = SearchOptions(**PAPERS_SEARCH, prove=False)


@pytest.mark.parametrize("transpositions", HISTORY)
@pytest.mark.parametrize(
    ("size", "moves", "rules", "c", "tau"),
    [
        (9, 0, "tromp-taylor", 0.5, 0.5),
        (9, 40, "chinese", 0.3, 0.737),
        (5, 15, "tromp-taylor", 1.5, 0.5),
        (3, 4, "tromp-taylor", 1.0, 0.6),
        (3, 0, "new-zealand", 2.0, 0.5),
    ],
)
def test_same_tree_as_the_slow_one(
    size: int, moves: int, rules: str, c: float, tau: float, transpositions: str
) -> None:
    game = Game(size=size, komi=6.5, rules=rules)
    play_out(game, seed=size + moves, max_moves=moves)
    visits = 500 if size < 9 else 200
    slow = SlowPuct(Hash(), c, tau, HISTORY[transpositions])
    golden = slow.run(game, visits)
    search = Search(Hash(), PLAIN, visits=visits, c=c, tau=tau, transpositions=transpositions)
    result = search.run(game)
    assert {move: n for move, n in result.visits.items() if n} == golden.visits
    for move, n in golden.visits.items():
        assert result.values[move] == pytest.approx(golden.sums[move] / n, abs=1e-12)
    # The nodes of the slow tree are the evaluations of ours; ours also keeps ended games.
    assert result.evaluations == len(slow.entries)


@pytest.mark.parametrize("first_play", ["parent", "network", "siblings", "best", "fixed"])
@pytest.mark.parametrize("reduction", [0.0, 0.2])
def test_untried_moves_are_worth_what_the_options_say(first_play: str, reduction: float) -> None:
    game = Game(size=7, komi=6.5)
    golden = SlowPuct(Hash(), 0.5, 0.5, 5, first_play, reduction).run(game, 200)
    search = Search(Hash(), PLAIN, visits=200, first_play=first_play, first_play_reduction=reduction)
    assert {move: n for move, n in search.run(game).visits.items() if n} == golden.visits


def test_the_score_counts_where_stones_were_given() -> None:
    game = Game(size=9, komi=0.5)
    game.place_handicap(4)
    plain = SlowPuct(Counting(), 0.5, 0.5, 5).run(game, 200).visits
    wide = SlowPuct(Counting(), 0.5, 0.5, 5, score_weight=0.1, score_weight_near=0.3).run(game, 200).visits
    assert wide != plain
    for handicap_score, golden in ((0.3, wide), (0.0, plain)):
        search = Search(Counting(), PLAIN, visits=200, handicap_score=handicap_score)
        assert {move: n for move, n in search.run(game).visits.items() if n} == golden
    assert SearchOptions().handicap_score == 0.3


@pytest.mark.parametrize(
    "options",
    [
        {"c_log": 0.3, "c_base": 20.0},
        {"c_spread": 0.85},
        {"score_weight": 0.1},
        {"score_weight_near": 0.3},
        {"c_log": 0.2, "c_spread": 0.5, "score_weight": 0.05, "score_weight_near": 0.15},
    ],
)
def test_exploration_and_score_as_written(options: dict[str, Any]) -> None:
    game = Game(size=7, komi=6.5)
    play_out(game, seed=3, max_moves=9)
    golden = SlowPuct(Counting(), 0.5, 0.5, 5, **options).run(game, 200)
    plain = SlowPuct(Counting(), 0.5, 0.5, 5).run(game, 200)
    search = Search(Counting(), PLAIN, visits=200, **options)
    assert {move: n for move, n in search.run(game).visits.items() if n} == golden.visits
    assert golden.visits != plain.visits, "the option changes nothing here, so the test says nothing"
