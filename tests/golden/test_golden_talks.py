"""Conversations stay as they were. A wanted change: `make golden`, then read the difference in the transcripts."""

import difflib
from pathlib import Path

import pytest

from tests.golden.talks import files, replayed


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_conversation_is_as_it_was(path: Path) -> None:
    before, now = path.read_text(encoding="utf-8"), replayed(path)
    difference = "\n".join(difflib.unified_diff(before.splitlines(), now.splitlines(), "kept", "now", lineterm=""))
    assert before == now, f"{path.name} has changed; if it should, run `make golden`:\n{difference}"
