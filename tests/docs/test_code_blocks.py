"""Every code block of README and docs does what it says: Python is run, commands are parsed and, slowly, run."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import tesuji
from tests.docs.pages import PAGES, ROOT, blocks
from tests.docs.workshop import all_commands, provide, short_game
from tesuji.arena.play.settings import settings_from
from tesuji.interfaces.cli import COMMANDS, load

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SLOW = {"arena.md", "networks.md", "python.md", "training.md"}  # they train, export or play whole games
PYTHON = [
    pytest.param(page, marks=pytest.mark.slow if page.name in SLOW else (), id=page.name)
    for page in PAGES
    if page.name != "README.md" and any(block.language == "python" for block in blocks(page))
]
# What a test cannot afford or has not, and what it takes instead.
AFFORDED = {
    r"\bvisits=\d+": "visits=4",
    r"\bgames=\d+": "games=2",
    r"\bepochs=\d+": "epochs=1, epoch_samples=32, batch=16, validation_games=4",
    r"\bse\.\d+\.\d+\.\d+": "se.1.16.8",
    r"range\(300\)": "range(2)",
    r"split\(1000": "split(4",
    r'"cuda:\d"': '"cpu"',
    r', "gnugo"\]': "]",
}


@pytest.mark.parametrize("page", PYTHON)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page one after the other, as a reader would; names they take for granted are there."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs", "tesuji": tesuji, "game": short_game()}
    for block in blocks(page):
        if block.language != "python":
            continue
        text = block.text
        for long, short in AFFORDED.items():
            text = re.sub(long, short, text)
        for file in re.findall(r'"([\w/.-]+\.(?:games|onnx|sgf|gz|h5))"', text):
            if not re.search(rf'(?:export|pack_games)\([^)]*"{re.escape(file)}"', text):
                provide(tmp_path / file)
        _give_planes(text, names)
        exec(compile("\n" * (block.line - 1) + text, str(page), "exec"), names)


def _give_planes(text: str, names: dict[str, object]) -> None:
    """`planes` and `komi` of one position, for networks in torch or for evaluators."""
    if "(planes, komi)" not in text or "def forward" in text:
        return
    size = 19 if "size=19" in text else 9
    planes = tesuji.encode([tesuji.Game(size=size)], "golois-21")
    if "networks.create" in text:
        import torch

        names |= {"planes": torch.from_numpy(planes), "komi": torch.tensor([7.5])}
    else:
        names |= {"planes": planes, "komi": [7.5]}


@pytest.mark.parametrize(("where", "words"), all_commands(), ids=lambda value: value if isinstance(value, str) else "")
def test_commands_are_understood(where: str, words: list[str]) -> None:
    """Every option exists and takes what it is given; files need not be there."""
    assert words[0] in COMMANDS, f"{where}: there is no `tesuji {words[0]}`"
    command: Any = typer.main.get_command(load(words[0]))
    name, rest = words[0], words[1:]
    if hasattr(command, "commands"):
        name, *rest = rest
        assert name in command.commands, f"{where}: there is no `tesuji {words[0]} {name}`"
        command = command.commands[name]
    complaint = ""
    try:
        command.make_context(name, rest)
    except Exception as problem:  # typer has a copy of click of its own, so the class is not ours to name
        complaint = getattr(problem, "message", repr(problem))
    assert not complaint or "does not exist" in complaint, f"{where}: tesuji {' '.join(words)}: {complaint}"


def test_a_wrong_option_would_be_seen() -> None:
    for words in (["data", "info", "x.games", "--no-such"], ["review", "--visits", "many", "g.sgf"]):
        with pytest.raises(AssertionError, match="here: tesuji"):
            test_commands_are_understood("here", words)


def test_the_tournament_file_is_one() -> None:
    page = ROOT / "docs" / "arena.md"
    (text,) = [block.text for block in blocks(page) if block.language == "toml"]
    table = tomllib.loads(text)
    players = [*table.pop("players"), *table.pop("player")]
    table.pop("title")
    assert len(settings_from(players, table).players) == 4
