"""The tree in C++ against PUCT written plainly: the same visits, the same means."""

import pytest

from tests.search.evaluators import Hash
from tests.search.slow_puct import SlowPuct
from tesuji import Game, Search
from tesuji._core import play_out

HISTORY = {"none": 0, "position": 1, "history": 5}


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
    search = Search(Hash(), visits=visits, batch=1, c=c, tau=tau, transpositions=transpositions, prove=False)
    result = search.run(game)
    assert {move: n for move, n in result.visits.items() if n} == golden.visits
    for move, n in golden.visits.items():
        assert result.values[move] == pytest.approx(golden.sums[move] / n, abs=1e-12)
    # The nodes of the slow tree are the evaluations of ours; ours also keeps ended games.
    assert result.evaluations == len(slow.entries)
