"""Players: choice by name, passing sense, resignation, komi and handicap."""

import collections
import dataclasses
import random
from collections.abc import Sequence

import numpy as np
import pytest

from tests.search.evaluators import Hash, Uniform
from tests.search.test_solved import position
from tesuji import BLACK, PASS, WHITE, Clock, Game, PolicyPlayer, SearchOptions, SearchPlayer
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.search.choice import CHOICES, choice_named
from tesuji.search.endgame.passing import SHARE, sensible_move
from tesuji.search.endgame.resigning import Resigning, ResignOptions
from tesuji.search.players import Player, PlayerOptions, RandomPlayer, Turn
from tesuji.search.pool import SearchPool
from tesuji.search.result import RootMove
from tesuji.search.search import Search


def moves(*facts: tuple[int, float]) -> list[RootMove]:
    """Moves 0, 1, ... with these visits and priors."""
    return [RootMove(move, visits, 0.5, prior, 0.1, None, None, (move,)) for move, (visits, prior) in enumerate(facts)]


def frequencies(name: str, among: list[RootMove], played: int = 0, **options: float) -> dict[int, float]:
    chance, choose = random.Random(1), choice_named(name)
    given = SearchOptions(**options)  # type: ignore[arg-type]
    chosen = collections.Counter(choose(among, given, played, chance).move for _ in range(4000))
    return {move: count / 4000 for move, count in chosen.items()}


def test_most_visits() -> None:
    assert frequencies("visits", moves((10, 0.1), (30, 0.2), (5, 0.7))) == {1: 1.0}


def test_2018_takes_any_prior_within_a_fifth_of_the_best() -> None:
    shares = frequencies("near-best-prior-2018", moves((9, 0.5), (1, 0.31), (5, 0.29)))
    assert shares == pytest.approx({0: 0.5, 1: 0.5}, abs=0.03)


def test_2020_takes_the_second_half_the_time_when_it_is_close() -> None:
    assert frequencies("second-2020", moves((10, 0.5), (6, 0.3))) == pytest.approx({0: 0.5, 1: 0.5}, abs=0.03)
    assert frequencies("second-2020", moves((10, 0.5), (5, 0.3))) == {0: 1.0}


def test_2021_policy_draws_from_the_two_best_priors() -> None:
    shares = frequencies("policy-2021", moves((0, 0.6), (0, 0.2), (0, 0.1)))
    assert shares == pytest.approx({0: 0.75, 1: 0.25}, abs=0.03)


def test_2021_search_draws_by_visits_when_the_second_has_half() -> None:
    assert frequencies("search-2021", moves((20, 0.5), (10, 0.3))) == pytest.approx({0: 2 / 3, 1: 1 / 3}, abs=0.03)
    assert frequencies("search-2021", moves((21, 0.5), (10, 0.3))) == {0: 1.0}


def test_temperature_spreads_until_its_move() -> None:
    among = moves((30, 0.5), (10, 0.3))
    assert frequencies("temperature", among, temperature=1.0) == pytest.approx({0: 0.75, 1: 0.25}, abs=0.03)
    assert frequencies("temperature", among, temperature=0.5) == pytest.approx({0: 0.9, 1: 0.1}, abs=0.03)
    assert frequencies("temperature", among, played=30) == {0: 1.0}


def test_soft_priors_spread_all_game_long_among_twelve() -> None:
    among = moves((0, 0.4), (0, 0.1), (9, 0.0))
    assert frequencies("soft-prior", among, played=90) == pytest.approx({0: 0.8, 1: 0.2}, abs=0.03)
    assert frequencies("soft-prior", among, temperature=0.5) == pytest.approx({0: 16 / 17, 1: 1 / 17}, abs=0.03)
    assert frequencies("soft-prior", among, temperature=0.0) == {0: 1.0}
    many = moves(*[(0, 0.05)] * 20)
    assert len(frequencies("soft-prior", many, temperature=30.0)) == 12


def test_soft_priors_never_pass_by_chance() -> None:
    def with_pass(prior: float) -> list[RootMove]:
        return [*moves((0, 0.5), (0, 0.2)), RootMove(PASS, 0, 0.5, prior, 0.1, None, None, (PASS,))]

    assert set(frequencies("soft-prior", with_pass(0.4), temperature=5.0)) == {0, 1}
    assert frequencies("soft-prior", with_pass(0.6), temperature=5.0) == {PASS: 1.0}


def test_lower_bound_prefers_the_sure_move() -> None:
    risky = RootMove(0, 100, 0.52, 0.5, 0.45, None, None, (0,))
    sure = RootMove(1, 90, 0.51, 0.4, 0.05, None, None, (1,))
    assert choice_named("lcb")([risky, sure], SearchOptions(), 0, random.Random(1)).move == 1


def test_a_proven_win_is_taken_and_a_proven_loss_avoided() -> None:
    lost = RootMove(0, 90, 0.5, 0.5, 0.1, None, False, (0,))
    fair = RootMove(1, 10, 0.4, 0.3, 0.1, None, None, (1,))
    won = RootMove(2, 2, 0.9, 0.1, 0.1, None, True, (2,))
    for name in ("visits", "second-2020", "search-2021", "temperature", "lcb"):
        assert frequencies(name, [lost, fair]) == {1: 1.0}
        assert frequencies(name, [lost, fair, won]) == {2: 1.0}


