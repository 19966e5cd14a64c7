"""`import tesuji` for people: what prints, what notebooks show, frames, moves as text."""

import inspect
import xml.etree.ElementTree as ElementTree
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import rich.console
from rich.console import Console

import tesuji
from tests.search.evaluators import Uniform
from tests.training.synthetic import OneStone, tiny
from tesuji.interfaces.terminal.bars import moving_line

SETTINGS: dict[str, Any] = {"batch": 32, "epoch_samples": 320, "learning_rate": 0.01, "threads": 1, "size": 5}
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_training_tells_how_it_goes_and_can_be_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fitted = tesuji.fit(tiny(), OneStone(), folder=tmp_path / "a", epochs=2, **SETTINGS)
    told = capsys.readouterr().out
    assert told.count("top-1") == 2
    assert "top-1" in repr(fitted)
    assert len(fitted.to_rows()) == 2
    tesuji.train(tiny(), OneStone(), folder=tmp_path / "b", epochs=1, quiet=True, **SETTINGS)
    assert capsys.readouterr().out == ""


def test_training_in_a_notebook_moves_no_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rich.console, "_is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    tesuji.fit(tiny(), OneStone(), folder=tmp_path, epochs=1, **SETTINGS)
    told = capsys.readouterr().out
    assert "top-1" in told
    assert "\x1b" not in told


@pytest.mark.parametrize(("seen", "wanted"), [("terminal", "win rate"), ("notebook", "0 of 2 games"), ("file", "")])
def test_a_match_tells_how_it_goes_where_somebody_looks(
    seen: str, wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rich.console, "_is_jupyter", lambda: seen == "notebook")
    if seen != "file":
        monkeypatch.setenv("FORCE_COLOR", "1")  # as kernels of notebooks set it, too
    for quiet in (False, True):
        played = tesuji.match("default-9x9 policy", "default-9x9 policy name=b", games=2, openings="none", quiet=quiet)
        assert len(played.games) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        told = "" if quiet else wanted
        assert told in shown.err
        assert bool(shown.err) == bool(told), shown.err


def test_a_long_match_tells_a_file_how_it_goes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tesuji.interfaces.terminal.arena_run._LINES", 0.05)
    tesuji.match("default-9x9 policy", "default-9x9 policy name=b", games=2, openings="none", quiet=False)
    assert "of 2 games, " in capsys.readouterr().err


def test_a_run_that_the_clock_ends_with_an_epoch_validates_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = SETTINGS | {"epoch_samples": 32, "minutes": 1e-6, "epochs": 1000}
    fitted = tesuji.fit(tiny(), OneStone(), folder=tmp_path, **settings)
    assert [row["step"] for row in fitted.history] == sorted({row["step"] for row in fitted.history})
    assert capsys.readouterr().out.count("top-1") == len(fitted.history)


def test_frames_where_pandas_is_installed() -> None:
    pytest.importorskip("pandas")
    game = tesuji.Game(size=5)
    result = tesuji.Search(Uniform(), visits=20).run(game)
    frame = result.to_frame()
    assert list(frame["visits"]) == sorted((move.visits for move in result.moves if move.visits), reverse=True)
    assert frame["move"][0] == game.vertex(result.moves[0].move)


def test_moves_as_text() -> None:
    game = tesuji.read_sgf("(;SZ[9];B[ee];W[dd];B[])")
    assert game.vertices() == ["E5", "D6", "pass"]
    result = tesuji.Search(Uniform(), visits=20).run(tesuji.Game(size=5))
    assert result.vertex == result.line.split()[0]
    assert repr(result).startswith(f"SearchResult({result.vertex}, ")
    assert len(repr(result)) < 200


def test_notebooks_show_boards() -> None:
    game = tesuji.Game(size=9)
    game.play("E5")
    board: Any = game.board  # what only notebooks call is not in the stub
    shown: Any
    for shown in (game, board):
        picture = shown._repr_svg_()
        assert "max-width" in picture
        assert {"A", "J", "9"} <= set(texts(picture))
    stones = list(ElementTree.fromstring(board._repr_svg_()).iter(f"{SVG}circle"))
    assert len(stones) == 1  # a board has no last move to mark
    result = tesuji.Search(Uniform(), visits=30).run(game)
    shares = [int(text) for text in texts(result._repr_svg_()) if text.isdigit() and int(text) > 9]
    assert not shares or max(shares) <= 100
    assert result._repr_svg_().count("visits, wins") >= 1


@pytest.mark.parametrize("text", ["(;SZ[9];B[ee])", "\n  (;SZ[9];B[ee])", "(;CA[GB2312]SZ[9]PB[柯洁];B[ee])"])
def test_an_sgf_in_a_string_is_read(text: str) -> None:
    assert tesuji.read_sgf(text).vertices() == ["E5"]
    from tesuji.go.sgf.files import read_record

    assert read_record(text).black in ("", "柯洁")


def test_a_broken_sgf_in_a_string_is_not_quoted_as_a_file() -> None:
    with pytest.raises(ValueError, match="SGF data"):
        tesuji.read_sgf("(;SZ[9")


@pytest.mark.parametrize("name", tesuji.__all__)
def test_help_has_something_to_say(name: str) -> None:
    public = getattr(tesuji, name)
    if not isinstance(public, int):
        assert len(inspect.getdoc(public) or "") > 20, name


def test_where_nothing_moves_the_line_leaves_nothing() -> None:
    out = StringIO()
    with moving_line(Console(file=out)) as bar:  # a file, not a terminal
        bar.add_task("packing", total=4, text="")
    assert out.getvalue() == ""


@pytest.mark.parametrize("by_count", [True, False])
def test_on_80_columns_the_count_stays_and_the_words_give_way(by_count: bool) -> None:
    out = StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system=None)
    with moving_line(console, by_count=by_count) as bar:
        text = "12 min left, epoch 0.12, 1,234 samples/s, " + ", ".join(f"loss{i} 1.234" for i in range(9))
        bar.add_task("self-play of /a/very/long/path/to/network.onnx", total=400, completed=100, text=text)
        bar.refresh()
        line = max(out.getvalue().splitlines(), key=len)
    assert "100/400" in line if by_count else "25 %" in line
    assert "…" in line
    assert all(len(one.rstrip()) <= 80 + 20 for one in out.getvalue().splitlines())  # control codes aside
