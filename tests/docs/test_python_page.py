"""The ten lines of every reader are ten; that they run is looked at with all other blocks."""

from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "python.md"
BLOCKS = [block for block in blocks(PAGE) if block.language == "python"]


def test_there_is_one_for_each_reader_and_none_is_long() -> None:
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        assert len([line for line in block.text.splitlines() if line.strip()]) <= 11