def test_unknown_choice_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="there are visits"):
        choice_named("best")
    with pytest.raises(ValueError, match="no move choice"):
        Search(Uniform(), choice="nonsense")
    assert "search-2021" in CHOICES


SETTLED = """
    . X . X O .
    X X X X O O
    . X X O O .
    X X X O O O
    X X X O . O
    . X X O O O
"""


def test_passes_when_won_and_settled() -> None:
    game = position(SETTLED, BLACK, komi=0.5)
    assert game.black_score() > 0
    assert SearchPlayer(Uniform(), visits=50).move(game).move == PASS
    game.play(PASS)
    game.play(PASS)
    assert game.result() == "B+3.5"


def test_passes_back_only_when_the_board_is_won() -> None:
    game = position(SETTLED, WHITE, komi=0.5)
    game.play(PASS)
    assert SearchPlayer(Uniform(), visits=50).move(game).move == PASS


UNSETTLED = """
    . X O O .
    X X O O O
    X X . O O
    . X X O O
    X X X O .
"""


def test_does_not_pass_into_a_loss() -> None:
    """Behind on the board with a point still open, White plays it though the search would rather pass back."""
    game = position(UNSETTLED, BLACK, komi=-2.5)
    game.play(PASS)
    assert game.black_score() > 0
    result = Search(Uniform(), visits=50).run(game)
    resigned_to_pass = dataclasses.replace(result, move=PASS)
    move = sensible_move(game, resigned_to_pass)
    assert game.vertex(move) == "C3"


DEAD_INSIDE = """
    . X . O X .
    X X X X X .
    . X . X X X
    O O O O O O
    . O O . O O
    O O . O O O
"""


def test_captures_dead_stones_that_decide_before_passing() -> None:
    """By area rules the white stone at D6 counts until it is taken, and the game hangs on it."""
    game = position(DEAD_INSIDE, BLACK, komi=0)
    game.komi = float(np.floor(game.black_score() + game.komi) + 0.5)  # lost by half a point as the board stands
    assert game.black_score() < 0
    decision = SearchPlayer(Uniform(), visits=400, batch=4).move(game)
    after = game.copy()
    after.play(decision.move)
    assert after.black_score() > 0


def test_kgs_cleanup_takes_dead_stones_even_when_won() -> None:
    game = position(DEAD_INSIDE, BLACK, komi=-20.5)
    kept = SearchPlayer(Uniform(), visits=100).move(game)
    assert kept.move == PASS
    cleaned = SearchPlayer(Uniform(), visits=100, player=PlayerOptions(cleanup=True)).move(game)
    assert cleaned.move != PASS


def test_whole_games_end_sensibly_and_fill_no_eyes() -> None:
    """A hash evaluator plays nonsense, yet good sense ends every game with living groups."""
    for seed in range(3):
        game = Game(size=7, komi=6.5)
        black = SearchPlayer(Hash(2.0), visits=16, batch=4, seed=seed, player=PlayerOptions(resign=ResignOptions(0)))
        white = RandomPlayer(seed)
        while not game.is_over and game.move_count < 400:
            mover: Player = black if game.to_play == BLACK else white
            decision = mover.move(game)
            if decision.move != PASS and game.to_play == BLACK and game.board.is_eye(decision.move, BLACK):
                chains = [p for p in range(49) if game.board.at(p) == BLACK]
                assert min(game.board.liberties(p) for p in chains) == 1
            game.play(decision.move)
        assert game.is_over


class Hopeless(Uniform):
    """Black wins, whatever happens; `komi_seen` keeps what it was told."""

    def __init__(self) -> None:
        self.komi_seen: set[float] = set()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        self.komi_seen.update(float(k) for k in komi)
        policy = super().__call__(planes, komi).policy
        return Evaluation(policy, planes[:, 0, 0, 0] * 0.98 + 0.01)


def test_resigns_after_several_lost_moves_not_before() -> None:
    game = Game(size=9)
    player = SearchPlayer(Hopeless(), visits=8)
    other = RandomPlayer()
    resigned_at = None
    while resigned_at is None and game.move_count < 80:
        decision = (player if game.to_play == WHITE else other).move(game)
        resigned_at = game.move_count if decision.resign else None
        game.play(decision.move)
    assert resigned_at is not None
    assert resigned_at >= 0.3 * 81


