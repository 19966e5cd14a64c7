"""Every row of SECURITY.md's table of threats names what shows it, and all that it names is there."""

import re

import pytest

from tests.docs.pages import ROOT
from tesuji.interfaces.cli import COMMANDS

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def is_there(name: str, folder: str) -> bool:
    """Whether a file, a target of make or a command of ours exists; `test_x.py` lies beside the file named before."""
    program, _, word = name.partition(" ")
    if program == "make":
        return word in TARGETS
    if program == "tesuji":
        return word in COMMANDS
    return (ROOT / (name if "/" in name else f"{folder}/{name}")).exists()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_threat_is_shown_by_exists(row: list[str]) -> None:
    assert len(row) == 4
    named = re.findall(r"`([^`]+)`|\]\(([^)]+)\)", row[3])
    assert named, f"nothing shows what stops {row[0]}"
    folder = ""
    for span, link in named:
        assert is_there(span or link, folder), f"SECURITY.md names {span or link}, which is not there"
        folder = span.rpartition("/")[0] or folder


def test_a_name_that_is_not_there_would_be_seen() -> None:
    assert len(ROWS) > 10
    for name in ("tests/go/test_nothing.py", "test_layers.py", "make nothing", "tesuji nothing"):
        assert not is_there(name, "tests/go"), name
