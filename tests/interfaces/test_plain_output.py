"""What commands print for programs: JSON and CSV alone on standard output, and pictures refused before the work."""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tesuji.interfaces import cli

MATCH = [
    "match",
    "default-9x9 policy",
    "default-9x9 visits=2",
    "--games",
    "2",
    "--size",
    "5",
    "--openings",
    "none",
    "--quiet",
]


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code = cli.run(arguments)
    told = capsys.readouterr()
    assert code == 0, told.err
    return told.out


def json_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(said([*arguments, "--json"], capsys))


def csv_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(said([*arguments, "--csv"], capsys))))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "seven.games"
    tesuji.sample_games(path, size=7)
    return path


def test_a_match_as_json_and_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of([*MATCH, "-o", str(tmp_path / "m")], capsys)
    assert found["games"] == 2
    assert [row["games"] for row in found["standings"]] == [2, 2]
    rows = csv_of([*MATCH, "-o", str(tmp_path / "m")], capsys)
    assert {row["player"] for row in rows} == set(found["players"])


def test_a_tournament_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(["tournament", *MATCH[1:], "-o", str(tmp_path / "t")], capsys)
    assert found["folder"] == str(tmp_path / "t")


def test_what_a_packed_file_holds_as_json(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(["data", "info", str(sample)], capsys)
    assert found["games"] == sum(found["results"].values()) == found["sizes"]["7"]


def test_speed_of_the_board_as_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "board", "--seconds", "0.01"]
    found = json_of(arguments, capsys)
    assert "-" in found["signature"]
    assert all(line["value"] > 0 for line in found["lines"])
    assert {row["part"] for row in csv_of(arguments, capsys)} == {"board"}


def test_a_network_in_detail_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    [found] = json_of(["networks", "se.16.384.64"], capsys)
    assert found["parameters"] == 908197
    assert sum(found["of_which"].values()) == 908197


def test_tables_within_a_cell_of_csv_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    [row] = csv_of(["networks", "se.16.384.64"], capsys)
    assert sum(json.loads(row["of_which"]).values()) == int(row["parameters"]) == 908_197


def test_speeds_of_networks_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["networks", "default-9x9", "--speed", "--batch", "1", "--seconds", "0.01", "--precision", "fp32"]
    [row] = csv_of(arguments, capsys)
    assert float(row["positions_per_second"]) > 1


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_a_name_in_a_record_cannot_steer_the_terminal(
    form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.sgf"
    record.write_bytes("(;SZ[5]PB[An\x1b[2J\x07na]PW[Ca\x9b2Jrl];B[cc];W[bb])".encode())
    told = said(["review", str(record), "--visits", "2", "--quiet", "-o", str(tmp_path / "r"), *form], capsys)
    assert "An" in told
    assert not [letter for letter in told if (ord(letter) < 32 and letter != "\n") or 127 <= ord(letter) < 160]


def test_a_fault_that_quotes_a_file_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.sgf").write_bytes(b"(;SZ[\x1b[2J9])")
    assert cli.run(["board", str(tmp_path / "game.sgf"), "-o", str(tmp_path / "board.svg")]) == 2
    told = capsys.readouterr().err
    assert "board size" in told
    assert "\x1b" not in told


def test_last_words_of_an_engine_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    engine = "import sys; sys.exit('An\\x1b[2J\\x07na')"
    assert cli.run(["gtp-check", "--client", "Sabaki", sys.executable, "-c", engine]) != 0
    told = "".join(capsys.readouterr())
    assert "An[2Jna" in told
    assert not {"\x1b", "\x07"} & set(told)


@pytest.mark.skipif(sys.platform == "win32", reason="no file can have such a name")
def test_a_file_that_was_handed_in_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = tmp_path / "An\x1b[2Jna[" / "].onnx"  # which is markup, too
    evil.parent.mkdir()
    evil.write_bytes(b"no network")
    assert cli.run(["league", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "An[2Jna[/].onnx" in told
    assert "\x1b" not in told


def test_a_review_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[5]KM[7];B[cc];W[bb];B[cb])")
    rows = csv_of(["review", str(record), "--visits", "2", "--quiet", "-o", str(tmp_path / "r")], capsys)
    assert [row["move"] for row in rows] == ["C3", "B4", "C4"]


def test_json_and_csv_at_once_are_refused_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*MATCH, "--json", "--csv", "-o", str(tmp_path / "m")]) == 2
    assert "not both" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("command", [["networks", "--speed"], ["bench", "networks"], ["data", "info", "x.games"]])
def test_a_picture_is_refused_before_the_work(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.run([*command, "--plot", str(tmp_path / "x.gif")]) == 2
    assert "end it in .png, .svg, .pdf" in capsys.readouterr().err
    assert cli.run([*command, "--plot", str(tmp_path / "no" / "x.png")]) == 2
    assert "no folder" in capsys.readouterr().err
    monkeypatch.setattr("tesuji.base.extras.find_spec", lambda name: None)
    assert cli.run([*command, "--plot", str(tmp_path / "x.png")]) == 2
    told = capsys.readouterr().err
    assert told == (
        "tesuji: a picture needs the extra 'plot' (there is no matplotlib here): pip install 'tesuji-go[plot]'\n"
    )


def test_the_board_names_the_extra_it_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tesuji.base.extras.find_spec", lambda name: None)
    assert cli.run(["play"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("tesuji: the board in the browser needs the extra 'web' ")
    assert "pip install 'tesuji-go[web]'" in told


def test_the_account_of_packing_counts_as_people_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text("(;SZ[5]KM[7];B[cc];W[bb];B[cb])")
    told = said(["data", "pack", "game.sgf", "-o", "a-name-wider-than-the-table.games"], capsys)
    first, *rows = [line.strip() for line in told.splitlines()]
    assert first.startswith("a-name-wider-than-the-table.games (")
    assert first.endswith(" bytes)")
    assert rows == ["1  record read", "1  game kept"]
