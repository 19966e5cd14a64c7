"""The one call: a tournament in a few lines, with and without a folder, with players and options in any form."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tesuji.arena.play import openings
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Effort
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.players.description import Player, parse_player
from tesuji.arena.players.hall import Hall

SMALL: dict[str, Any] = {"size": 5, "komi": 0.5, "visits": 3, "openings": "none"}


def test_players_in_words_and_tables_give_plain_standings(small_networks: list[str]) -> None:
    first, second, third = small_networks[:3]
    players: list[Player] = [
        f"{first} name=a",
        {"network": second, "name": "b", "visits": 2},
        parse_player(f"{third} name=c policy"),
    ]
    played = tesuji.tournament(players, games=2, **SMALL)
    rows = played.to_rows()
    assert {row["player"] for row in rows} == set(played.players) == {"a", "b", "c"}
    assert [row["games"] for row in rows] == [4, 4, 4]
    assert float(rows[0]["elo"]) >= float(rows[-1]["elo"])
    assert len(played.games) == 6
    assert played.folder is None


def test_a_folder_keeps_the_games_and_the_report(small_networks: list[str], tmp_path: Path) -> None:
    seen: list[GameResult] = []
    for games in (2, 4, 4):
        played = tesuji.match(
            f"{small_networks[0]} name=a", f"{small_networks[1]} name=b", games=games, folder=tmp_path / "m",
            on_game=seen.append, **SMALL,
        )  # fmt: skip
    assert [game.key for game in seen] == [game.key for game in played.games]
    assert len(ResultsFile(tmp_path / "m" / "results.jsonl").games) == 4
    assert (tmp_path / "m" / "report.html").exists()


def test_options_for_all_players_reach_their_search(small_networks: list[str], tmp_path: Path) -> None:
    players = [f"{small_networks[0]} name=a", f"{small_networks[1]} name=b c=0.9"]
    tesuji.tournament(players, games=2, folder=tmp_path, **SMALL, c=0.2, symmetry="random", choice="lcb")
    described = ResultsFile(tmp_path / "results.jsonl").players
    assert [described[name]["c"] for name in "ab"] == ["0.2", "0.9"]
    assert {described[name]["symmetry"] for name in "ab"} == {"random"}
    assert {described[name]["choice"] for name in "ab"} == {"lcb"}


def test_a_sequential_test_is_part_of_the_result(small_networks: list[str]) -> None:
    """The search against one that gives up below a win rate of 0.99, which is at once."""
    first, second = f"{small_networks[0]} name=a", f"{small_networks[0]} name=b resign=0.99"
    played = tesuji.match(first, second, games=60, sprt="elo0=0 elo1=400", effort=Effort(concurrent=4), **SMALL)
    assert played.test is not None
    assert played.test.verdict == "H1"
    assert len(played.games) < 60
    assert "'a' is stronger" in played.notes[0]


def test_a_joined_player_takes_policy_and_value_from_two_networks(small_networks: list[str]) -> None:
    one, two = small_networks[:2]
    players = [parse_player(f"{one} value={two} name=joined"), parse_player(f"{one} name=alone")]
    hall = Hall(players, Conditions(size=5))
    joined, alone, other = hall.networks["joined"].evaluate, hall.networks["alone"].evaluate, hall.evaluator(two)
    game = tesuji.Game(size=5, komi=7.5)
    planes = tesuji.encode([game], joined.planes)
    said = joined(planes, [7.5])
    np.testing.assert_array_equal(said.policy, alone(planes, [7.5]).policy)
    np.testing.assert_array_equal(said.value, other(planes, [7.5]).value)
    assert said.value != alone(planes, [7.5]).value
    assert tesuji.match(*players, games=2, **SMALL).to_rows()[0]["games"] == 2


def test_no_balanced_opening_is_told_and_games_begin_empty(
    small_networks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openings, "BALANCE", -1.0)
    players = f"{small_networks[0]} name=a", f"{small_networks[1]} name=b"
    played = tesuji.match(*players, games=2, **{**SMALL, "openings": "auto"})
    assert [game.opening for game in played.games] == ["", ""]
    assert "begin on the empty board" in played.notes[0]
    with pytest.raises(ValueError, match="no opening of 2 moves is balanced"):
        tesuji.match(*players, games=2, **{**SMALL, "openings": "random:2"})


def test_a_wrong_setting_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="no tournament setting 'vists'; did you mean 'visits'"):
        tesuji.tournament(["default-9x9", "default-9x9 name=b"], vists=3)
