"""The ten lines of every reader run as they stand."""

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Block, blocks

PAGE = ROOT / "docs" / "python.md"
BLOCKS = [block for block in blocks(PAGE) if block.language == "python"]


def test_there_is_one_for_each_reader_and_none_is_long() -> None:
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        assert len([line for line in block.text.splitlines() if line.strip()]) <= 11


@pytest.mark.parametrize("block", BLOCKS, ids=["players", "students", "researchers", "engineers"])
def test_it_runs(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block.text, block.where, "exec"), {"__name__": "block"})
    assert capsys.readouterr().out
