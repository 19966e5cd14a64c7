"""The search from the outside: what it returns, keeps, reports and refuses."""

import re
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import tesuji
from tests.search.evaluators import Hash, Owning, Uniform
from tesuji import PASS, Game, PlaneSet, Search
from tesuji._core import MoveStatistics, play_out
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.search.signature import PlanesDecide


def test_result_tells_what_was_searched() -> None:
    game = Game(size=9, komi=7.5)
    result = Search(Hash(), visits=200, batch=8).run(game)
    assert result.root_visits == 200 == 1 + sum(result.visits.values())
    assert result.descents == 200
    assert set(result.visits) == set(game.legal_moves())
    assert result.move == max(result.visits, key=lambda move: result.visits[move])
    assert result.pv[0] == result.move
    assert sum(result.priors.values()) == pytest.approx(1, abs=1e-5)
    assert result.white_winrate == pytest.approx(1 - result.value)
    assert result.depth >= 2


def test_one_visit_is_the_policy() -> None:
    result = Search(Hash(), visits=1).run(Game(size=9))
    assert result.evaluations == 1
    assert result.move == max(result.priors, key=lambda move: result.priors[move])


def test_the_tree_is_kept_when_the_game_goes_on() -> None:
    game = Game(size=9)
    search = Search(Hash(), visits=300)
    first = search.run(game)
    reply = first.pv[1]
    game.play(first.move)
    game.play(reply)
    second = search.run(game)
    assert 0 < second.descents < 300
    assert second.root_visits == 300


def test_the_tree_is_forgotten_when_komi_changes() -> None:
    game = Game(size=9, komi=7.5)
    search = Search(Hash(), visits=50)
    search.run(game)
    game.komi = 0.5
    assert search.run(game).descents == 50


def test_same_seed_same_search() -> None:
    runs = [Search(Hash(), visits=150, noise=0.25, symmetry="random", seed=5).run(Game(size=9)) for _ in range(2)]
    assert runs[0].visits == runs[1].visits


def test_report_and_stop() -> None:
    stop, reports = threading.Event(), []

    def report(result: tesuji.SearchResult) -> None:
        reports.append(result.root_visits)
        if len(reports) == 3:
            stop.set()

    Search(Hash()).run(Game(size=9), unlimited=True, stop=stop, report=report, interval=0.01)
    assert len(reports) == 3
    assert reports == sorted(reports)


def test_a_running_search_stops_when_asked() -> None:
    running = Search(Uniform()).ponder(Game(size=9))
    result = running.stop()
    assert result.root_visits >= 1
    assert not running.running


def test_score_and_ownership_come_from_the_network() -> None:
    result = Search(Owning(), visits=60, symmetry="none").run(Game(size=9, komi=7.5))
    assert result.black_score == pytest.approx(3.0 - 7.5, abs=1e-6)
    assert result.black_ownership is not None
    assert result.black_ownership[0, 0] == pytest.approx(1.0)
    assert result.black_ownership[0, 8] == pytest.approx(-1.0)


def test_picture_and_tree_until_the_search_moves_on() -> None:
    game = Game(size=9)
    search = Search(Hash(), visits=100)
    result = search.run(game)
    tree = result.tree(depth=2, width=3)
    assert len(tree) == 3
    assert tree[0].move == result.move
    assert tree[0].visits == result.visits[result.move]
    assert result.picture().startswith("<svg")
    assert f"Q {tree[0].value:.3f}".replace(".", ",") in result.picture(decimal=",")
    small, large = (_png_size(result.picture_png(depth=2, width=3, zoom=zoom)) for zoom in (1, 2))
    assert large == (2 * small[0], 2 * small[1])
    game.play(result.move)
    search.run(game)
    with pytest.raises(ValueError, match="gone on"):
        result.tree()