class Blind(Hopeless):
    """Calls nothing lost where it is shown several positions at once, as in a look apart from the player's search."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        said = super().__call__(planes, komi)
        self.batches.append(len(planes))
        return said if len(planes) == 1 else Evaluation(said.policy, np.full(len(planes), 0.5, np.float32))


def test_who_wishes_to_resign_looks_once_more_and_plays_on_where_it_is_not_lost() -> None:
    game, evaluate, other = Game(size=9), Blind(), RandomPlayer()
    player = SearchPlayer(evaluate, visits=8, batch=1, root_symmetries=False)
    while game.move_count < 70:
        decision = (player if game.to_play == WHITE else other).move(game)
        assert not decision.resign
        game.play(decision.move)
    assert max(evaluate.batches) > 1


def test_white_does_not_resign_early_in_a_handicap_game() -> None:
    game = Game(size=9, komi=0.5)
    game.place_handicap(4)
    player = SearchPlayer(Hopeless(), visits=8)
    other = RandomPlayer()
    for _ in range(40):
        decision = (player if game.to_play == WHITE else other).move(game)
        assert not decision.resign
        game.play(decision.move)


def test_komi_reaches_the_network() -> None:
    evaluate = Hopeless()
    Search(evaluate, visits=20).run(Game(size=9, komi=-3.5))
    assert evaluate.komi_seen == {-3.5}


def test_the_clock_bounds_the_search() -> None:
    player = SearchPlayer(Uniform(), visits=None, seconds=30.0)
    decision = player.move(Game(size=9), clock=Clock.absolute(2.0))
    assert decision.result is not None
    assert decision.result.seconds < 0.9


def test_pondering_helps_the_next_move() -> None:
    player = SearchPlayer(Hash(), visits=200, batch=4, player=PlayerOptions(ponder=True))
    game = Game(size=9)
    game.play(player.move(game).move)
    while player.search._tree is None or player.search._tree.statistics.descents < 300:
        pass
    player.stop_pondering()
    reply = player.search._tree.root_moves()[0].move
    game.play(reply)
    decision = player.move(game)
    player.stop_pondering()
    assert decision.result is not None
    assert decision.result.root_visits > decision.result.descents


def test_policy_player_plays_the_prior() -> None:
    game = Game(size=9)
    result = Search(Hash(), visits=1, symmetry="none").run(game)
    assert PolicyPlayer(Hash()).move(game).move == max(result.priors, key=lambda move: result.priors[move])


def test_every_player_is_a_player() -> None:
    for player in (SearchPlayer(Uniform()), PolicyPlayer(Uniform()), RandomPlayer()):
        assert isinstance(player, Player)
        player.reset()


def test_a_share_of_the_search_looks_at_passing_where_the_game_is_settled_and_won() -> None:
    """Within the budget: nothing is searched beside it."""
    won = position(SETTLED, BLACK, komi=0.5)
    for game, share in ((won, SHARE), (position(SETTLED, BLACK, komi=9.5), 0.0), (Game(size=9), 0.0)):
        turn = Turn(game, PlayerOptions())
        assert turn.pass_share(None) == share
    for visits, batch, threads in ((16, 1, 1), (50, 8, 1), (101, 4, 2)):
        search = Search(Hash(), visits=visits, batch=batch, threads=threads, prove=False)
        result = search.run(won, pass_share=SHARE)
        assert result.root_visits == visits == 1 + sum(result.visits.values())
        assert result.visits[PASS] >= int(SHARE * visits)
        assert sum(search.run(won, visits=2 * visits).visits.values()) == 2 * visits - 1  # the share is given once
    assert Turn(won, PlayerOptions(sensible=False)).pass_share(None) == 0.0


WALLS = """
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    . . X O .
"""


class Lopsided(Uniform):
    """Sure that Black wins, and would never think of passing."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        plain = super().__call__(planes, komi)
        plain.policy[:, -1] = 1e-6
        black_to_play = planes[:, 0, 0, 0]
        return Evaluation(plain.policy, np.where(black_to_play > 0, 0.99, 0.01).astype(np.float32))


def test_a_pass_is_judged_alike_at_a_table_and_among_many_games() -> None:
    game, options = position(WALLS, BLACK, komi=0.5), PlayerOptions()
    for visits in (1, 8, 16, 60):
        search = SearchOptions(visits=visits, batch=1, prove=False, seed=3)
        alone = SearchPlayer(Lopsided(), search).move(game)
        pool = SearchPool(Lopsided(), search, size=game.size)
        turn, slot = Turn(game, options), pool.open()
        pool.submit(slot, turn.position, pass_share=turn.pass_share)
        done = [finished for _ in range(200) if pool.busy for finished in pool.step()]
        shared = turn.decide(done[0].result, Resigning(options.resign))
        assert alone.result is not None
        assert shared.result is not None
        assert alone.result.visits == shared.result.visits
        assert alone.move == shared.move
        assert alone.move == PASS or visits < 16


class Wary(Lopsided):
    """Sure that Black wins, unless he leaves White the next move."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        plain = super().__call__(planes, komi)
        stones = planes[:, 11:13].sum(axis=(1, 2, 3))
        plain.value[(stones == 10) & (planes[:, 0, 0, 0] == 0)] = 0.9
        return plain


def test_a_look_at_passing_makes_nobody_pass_into_danger() -> None:
    for visits in (2, 4, 8, 16, 60):
        decision = SearchPlayer(Wary(), visits=visits, batch=1, prove=False).move(position(WALLS, BLACK, komi=0.5))
        assert decision.move != PASS
