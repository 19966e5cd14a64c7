"""The README's examples do what it says they do."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 10
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    result = runner.run(examples, out=report.append)
    assert result.failed == 0, "".join(report)


def test_the_two_commands_come_first() -> None:
    first_block = README.split("```")[1]
    assert [line.split("#")[0].strip() for line in first_block.splitlines()[1:3]] == ["make play", "make test"]


def test_the_table_shows_the_commands_there_are() -> None:
    from tesuji.interfaces.cli import COMMANDS

    shown = set(re.findall(r"^\| `tesuji ([a-z-]+)", README, re.MULTILINE))
    assert shown == set(COMMANDS), "the README has one line for every command"


def test_files_it_names_exist() -> None:
    for name in ("docs/architecture.md", "CONTRIBUTING.md", "LICENSE"):
        assert (ROOT / name).is_file()
