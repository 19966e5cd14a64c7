"""A position as a picture."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import tesuji
from tesuji.interfaces.cli import run

SVG = "{http://www.w3.org/2000/svg}"
RECORD = "(;GM[1]FF[4]SZ[9];B[ee];W[ed];B[])"


def stones(picture: str) -> list[str]:
    return [one.attrib["fill"] for one in ElementTree.fromstring(picture).iter(f"{SVG}circle")]


def words(picture: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_stones_the_last_move_and_coordinates() -> None:
    game = tesuji.Game(size=9)
    game.play("E5")
    game.play("C3")
    assert stones(tesuji.draw_board(game)) == ["#111", "#fafafa", "#d33"]
    assert {"A", "J", "1", "9"} <= set(words(tesuji.draw_board(game)))
    assert "I" not in words(tesuji.draw_board(game))


def test_numbers_in_place_of_the_mark() -> None:
    game = tesuji.Game(size=9)
    game.play("E5")
    game.play("pass")
    picture = tesuji.draw_board(game, numbers=True, coordinates=False, title="a < b")
    assert words(picture) == ["a < b", "1"]
    assert len(stones(picture)) == 1


def test_the_command_draws_any_position_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = tmp_path / "game.sgf", tmp_path / "x.svg"
    record.write_text(RECORD)
    assert run(["board", str(record), "-o", str(out), "--move", "1"]) == 0
    assert stones(out.read_text()) == ["#111", "#d33"]
    assert run(["board", str(record), "-o", str(tmp_path / "x.png")]) == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert run(["board", str(record), "-o", str(tmp_path / "x.gif")]) == 2
    assert run(["board", str(record), "-o", str(out), "--move", "9"]) == 2
    assert "has 3 moves" in capsys.readouterr().err


def test_the_command_draws_any_game_of_a_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = tmp_path / "games.sgfs", tmp_path / "x.svg"
    record.write_text(RECORD + "(;SZ[9];B[ee])")
    assert run(["board", str(record), "-o", str(out), "--game", "2"]) == 0
    assert len(stones(out.read_text())) == 2, "the stone and the mark of the last move"
    assert run(["board", str(record), "-o", str(out), "--game", "3"]) == 2
    assert "holds 2 games" in capsys.readouterr().err