def _png_size(data: bytes) -> tuple[int, int]:
    """Width and height, from the header of a PNG file."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def test_a_picture_in_pixels_names_the_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'tesuji-go[plot]'")):
        Search(Hash(), visits=4).run(Game(size=5)).picture_png()


def test_the_picture_leaves_out_moves_that_its_path_forbids() -> None:
    """A shared position may hold moves that superko forbids here; an occupied point stands in for one."""
    told = [
        cast(MoveStatistics, SimpleNamespace(move=move, visits=9, value=0.5, prior=0.1, parent=parent))
        for move, parent in ((40, -1), (40, 0), (41, 0))
    ]
    plain = Search(Hash(), visits=1).run(Game(size=9))
    result = replace(plain, _subtree=lambda depth, width: told)
    assert [child.move for child in result.tree()[0].children] == [41]
    assert result.picture().count("<g ") == 3


def test_restrictions_hold() -> None:
    from tesuji._core import Restriction

    game = Game(size=9)
    allow = Restriction(game.to_play, ["E5", "D4"], allow=True, until_depth=1, size=9)
    result = Search(Hash(), visits=100).run(game, restrictions=[allow])
    assert {game.vertex(move) for move in result.visits} == {"E5", "D4"}
    avoid = Restriction(game.to_play, [PASS, result.move], allow=False, until_depth=1, size=9)
    other = Search(Hash(), visits=100).run(game, restrictions=[avoid])
    assert result.move not in other.visits
    assert PASS not in other.visits


def test_the_cache_answers_for_the_network() -> None:
    class Counting(Hash):
        judged = 0

        def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
            self.judged += len(planes)
            return super().__call__(planes, komi)

    evaluate = Counting()
    search = Search(evaluate, visits=100, batch=1, cache=100_000, reuse=False)
    first = search.run(Game(size=9))
    judged = evaluate.judged
    again = search.run(Game(size=9))
    assert again.visits == first.visits
    assert evaluate.judged == judged
    assert search.run(Game(size=9, komi=0.5)).evaluations > 0


@pytest.mark.parametrize("planes", PlaneSet.names())
@pytest.mark.parametrize("rules", ["tromp-taylor", "new-zealand", "japanese"])
def test_remembered_evaluations_belong_to_the_same_planes(planes: str, rules: str) -> None:
    """A pure tree meets many positions twice; with answers drawn from the planes a wrong memory would show."""
    for seed in range(3):
        game = Game(size=4, komi=0.5, rules=rules)
        play_out(game, seed, max_moves=8 * seed)
        plain, remembering = (
            Search(PlanesDecide(planes), visits=250, batch=1, cache=cache, transpositions="none", prove=False).run(game)
            for cache in (0, 100_000)
        )
        assert [(m.move, m.visits) for m in plain.moves] == [(m.move, m.visits) for m in remembering.moves]
        assert plain.evaluations >= remembering.evaluations


def test_remembered_evaluations_are_not_carried_to_other_rules() -> None:
    def search(cache: int) -> Search:
        return Search(PlanesDecide("katago-v7"), visits=60, batch=1, reuse=False, cache=cache)

    remembering = search(100_000)
    for rules in ("tromp-taylor", "chinese", "aga", "new-zealand", "japanese"):
        game = Game(size=5, komi=6.5, rules=rules)
        assert remembering.run(game).visits == search(0).run(game).visits


class Dozing(Uniform):
    """Every answer takes its time, but not the processor's."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        time.sleep(0.01)
        return super().__call__(planes, komi)


def test_processor_time_is_not_spent_while_others_work() -> None:
    game = Game(size=9)
    found = {
        clock: Search(Dozing(), visits=30, seconds=0.1, clock=clock, batch=1).run(game).root_visits
        for clock in ("wall", "processor")
    }
    assert found["wall"] < 15
    assert found["processor"] == 30
    busy = Search(Uniform(), visits=None, seconds=0.1, clock="processor", batch=4)
    before = time.thread_time()
    busy.run(game)
    assert time.thread_time() - before == pytest.approx(0.1, abs=0.06)


def test_the_third_time_of_a_position_is_no_result() -> None:
    """Three kos taken in turn under simple ko: the sixth move brings the first position back."""
    game = Game(size=13, komi=0, rules="japanese")
    black, white, kos = [], [], []
    for column in (0, 4, 8):  # on the bottom rows: B . . W below, the mouths of the ko between
        row, above = 12 * 13 + column, 11 * 13 + column
        black += [row, above + 1]
        white += [row + 3, above + 2]
        kos.append((row + 1, row + 2))  # White's stone stands on the first, Black's on the second
    black.append(kos[1][1])
    white += [kos[0][0], kos[2][0]]
    game.setup(black=black, white=white)
    cycle = [kos[0][1], kos[1][0], kos[2][1], kos[0][0], kos[1][1], kos[2][0]]
    for move in [*cycle, *cycle[:5]]:
        game.play(move)
    once = game.copy()
    for _ in range(6):
        once.undo()
    values = {}
    for name, position in (("twice", game), ("once", once)):
        result = Search(Hopeful(), visits=400, batch=1, reuse=False, first_play_reduction=0.0).run(position)
        values[name] = next(move.value for move in result.moves if move.move == cycle[5])
    assert values["twice"] == pytest.approx(0.5)
    assert values["once"] < 0.45


class Hopeful(Uniform):
    """Whoever is to play thinks to win: a move is worth little to who made it."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        found = super().__call__(planes, komi)
        return Evaluation(found.policy, np.full_like(found.value, 0.8))
