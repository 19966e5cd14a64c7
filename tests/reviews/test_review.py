"""Reviews of whole games, with networks known to the last bit."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.go.drawing import game_on
from tests.search.evaluators import Counting, Hash, Owning, Uniform
from tesuji import BLACK, PASS, WHITE, Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.go.coordinates import parse_vertex
from tesuji.reviews.analysis import Analysis, Candidate, agreeing
from tesuji.reviews.game_review import GameFacts
from tesuji.reviews.judging import Judges, shares
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.positions import positions_of
from tesuji.reviews.reviewer import review_game
from tesuji.reviews.settled import settled_from
from tesuji.reviews.summary import phase_of
from tesuji.reviews.verdicts import lost, second_verdict, verdict


def some_game(moves: int = 30, seed: int = 3, size: int = 7) -> Game:
    game = Game(size, 7)
    random = np.random.default_rng(seed)
    for _ in range(moves):
        game.play(int(random.choice([move for move in game.legal_moves() if move != PASS])))
    return game


def analysis(
    score: float, to_play: tesuji.Color = BLACK, best: int = 0, owned: tuple[float, ...] | None = None
) -> Analysis:
    winrate = 0.5 + score / 100
    return Analysis(
        9, to_play, 64, winrate, score, (Candidate(best, 60, winrate, score, 0.5, (best,)),), (best,), owned
    )


def test_positions_stand_before_each_move_and_after_the_last() -> None:
    game = some_game(10)
    positions = positions_of(game)
    assert [len(position.moves) for position in positions] == list(range(11))
    assert positions[-1].hash == game.hash


def test_positions_of_a_game_given_up() -> None:
    game = some_game(4)
    game.resign(WHITE)
    assert len(positions_of(game)) == 5
    assert not positions_of(game)[-1].is_over


def test_positions_end_where_two_passes_end_the_game() -> None:
    game = some_game(4)
    game.play(PASS)
    game.play(PASS)
    positions = positions_of(game)
    assert len(positions) == 6
    assert not positions[-1].is_over


def test_a_position_has_the_player_of_the_next_move_to_play() -> None:
    game = Game(9)
    for vertex in ("C3", "G7", "G3"):
        game.play(vertex, BLACK)
    assert [position.to_play for position in positions_of(game)[:3]] == [BLACK] * 3


def test_shares_cover_everything_once() -> None:
    assert [list(part) for part in shares(7, 3)] == [[0, 1, 2], [3, 4], [5, 6]]
    assert [len(part) for part in shares(1, 3)] == [1, 0, 0]


def test_judging_gives_every_position_its_visits() -> None:
    positions = positions_of(some_game(20))
    told: list[int] = []
    found = Judges([Counting()], 7, threads=2).judge(positions, 16, told=lambda: told.append(1))
    assert [one.visits for one in found if one is not None] == [16] * 21
    assert len(told) == 21
    assert all(one.to_play == position.to_play for one, position in zip(found, positions, strict=True) if one)


def test_judging_the_same_twice_gives_the_same() -> None:
    positions = positions_of(some_game(12))
    first = Judges([Counting()], 7, threads=2).judge(positions, 32)
    assert first == Judges([Counting()], 7, threads=2).judge(positions, 32)


def test_judging_stops_at_its_deadline() -> None:
    found = Judges([Counting()], 7, threads=1).judge(positions_of(some_game()), 100_000, deadline=time.perf_counter())
    assert found == [None] * 31


def test_a_pass_is_not_answered_by_a_pass_that_ends_the_game_with_dead_stones_on_it() -> None:
    game = some_game(20)
    game.play(PASS)
    (found,) = Judges([Uniform()], 7, threads=1).judge([game], 64)
    assert found is not None
    assert PASS not in [candidate.move for candidate in found.candidates]


@pytest.mark.parametrize(
    ("winrate", "score", "told"), [(0.6, 3.0, 3.0), (0.6, -0.4, 0.0), (0.4, 2.0, 0.0), (0.5, 1.0, 0.0)]
)
def test_win_rate_and_score_agree(winrate: float, score: float, told: float) -> None:
    assert agreeing(winrate, score) == told


def test_in_a_review_they_always_agree() -> None:
    review = review_game(some_game(), [Counting()], ReviewOptions(visits=16, threads=1))
    for position in review.positions:
        assert position.black_score is not None
        assert (position.black_winrate - 0.5) * position.black_score >= 0


def test_the_best_move_loses_nothing() -> None:
    move = verdict(1, 5, analysis(3.0, best=5), analysis(-8.0, WHITE))
    assert (move.points, move.winrate, move.grade) == (0.0, 0.0, "good")


def test_points_are_lost_by_who_played() -> None:
    black = verdict(1, 5, analysis(3.0), analysis(-1.0, WHITE))
    assert black.points == pytest.approx(4.0)
    assert black.grade == "mistake"
    white = verdict(2, 5, analysis(-3.0, WHITE), analysis(3.5))
    assert white.points == pytest.approx(6.5)
    assert white.text == "White F9 loses 6.5 points; A9 was better"


def test_nobody_gains_by_a_move() -> None:
    assert lost(analysis(1.0), analysis(5.0), BLACK) == (0.0, 0.0)


def test_without_a_score_the_win_rate_counts() -> None:
    review = review_game(some_game(), [Hash()], ReviewOptions(visits=8, critical=4, threads=1))
    assert all(move.points is None for move in review.moves)
    mistakes = review.mistakes()
    assert mistakes
    assert [move.winrate for move in mistakes] == sorted((move.winrate for move in mistakes), reverse=True)


def test_mistakes_come_by_points_and_are_looked_at_twice() -> None:
    options = ReviewOptions(visits=8, critical=50, threads=1)
    review = review_game(some_game(), [Counting()], options)
    mistakes = review.mistakes()
    assert [move.points for move in mistakes] == sorted((move.points or 0 for move in mistakes), reverse=True)
    assert all(move.looked_twice and move.visits == 32 for move in mistakes)
    assert {move.color for move in review.mistakes([WHITE])} <= {WHITE}


def test_the_same_game_gives_the_same_mistakes() -> None:
    first, second = (review_game(some_game(), [Counting()], ReviewOptions(visits=16)) for _ in range(2))
    assert first.moves == second.moves


def test_a_budget_is_kept() -> None:
    class Slow(Counting):
        def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
            time.sleep(0.002 * len(planes))
            return super().__call__(planes, komi)

    began = time.perf_counter()
    review = review_game(some_game(), [Slow()], ReviewOptions(visits=4000, budget=2.0, threads=1))
    assert time.perf_counter() - began < 6
    assert 1 <= review.visits < 4000
    assert len({position.visits for position in review.positions}) == 1


def test_progress_is_told_to_its_end() -> None:
    told: list[tuple[str, int, int]] = []
    review_game(
        some_game(10), [Counting()], ReviewOptions(visits=4, threads=1), progress=lambda *news: told.append(news)
    )
    assert ("all moves", 11, 11) in told


SETTLED = """
    . X . X O . O . O
    X X X X O O O O O
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X . O . . .
"""


def owned_by_column() -> tuple[float, ...]:
    row = [1.0] * 4 + [-1.0] * 5
    return tuple(row * 8 + [1.0] * 4 + [0.0] + [-1.0] * 4)


def test_the_last_neutral_point_and_all_after_the_first_pass_are_not_judged() -> None:
    game = game_on(SETTLED)
    for vertex in ("E1", "pass", "A1", "J1", "B2"):
        game.play(vertex)
    positions = positions_of(game)
    analyses = [analysis(0.0, position.to_play, owned=owned_by_column()) for position in positions]
    assert settled_from(positions, analyses) == 0


def test_a_pass_while_everything_is_open_settles_nothing() -> None:
    game = Game(9)
    for vertex in ("pass", "E5", "C3"):
        game.play(vertex)
    positions = positions_of(game)
    open_board = [analysis(0.0, position.to_play, owned=(0.1,) * 81) for position in positions]
    assert settled_from(positions, open_board) == 3


def test_passes_at_the_end_are_never_mistakes() -> None:
    game = some_game(10)
    game.play(PASS)
    game.play(PASS)
    review = review_game(game, [Hash()], ReviewOptions(visits=4, threads=1))
    assert review.settled_from == 10
    assert all(not move.counted for move in review.moves[10:])
    assert not [move for move in review.mistakes() if move.number > 10]


def test_phases_by_the_size_of_the_board() -> None:
    assert [phase_of(number, 19) for number in (50, 51, 151, 152)] == [
        "opening",
        "middle game",
        "middle game",
        "endgame",
    ]


def test_who_is_meant() -> None:
    facts = GameFacts(black="Shin Jinseo", white="Ke Jie")
    assert facts.colors_of("ke") == [WHITE]
    assert facts.colors_of("Black") == [BLACK]
    assert facts.colors_of("") == [BLACK, WHITE]
    assert facts.colors_of("Lee") == []


def test_a_game_without_moves_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="no moves to review"):
        review_game(Game(9), [Uniform()])


def test_wrong_options_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="visits"):
        tesuji.review(some_game(), net=Uniform(), visits=0)
    with pytest.raises(InputError, match="budget"):
        tesuji.review(some_game(), net=Uniform(), budget=-1.0)
    with pytest.raises(ValueError, match="visits"):
        tesuji.review(some_game(), net=Uniform(), visit=3)


def test_rows_for_tables(tmp_path: Path) -> None:
    path = tmp_path / "mine.sgf"
    tesuji.write_sgf(some_game(12), path, black="A", white="B")
    review = tesuji.review(path, net=Owning(), visits=8)
    rows = review.to_rows()
    assert [row["number"] for row in rows] == list(range(1, 13))
    assert {row["player"] for row in rows} == {"A", "B"}
    assert rows[0]["game"] == "mine"
    pandas = pytest.importorskip("pandas")
    assert isinstance(review.to_frame(), pandas.DataFrame)


def test_a_position_analysed() -> None:
    game = some_game(12)
    found = tesuji.analyse(game, visits=64, net=Counting())
    assert found.visits == 64
    assert game.is_legal(found.best)
    assert found.to_rows()[0]["move"] == game.vertex(found.best)
    assert len(found.line) >= 1
    game.resign(BLACK)
    with pytest.raises(InputError, match="over"):
        tesuji.analyse(game, net=Counting())


def test_vertices_in_the_review_are_those_of_the_game() -> None:
    game = some_game(6)
    review = review_game(game, [Uniform()], ReviewOptions(visits=4, threads=1))
    assert [parse_vertex(move.vertex, 7) for move in review.moves] == [move for _, move in game.moves]


def test_the_second_look_clears_a_move_that_is_best_after_all() -> None:
    first = verdict(1, 5, analysis(3.0), analysis(-1.0, WHITE))
    cleared = second_verdict(first, analysis(3.0, best=5), None, None)
    assert (cleared.points, cleared.winrate, cleared.better, cleared.looked_twice) == (0.0, 0.0, 5, True)


def test_the_second_look_compares_both_moves_with_the_same_player_to_move() -> None:
    first = verdict(1, 5, analysis(3.0), analysis(-1.0, WHITE))
    seen = second_verdict(first, analysis(9.0, best=7), analysis(2.0, WHITE, best=8), analysis(-0.5, WHITE, best=9))
    assert seen.points == pytest.approx(2.5)
    assert (seen.line, seen.refutation) == ((7, 8), (9,))


def test_a_pass_in_words() -> None:
    passed = verdict(2, PASS, analysis(-3.0, WHITE), analysis(3.5))
    assert passed.text == "White's pass loses 6.5 points; A9 was better"


def test_a_frame_without_pandas_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        analysis(1.0).to_frame()
