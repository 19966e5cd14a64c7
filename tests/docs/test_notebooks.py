"""The notebooks run from their first cell to their last, with the small budgets that a cell of each carries."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.docs.pages import ROOT, text_of

FOLDER = ROOT / "docs" / "notebooks"
QUICK = {"play-and-analyse"}
NOTEBOOKS = [
    pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow, id=path.stem)
    for path in sorted(FOLDER.glob("*.ipynb"))
]


@pytest.fixture(autouse=True)
def quiet_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The kernel sees the same sources as the tests and keeps what it writes to itself."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(part for part in sys.path if part))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path / "home"))
    command = tmp_path / "bin" / "tesuji"  # the one of these sources, whatever else is installed
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tesuji "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def small(path: Path) -> Any:
    """The notebook with the budget of a test: a cell with `small` in its metadata has that text instead of its own."""
    notebook = read(path)
    for cell in notebook.cells:
        if "small" in cell.metadata:
            cell.source = "".join(cell.metadata["small"])
    return notebook


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    client = NotebookClient(small(path), timeout=500, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    asyncio.run(client.async_execute())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_it_is_kept_without_outputs_and_has_a_line_on_its_page(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells), "clear the outputs before you commit"
    assert f"](notebooks/{path.name})" in text_of(ROOT / "docs" / "notebooks.md")
    assert any("small" in cell.metadata for cell in notebook.cells), "one cell holds the budget, and a small one"
