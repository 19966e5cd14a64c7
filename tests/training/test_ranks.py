"""Ranks of players on their way from records into the planes, and moves that nobody should learn."""

from pathlib import Path

import numpy as np
import pytest

from tesuji import GameSet
from tesuji._core import Filter, rank_inputs
from tesuji.training.data.packing import pack

BOT_IS_BLACK = "(;SZ[9]KM[5.5]RE[B+T]PB[GnuGo]BR[8k]WR[12k];B[ee];W[cc];B[gg];W[cg])"
PEOPLE = "(;SZ[9]KM[5.5]RE[W+R]BR[1d]PW[Ann]WR[30k];B[ee];W[cg];B[gc])"


def games_of(folder: Path, **wanted: object) -> GameSet:
    chosen = Filter()
    for name, value in wanted.items():
        setattr(chosen, name, value)
    (folder / "x.sgfs").write_text(f"{BOT_IS_BLACK}\n{PEOPLE}\n")
    pack([folder / "x.sgfs"], folder / "x.games", chosen)
    return GameSet(folder / "x.games")


def told(games: GameSet, game: int, move: int) -> list[float]:
    """The last planes of a position, each of which is one number."""
    planes = games.at([game], [move], "human-30").planes[0, 21:]
    assert all(len(np.unique(plane)) == 1 for plane in planes)
    return [float(plane[0, 0]) for plane in planes]


def test_the_planes_tell_the_rank_of_the_player_to_move(tmp_path: Path) -> None:
    games = games_of(tmp_path)
    assert told(games, 0, 0) == rank_inputs("8k")[1]
    assert told(games, 0, 1) == rank_inputs("12k")[1]
    assert told(games, 1, 0) == rank_inputs("1d")[1]


def test_a_rank_is_its_nearness_to_two_others() -> None:
    assert rank_inputs("27 kyu") == ("27k", [1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert rank_inputs("12k") == ("12k", [0, 0, 0, 0.25, 0.75, 0, 0, 0, 0])
    assert rank_inputs("1d")[1] == [0, 0, 0, 0, 0, 0, 0.25, 0.75, 0]
    assert rank_inputs("30k")[1] == rank_inputs("27k")[1]
    assert rank_inputs("9d")[1] == rank_inputs("6d")[1]


@pytest.mark.parametrize("rank", ["", "12", "k", "31k", "0d", "10d", "1p", "2300", "bot"])
def test_what_is_no_rank_is_refused_with_the_ranks_there_are(rank: str) -> None:
    with pytest.raises(ValueError, match="write 30k to 1k or 1d to 9d"):
        rank_inputs(rank)


def test_moves_of_a_named_bot_are_played_and_never_learned(tmp_path: Path) -> None:
    games = games_of(tmp_path, not_by=["GnuGo"])
    assert games.record(0).black_rating == "bot"
    assert games.at([0, 0, 0, 0, 1], [0, 1, 2, 3, 1], "human-30").policy_mask.tolist() == [0, 1, 0, 1, 1]
    assert told(games, 0, 0) == [0] * 9
    assert told(games, 0, 1) == rank_inputs("12k")[1]


def test_a_star_means_everybody_who_has_a_name(tmp_path: Path) -> None:
    games = games_of(tmp_path, not_by=["*"])
    masks = games.at([0, 0, 1, 1], [0, 1, 0, 1], "human-30").policy_mask
    assert masks.tolist() == [0, 1, 1, 0]


def test_a_clock_that_ran_out_says_nothing_of_the_value(tmp_path: Path) -> None:
    games = games_of(tmp_path)
    assert games.at([0, 1], [1, 1], "golois-21").value_mask.tolist() == [0, 1]


def test_bands_are_by_the_weaker_player(tmp_path: Path) -> None:
    low = games_of(tmp_path, max_rating="15k")
    assert [record.black_rating for record in low] == ["1d"]
    middle = games_of(tmp_path, min_rating="15k")
    assert [record.black_rating for record in middle] == ["8k"]
