"""The command line itself: bad input in one line, defects with their traceback, how much is told."""

import logging
from pathlib import Path

import pytest
import typer

from tesuji import InputError
from tesuji.interfaces import cli
from tesuji.interfaces.terminal.logs import start_logging


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """`tesuji bench` raises what is put into the list."""
    faults: list[BaseException] = []

    def main() -> None:
        raise faults[0]

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    monkeypatch.setattr(cli, "load", lambda name: app)
    monkeypatch.delenv("TESUJI_DEBUG", raising=False)
    return faults


def test_what_the_system_refuses_is_told_without_its_number(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    for fault, wanted in (
        (FileNotFoundError(2, "No such file or directory", "x.sgf"), "x.sgf: No such file or directory"),
        (
            OSError(2, "cannot open x.games: No such file or directory"),
            "cannot open x.games: No such file or directory",
        ),
    ):
        failing[:] = [fault]
        assert cli.run(["bench"]) == 2
        assert capsys.readouterr().err == f"tesuji: {wanted}\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("train runs/x --minuts 3", "no option '--minuts'; did you mean '--minutes'?"),
        ("train runs/x --zzz", "no option '--zzz'; `tesuji train --help` tells more"),
        ("match a", "missing argument 'B'; `tesuji match --help` tells more"),
        ("data pakc x.sgf", "no command 'data pakc'; did you mean 'pack'?"),
        ("data pack x.sgf", "missing option '--out' / '-o'; `tesuji data pack --help` tells more"),
        ("data pack no.sgf -o x.games", "no file or folder 'no.sgf'"),
        ("review g.sgf --visits 0", "--visits is '0'; it must be at least 1"),
        ("gtp --size 99", "--size is '99'; it must be at most 25"),
        ("match a b --games many", "--games is 'many'; it must be a whole number"),
        ("gtp --lag soon", "--lag is 'soon'; it must be a number"),
        (
            "--json review g.sgf",
            "no option '--json' before the command; there are --debug, --quiet, --verbose, --version, --help",
        ),
        ("--hlep", "no option '--hlep' before the command; did you mean '--help'?"),
        ("bench bord", "no part 'bord' to measure; did you mean 'board'?"),
        ("data info no.games", "cannot open no.games: No such file or directory"),
    ],
)
def test_a_command_line_that_cannot_be_is_one_line_too(
    line: str, wanted: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(line.split()) == 2
    assert capsys.readouterr().err == f"tesuji: {wanted}\n"


@pytest.mark.parametrize("fault", [InputError("no such thing"), FileNotFoundError("no file 'x'")])
def test_bad_input_is_one_line(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str], fault: BaseException
) -> None:
    failing.append(fault)
    assert cli.run(["bench"]) == 2
    assert capsys.readouterr().err == f"tesuji: {fault}\n"


@pytest.mark.parametrize("fault", [ValueError("invalid literal"), KeyError("x"), ImportError("no x", name="x")])
def test_a_defect_keeps_its_traceback(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str], fault: BaseException
) -> None:
    failing.append(fault)
    assert cli.run(["bench"]) == 1
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert "defect of Tesuji" in told


def test_debug_shows_where_bad_input_was_noticed(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing.append(InputError("no such thing"))
    assert cli.run(["--debug", "bench"]) == 2
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("TESUJI_DEBUG", "1")
    assert cli.run(["bench"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_what_the_core_refuses_is_bad_input() -> None:
    from tesuji import Game, Rules

    with pytest.raises(InputError):
        Rules.named("chess")
    with pytest.raises(InputError):
        Game(9).play("Z99")


@pytest.mark.parametrize(
    ("wishes", "variable", "level"),
    [
        (set(), "", logging.INFO),
        ({"--quiet"}, "", logging.WARNING),
        ({"--verbose"}, "error", logging.DEBUG),
        (set(), "error", logging.ERROR),
    ],
)
def test_how_much_is_told(wishes: set[str], variable: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_LOG", variable)
    start_logging(wishes)
    assert logging.getLogger("tesuji").level == level


def test_an_unknown_log_level_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_LOG", "wraning")
    with pytest.raises(InputError, match="did you mean 'warning'"):
        start_logging()
