"""The README's examples do what it says they do."""

import doctest
import re
from pathlib import Path

import pytest

from tests.docs.pages import anchor_of, prose, text_of

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


def numbers(text: str) -> set[str]:
    """Numbers as written, 19-2-12 as one; board sizes are none."""
    return set(re.findall(r"(?<![\w.])\d+(?:[.,]\d+)*(?:-\d+)*(?![\dx])", re.sub(r"\d+x\d+", "", text)))


def results() -> dict[str, str]:
    """The sections of docs/results.md by what a link calls them."""
    page = ROOT / "docs" / "results.md"
    parts = re.split(r"^#+ (.+)$", text_of(page), flags=re.MULTILINE)
    return {anchor_of(title): text for title, text in zip(parts[1::2], parts[2::2], strict=True)}


MEND = (
    "write the number into docs/results.md with the command that measures it, or put the one that stands there into "
    "README.md; a number of the table belongs to the section that its row links to"
)


def test_every_number_of_the_table_stands_where_its_row_says() -> None:
    table = README.split("| measured |")[1].split("\n\n")[0]
    rows = [line for line in table.splitlines() if "results.md#" in line]
    assert len(rows) >= 8
    for row in rows:
        what, section = row.rsplit("|", 2)[0], re.findall(r"results\.md#([\w-]+)", row)[0]
        lacking = numbers(what) - numbers(results()[section])
        assert not lacking, f"README.md: {sorted(lacking)} of '{what.strip()}' is not under #{section}: {MEND}"


def test_every_other_number_stands_in_the_results() -> None:
    versions = r"Python 3\.\d+|C\+\+20|GNU Go 3\.8|Apache-2\.0"
    said = numbers(re.sub(versions, "", prose(ROOT / "README.md")))
    lacking = said - numbers(text_of(ROOT / "docs" / "results.md"))
    assert not lacking, f"README.md says {sorted(lacking)}: {MEND}"


def test_a_number_of_nowhere_would_be_seen() -> None:
    assert numbers("26-3-11 of 1,671,000 on 9x9, 58.8 % ± 2.4; se.8.192.48") == {"26-3-11", "1,671,000", "58.8", "2.4"}
    assert "484,880" in numbers(README)
