"""Regret: a known loss is found, the same positions come again, nothing is asked twice, the numbers are right."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.arena.opponents import STRANGE
from tesuji import InputError
from tesuji._core import BLACK, Game, PackedRecord, play_out
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.openings import Opening
from tesuji.arena.players.description import PlayerDescription, parse_player
from tesuji.arena.regret.move_judge import MoveJudge
from tesuji.arena.regret.positions import Choosing, undecided
from tesuji.arena.regret.regret import Estimate, PlayerRegret, regret
from tesuji.arena.report.idea_log import Idea, add_idea
from tesuji.interfaces.cli import run
from tesuji.training.data.packing import pack_games

SMALL = Conditions(size=5, komi=0.5)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Random games, one file."""
    records = []
    for seed in range(40):
        game = Game(size=5, komi=0.5, rules="chinese")
        play_out(game, seed, max_moves=24)
        records.append(PackedRecord.of(game))
    pack_games(records, tmp_path / "some.games")
    return tmp_path / "some.games"


def described(*lines: str) -> list[PlayerDescription]:
    return [parse_player(line, {"visits": 8}) for line in lines]


def measured(tmp_path: Path, games: Path, *lines: str, **more: Any) -> list[PlayerRegret]:
    (judge,) = described("uniform visits=60 name=judge")
    choosing = Choosing(str(games), first=4, last=16, margin=0.45)
    settings: dict[str, Any] = {"positions": 10, "conditions": SMALL, "folder": tmp_path / "kept", **more}
    return regret(described(*lines), judge, choosing, **settings)


def test_a_lost_game_is_seen_in_the_worth_of_a_move(tmp_path: Path) -> None:
    """Black to move after White passed: his pass ends the game by the count, and the count is known."""
    start = Game(size=3, komi=0.5, rules="chinese")
    moves = ["B2", "pass"]
    for move in moves:
        start.play(move)
    position = Opening(tuple(move for _, move in start.moves), 3)
    judge = MoveJudge(parse_player("uniform visits=50"), Conditions(size=3, komi=0.5), tmp_path)
    won = judge.worths([(position, -1)])[0]
    assert (won.winrate, won.lead) == (1.0, 8.5)
    losing = Opening((*position.moves[:1],), 3)
    game = judge.begin(losing)
    assert game.to_play != BLACK
    worth = judge.worths([(losing, -1)])[0]
    assert worth.winrate < 0.05, "White who passes has lost, as the search after it proves"


def test_a_player_that_always_passes_loses_more_than_a_search(tmp_path: Path, games: Path) -> None:
    passer, search = measured(tmp_path, games, f"name=passer {STRANGE} pass", "uniform visits=200 name=search")
    assert passer.winrate.mean > search.winrate.mean
    assert passer.blunders.mean >= search.blunders.mean
    assert passer.than_first is None
    assert search.than_first is not None
    assert search.than_first.mean == pytest.approx(search.winrate.mean - passer.winrate.mean)
    assert search.than_first.mean < -2 * search.than_first.error


def test_the_judge_itself_loses_next_to_nothing(tmp_path: Path, games: Path) -> None:
    (judge,) = measured(tmp_path, games, "uniform visits=60 batch=1 name=again")
    assert judge.agreement >= 0.8
    assert abs(judge.winrate.mean) < 0.05


