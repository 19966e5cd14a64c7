"""Who plays whom: everybody the same number of games, both colours, and Swiss rounds that follow from the games."""

from collections import Counter

import pytest

from tesuji.arena.play.openings import Opening, distinct, from_games
from tesuji.arena.play.results import GameResult
from tesuji.arena.play.schedule import (
    Meetings,
    PlannedGame,
    Schedule,
    Swiss,
    gauntlet,
    pair_by_points,
    round_robin,
    scores_of_pairs,
)
from tesuji.features.symmetry import transform_point

OPENINGS = [Opening((point,), 9) for point in (40, 30, 31)]


def result(planned: PlannedGame, text: str = "B+1") -> GameResult:
    return GameResult(planned.key, planned.black, planned.white, text, "counted", planned.round, planned.pair)


def finish(schedule: Schedule, strength: dict[str, int]) -> dict[str, GameResult]:
    """Plays everything, the stronger player always winning."""
    played: dict[str, GameResult] = {}
    while due := schedule.due(played):
        for planned in due:
            winner = "B" if strength[planned.black] > strength[planned.white] else "W"
            played[planned.key] = result(planned, f"{winner}+1")
    return played


def test_round_robin_is_even_in_games_colours_and_openings() -> None:
    schedule = round_robin(["a", "b", "c"], 6, OPENINGS)
    plan = schedule.due({})
    assert len(plan) == schedule.total == 18
    assert len({planned.key for planned in plan}) == 18
    assert Counter((planned.black, planned.white) for planned in plan) == dict.fromkeys(
        [(x, y) for x in "abc" for y in "abc" if x != y], 3
    )
    for planned in plan:
        assert (planned.white, planned.black, planned.opening) in {(s.black, s.white, s.opening) for s in plan}


def test_only_what_is_missing_is_due() -> None:
    schedule = round_robin(["a", "b"], 4, OPENINGS)
    first, *rest = schedule.due({})
    assert schedule.due({first.key: result(first)}) == rest


def test_more_games_keep_the_earlier_ones() -> None:
    short, long = (round_robin(["a", "b"], games, OPENINGS).due({}) for games in (4, 12))
    assert {planned.key for planned in short} <= {planned.key for planned in long}
    assert len({planned.key for planned in long}) == 12  # openings repeat, games do not


def test_gauntlet_and_fixed_colours() -> None:
    plan = gauntlet(["champion", "x", "y"], 2, OPENINGS).due({})
    assert all("champion" in (planned.black, planned.white) for planned in plan)
    fixed = Meetings([("x", "champion")], 5, OPENINGS, swap=False).due({})
    assert [planned.black for planned in fixed] == ["x"] * 5


def test_swiss_never_repeats_a_meeting_while_it_can_and_finds_the_best() -> None:
    names = [f"p{i}" for i in range(8)]
    strength = {name: i for i, name in enumerate(names)}
    schedule = Swiss(names, rounds=5, games=2, openings=OPENINGS)
    played = finish(schedule, strength)
    assert len(played) == schedule.total == 5 * 4 * 2
    met = Counter(frozenset((game.black, game.white)) for game in played.values())
    assert set(met.values()) == {2}
    points = dict.fromkeys(names, 0.0)
    for game in played.values():
        points[game.black] += game.black_points
        points[game.white] += 1 - game.black_points
    assert max(names, key=points.__getitem__) == "p7"


def test_swiss_with_an_odd_number_gives_everybody_at_most_one_bye() -> None:
    names = list("abcde")
    played = finish(Swiss(names, rounds=5, games=2, openings=OPENINGS), dict(zip(names, range(5), strict=True)))
    for number in range(5):
        present = {n for g in played.values() if g.round == number for n in (g.black, g.white)}
        assert len(present) == 4
    absences = Counter(
        name
        for number in range(5)
        for name in names
        if name not in {n for g in played.values() if g.round == number for n in (g.black, g.white)}
    )
    assert max(absences.values()) == 1


def test_swiss_resumes_in_the_middle_of_a_round() -> None:
    names = list("abcd")
    schedule = Swiss(names, rounds=3, games=2, openings=OPENINGS)
    whole = finish(schedule, dict(zip(names, range(4), strict=True)))
    half = dict(list(whole.items())[:5])
    assert {planned.key for planned in schedule.due(half)} <= set(whole)


def test_pairing_allows_a_repeat_only_when_nothing_else_is_left() -> None:
    met = {frozenset("ab"), frozenset("cd")}
    pairs, alone = pair_by_points("abcd", dict.fromkeys("abcd", 0.0), met, set())
    assert (pairs, alone) == ([("a", "c"), ("b", "d")], "")
    everybody = {frozenset((x, y)) for x in "abcd" for y in "abcd" if x != y}
    assert len(pair_by_points("abcd", dict.fromkeys("abcd", 0.0), everybody, set())[0]) == 2


def test_scores_of_pairs_stop_at_the_first_gap() -> None:
    plan = round_robin(["a", "b"], 8, OPENINGS).due({})
    games = [result(planned) for planned in plan if planned.pair in (0, 1, 3)]
    assert scores_of_pairs(games, "a") == [0.5, 0.5]
    assert scores_of_pairs(games[:-1], "a") == [0.5, 0.5]


def test_impossible_tournaments_are_refused() -> None:
    for players, games, why in (("a", 2, "two players"), ("aa", 2, "called 'a'"), ("ab", 3, "even numbers")):
        with pytest.raises(ValueError, match=why):
            round_robin(list(players), games, OPENINGS)
    with pytest.raises(ValueError, match="at least one round"):
        Swiss(["a", "b"], 0, 2, OPENINGS)


def test_turned_openings_are_the_same() -> None:
    opening = Opening((2, 12, 40), 9)
    turned = [Opening(tuple(transform_point(m, s, 9) for m in opening.moves), 9) for s in range(8)]
    assert list(distinct(turned)) == [turned[0]]
    assert opening.name == "C9-D8-E5"


def test_openings_from_games_need_enough_alternating_moves() -> None:
    game = OPENINGS[0].begin(9, 7.5, "chinese")
    game.play("C3")
    passed = game.copy()
    passed.play("pass")
    assert from_games([game.moves], 2, 9, 10) == [Opening(tuple(m for _, m in game.moves), 9)]
    with pytest.raises(ValueError, match="with 3 moves or more"):
        from_games([game.moves, passed.moves], 3, 9, 10)
