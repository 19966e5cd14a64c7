"""Conversations stay as they were. A wanted change: `make golden`, then read the difference in the transcripts."""

import difflib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.golden.talks import FOLDER, files, replayed
from tesuji.networks.evaluators.onnx_evaluator import SizedSession


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_conversation_is_as_it_was(path: Path) -> None:
    before, now = path.read_text(encoding="utf-8"), replayed(path)
    difference = "\n".join(difflib.unified_diff(before.splitlines(), now.splitlines(), "kept", "now", lineterm=""))
    assert before == now, f"{path.name} has changed; if it should, run `make golden`:\n{difference}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("builtin.*")), ids=lambda path: path.name)
def test_another_processor_says_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It adds in another order, as other counts of threads do, and differs by a millionth; here by ten."""
    exact, chance = SizedSession._run, np.random.default_rng(1)

    def nearly(session: SizedSession, feed: dict[str, Any]) -> list[Any]:
        answers = exact(session, feed)
        return [one * chance.normal(1, 1e-5, one.shape).astype(np.float32) for one in answers]

    monkeypatch.setattr(SizedSession, "_run", nearly)
    assert replayed(path) == path.read_text(encoding="utf-8")