def test_nothing_is_asked_twice(tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "uniform visits=4 name=a", "uniform visits=8 name=b"
    first = measured(tmp_path, games, *lines)
    asked: list[Any] = []
    monkeypatch.setattr("tesuji.arena.players.hall.NetworkSeat", lambda player: asked.append(player))

    def searched(self: MoveJudge, games: list[Game]) -> list[Any]:
        asked.extend(games)
        return []

    monkeypatch.setattr(MoveJudge, "searched", searched)
    assert measured(tmp_path, games, *lines) == first
    assert asked == []


def test_a_cut_line_is_asked_again(tmp_path: Path, games: Path) -> None:
    before = measured(tmp_path, games, "uniform visits=4 name=a")
    for file in (tmp_path / "kept").rglob("*.jsonl"):
        file.write_bytes(file.read_bytes()[:-9])
    assert measured(tmp_path, games, "uniform visits=4 name=a")[0].winrate == before[0].winrate


def test_a_longer_list_of_positions_begins_with_the_shorter(tmp_path: Path, games: Path) -> None:
    judge = MoveJudge(parse_player("uniform visits=20"), SMALL, tmp_path)
    choosing = Choosing(str(games), first=4, last=16, margin=0.45)
    few = undecided(choosing, judge, 4)
    many = undecided(choosing, judge, 9)
    assert many[:4] == few
    assert len({one.position for one in many}) == 9
    fresh = MoveJudge(parse_player("uniform visits=20"), SMALL, tmp_path / "elsewhere")
    assert undecided(choosing, fresh, 9) == many
    with pytest.raises(InputError, match=r"only \d+ undecided positions"):
        undecided(choosing, judge, 41)


def test_the_error_of_a_mean() -> None:
    estimate = Estimate.of(np.array([0.0, 0.1, 0.2, 0.5]))
    assert estimate.mean == pytest.approx(0.2)
    assert estimate.error == pytest.approx(np.sqrt((0.04 + 0.01 + 0 + 0.09) / 3 / 4))


def test_the_command_prints_a_table_json_and_csv_and_keeps_a_log(
    tmp_path: Path, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["regret", "uniform visits=2 name=a", "uniform visits=8 name=b", "--source", str(games), "--size", "5"]
    words += ["--komi", "0.5", "--positions", "6", "--judge", "uniform visits=40", "--first", "4", "--margin", "0.45"]
    words += ["--out", str(tmp_path / "kept"), "--quiet"]
    assert run([*words, "--log", str(tmp_path / "ideas.md"), "--note", "more visits"]) == 0
    assert "than first" in capsys.readouterr().out
    log = (tmp_path / "ideas.md").read_text().splitlines()
    assert log[0].startswith("| idea | against |")
    assert log[2].startswith("| b | a | regret, 6 positions")
    assert "more visits" in log[2]
    assert run([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["player"] for row in rows] == ["a", "b"]
    assert run([*words, "--csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(table[1]["winrate"]) == rows[1]["winrate"]
    assert table[0]["than_first"] == ""


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--source", "nowhere"], "no file or folder 'nowhere'"),
        (["--judge", "gnugo"], "the judge is a network"),
        (["--judge", "uniform seconds=1"], "thinks in visits"),
        (["--positions", "1"], "positions=1"),
        (["--margin", "0.9"], "margin=0.9"),
        (["--log", "ideas.txt"], ".csv or .md"),
        (["--seconds", "0"], "some time to think"),
        (["--set", "cc=1"], "no tournament setting 'cc'"),
        (["--json", "--csv"], "not both"),
        ([f"name=dead {STRANGE} die 1", "--positions", "4"], "player 'dead' gave no move"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], why: str, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = [
        "regret",
        "uniform visits=4",
        "--source",
        str(games),
        "--size",
        "5",
        "--out",
        str(tmp_path / "kept"),
        "--quiet",
    ]
    usual += ["--judge", "uniform visits=8", "--first", "4", "--margin", "0.45"]
    assert run([*usual, *words]) == 2
    assert why in capsys.readouterr().err


def test_a_log_grows_as_csv_too(tmp_path: Path) -> None:
    for note in ("first", "second, with | and\nmore"):
        add_idea(tmp_path / "ideas.csv", Idea("c=0.3", "c=0.5", "400 games", "52 %", "H0", note))
        add_idea(tmp_path / "ideas.md", Idea("c=0.3", "c=0.5", "400 games", "52 %", "H0", note))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "ideas.csv").read_text(), newline="")))
    assert [row["note"] for row in rows] == ["first", "second, with | and\nmore"]
    lines = (tmp_path / "ideas.md").read_text().splitlines()
    assert len(lines) == 4
    assert "second, with \\| and more" in lines[3]
