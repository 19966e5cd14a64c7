"""Levels: what the page offers is what was measured."""

import threading
from itertools import pairwise
from pathlib import Path

import pytest

from tesuji import Game
from tesuji.arena.players.description import player_from_table
from tesuji.arena.players.network_player import network_player
from tesuji.features.evaluation import ConstantEvaluator
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.levels import (
    DEFAULT_LEVEL,
    EVERY_LEVEL,
    HUMAN_LEVELS,
    LEVELS,
    Level,
    level,
    levels_for,
)
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.server.page_mind import PageMind
from tesuji.interfaces.web.words.words import english

RESULTS = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("below", "one"), list(pairwise(LEVELS)), ids=lambda one: one.key)
def test_a_level_says_how_it_did_against_the_one_below(below: Level, one: Level) -> None:
    if one.timed:
        assert one.measured[0].seconds == 1
        assert "with 1 second a move" in one.strength(english())
        return
    told = next(score for score in one.measured if score.opponent == below.key)
    assert f"{told.wins} of {told.games} games against {below.name}" in one.strength(english())
    wins, games, draws = told.wins, told.games, told.drawn
    row = next(line for line in RESULTS.splitlines() if line.startswith(f"| {one.name} |"))
    assert f"{wins}-{draws}-{games - wins - draws}" in row  # the page and the documents say the same
    assert 0.6 <= (wins + draws / 2) / games <= 0.91  # neither a wall nor no step at all


@pytest.mark.parametrize("one", LEVELS, ids=lambda one: one.key)
def test_the_arena_plays_a_level_as_the_page_does(one: Level) -> None:
    table = {"name": one.name, "network": "any", **one.search}
    player = network_player(player_from_table(table, {}), [ConstantEvaluator()], 9)
    for name, value in one.search.items():
        assert getattr(player.search, name) == value


@pytest.mark.parametrize("one", HUMAN_LEVELS, ids=lambda one: one.key)
def test_a_human_level_plays_its_board_alone(one: Level) -> None:
    assert one.network == f"human-9x9@{one.human}"
    engine = Seat("engine", one.key)
    assert Setup(size=9, white=engine).white.level == one.key
    with pytest.raises(ValueError, match=f"'{one.name}' plays 9x9 alone"):
        Setup(size=19, white=engine)


def test_every_board_is_offered_the_levels_that_play_it() -> None:
    assert levels_for(9) == list(EVERY_LEVEL)
    assert levels_for(19) == list(LEVELS)


def test_the_page_plays_like_people_with_their_network() -> None:
    mind, game = PageMind(Networks()), Game(size=9)
    for _ in range(3):
        move, _ = mind.answer(game, Seat("engine", "human-12k"), threading.Event())
        assert move is not None
        game.play(move)
    assert mind.player_for(9, strength=level("human-12k")).name.startswith("gpool.6.64@12k")


def test_levels_are_found_by_their_key() -> None:
    assert level(DEFAULT_LEVEL).key == DEFAULT_LEVEL
    assert len({one.key for one in EVERY_LEVEL}) == len(EVERY_LEVEL)
    with pytest.raises(ValueError, match="known: newcomer, newcomer-2"):
        level("god")
