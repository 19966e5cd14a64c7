"""All commands alike: examples that parse, the same names for the same things, help without the large packages."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tesuji.base.quantities import counted, duration, number
from tesuji.interfaces import cli
from tesuji.interfaces.terminal.completion import SHELLS, Completions

WIDTH = 80
LARGE = ("torch", "onnx", "matplotlib", "nicegui", "keras", "ray", "pandas")
# What takes more than a moment tells how far it is, and can be told not to.
LONG = (
    "bench", "compare", "data pack", "export", "fit-bandit", "label", "league", "learn", "match", "networks", "plan",
    "regret", "reproduce", "review", "selfplay", "tournament", "train",
)  # fmt: skip
BUILDERS = ("bench", "compare", "export", "learn", "networks", "plot", "train")  # of networks, by name
FOR_PROGRAMS = ("bench", "compare", "data info", "match", "networks", "plan", "regret", "review", "tournament")


def _commands() -> Iterator[tuple[str, Any]]:
    for name in cli.COMMANDS:
        command = get_command(cli.load(name))
        yield from ((f"{name} {inner}", one) for inner, one in getattr(command, "commands", {name: command}).items()
                    if hasattr(command, "commands"))  # fmt: skip
        if not hasattr(command, "commands"):
            yield name, command


COMMANDS = dict(_commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_ends_with_examples_that_parse(name: str) -> None:
    command = COMMANDS[name]
    assert command.examples
    for wish, line in command.examples:
        assert len(line) <= WIDTH - 3, line
        assert len(wish) <= WIDTH - 5, wish
        if name == "completion":
            continue
        words = shlex.split(line)
        assert words[: 1 + len(name.split())] == ["tesuji", *name.split()]
        with command.make_context(name, words[1 + len(name.split()) :]):
            pass  # an option that does not exist, or a number that is none, would have been refused


@pytest.mark.parametrize("name", COMMANDS)
def test_options_have_one_name_in_all_commands(name: str) -> None:
    options = {opt: one for one in COMMANDS[name].params for opt in one.opts if one.param_type_name == "option"}
    assert "--output" not in options
    assert ("--out" in options) == ("-o" in options)
    assert ("--quiet" in options) == (name in LONG)
    assert ("--plugin" in options) == (name in BUILDERS)
    assert name not in FOR_PROGRAMS or "--json" in options
    for one in options.values():
        assert not any(word.startswith("--no-") for word in one.secondary_opts) or one.default is True, one.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_help_speaks_no_python(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*name.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert "list[" not in told
    assert not re.search(r"<(bool|int|float|str|path)", told)


def test_help_has_a_short_name_too(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("train", "data", "data pack"):
        assert cli.run([*name.split(), "-h"]) == 0
        assert "Examples:" in capsys.readouterr().out
    with COMMANDS["gtp-check"].make_context("gtp-check", ["gnugo", "-h"]) as given:  # a word of the engine's own line
        assert given.params["command"] == ["gnugo", "-h"]
    for name in ("gtp-check", "analysis-check"):  # in the first place it is no engine's
        assert cli.run([name, "-h"]) == 0
        assert "Examples:" in capsys.readouterr().out


def test_help_needs_none_of_the_large_packages() -> None:
    script = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {LARGE}:
            raise ModuleNotFoundError(f"no {{name}}", name=name)
sys.meta_path.insert(0, Refuse())
from tesuji.interfaces import cli
for name in cli.COMMANDS:
    assert cli.run([name, "--help"]) == 0, name
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Examples:") == len(cli.COMMANDS)


def test_a_group_of_commands_shows_how_they_are_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["data", "--help"]) == 0
    told = capsys.readouterr().out
    assert cli.run(["data"]) == 0
    assert capsys.readouterr().out == told
    assert "<bool>" not in told
    shown = [line.split() for line in told.splitlines() if line.startswith("   tesuji ")]
    assert shown
    assert all(" ".join(words[1:3]) in COMMANDS for words in shown)


def test_the_overview_ends_with_first_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([]) == 0
    told = capsys.readouterr().out
    for wish, line in cli.FIRST_STEPS:
        assert f"   # {wish}\n   {line}\n" in told
        _, name, *rest = shlex.split(line)
        with COMMANDS[name].make_context(name, rest):
            pass


@pytest.mark.parametrize("arguments", [["--version"], []])
def test_the_version_and_the_overview(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from tesuji import __version__

    assert cli.run(arguments) == 0
    told = capsys.readouterr().out
    assert __version__ in told if arguments else all(name in told for name in cli.COMMANDS)


def test_bash_completes_commands_and_options() -> None:
    words = {name: Completions.of(get_command(cli.load(name))) for name in ("match", "data", "play")}
    script = SHELLS["bash"](words) + (
        't() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tesuji; echo "${COMPREPLY[*]}"; }\n'
        "t tesuji ma; t tesuji data sa; t tesuji data pack --min-k; t tesuji --quiet match a b --qui; t tesuji play x"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["match", "sample", "--min-komi", "--quiet", ""]


def test_fish_and_zsh_know_the_same_words() -> None:
    words = {"match": Completions.of(get_command(cli.load("match")), "it's a match")}
    assert "-l games" in SHELLS["fish"](words)
    assert "it\\'s a match" in SHELLS["fish"](words)
    assert "--games" in SHELLS["zsh"](words)


def test_the_page_on_installing_shows_the_line_for_each_shell() -> None:
    page = Path(__file__).parents[2] / "docs" / "install.md"
    for _, line in COMMANDS["completion"].examples:
        assert f"`{line}`" in page.read_text(encoding="utf-8")


def test_an_unknown_shell_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", "bahs"]) == 2
    assert "did you mean 'bash'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (counted(1, "game"), "1 game"),
        (counted(0, "game"), "0 games"),
        (counted(1200, "query"), "1,200 queries"),
        (number(1234567.8), "1,234,568"),
        (duration(45.2), "45 s"),
        (duration(720), "12 min"),
        (duration(3 * 3600 + 300), "3 h 05 min"),
        (duration(float("nan")), "-"),
    ],
)
def test_numbers_as_people_read_them(told: str, wanted: str) -> None:
    assert told == wanted
