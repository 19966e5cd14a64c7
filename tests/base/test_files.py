"""A file held by one process is refused to another, and free again when its holder is gone; faults name the file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tesuji.base.files import open_alone, write_atomically


def held_by_another(path: Path) -> bool:
    code = f"from tesuji.base.files import open_alone\nopen_alone({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 or "BlockingIOError" in done.stderr
    return done.returncode != 0


def test_a_file_is_held_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("first\n")
    descriptor = open_alone(path)
    assert held_by_another(path)
    with pytest.raises(BlockingIOError, match=r"held by another process.*results\.jsonl"):
        open_alone(path)
    os.write(descriptor, b"second\n")
    assert path.read_text() == "first\nsecond\n"
    os.close(descriptor)
    assert not held_by_another(path)


def test_a_file_that_cannot_be_begun_is_named_itself(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 252)  # which leaves no room for the name of a draft
    with pytest.raises(OSError, match="x") as raised:
        write_atomically(path, "text")
    assert raised.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
