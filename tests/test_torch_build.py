"""PyTorch for processors is asked for where there is no GPU, and only where pip would take the large build."""

import importlib.util
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "torch_build.py"
LARGE = ['nvidia-cublas-cu12==12.8; platform_system == "Linux" or platform_system != "Linux"', "sympy>=1.13"]
SMALL = ["sympy>=1.13", 'nvidia-cublas; platform_system == "Nowhere"', 'cuda-opt; extra == "more"']


@pytest.fixture
def tool() -> ModuleType:
    pytest.importorskip("pip", reason="the tool runs in environments that have pip")
    spec = importlib.util.spec_from_file_location("torch_build", TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_asks_for_what_the_package_asks_for(tool: ModuleType) -> None:
    assert tool.requirement().startswith("torch>=")


def test_libraries_of_cards_are_seen_where_they_would_be_installed(tool: ModuleType) -> None:
    assert tool.is_for_cards(LARGE)
    assert not tool.is_for_cards(SMALL)


@pytest.mark.parametrize(
    ("installed", "card", "needs", "works", "commands"),
    [
        (False, False, LARGE, True, ["uv>=0.7.14", "torch"]),
        (False, False, LARGE, False, ["uv>=0.7.14"]),
        (False, False, SMALL, True, []),
        (False, True, LARGE, True, []),
        (True, False, LARGE, True, []),
    ],
)
def test_what_it_does(
    installed: bool, card: bool, needs: list[str], works: bool, commands: list[str], tool: ModuleType,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    done: list[str] = []

    def run(words: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        done.append(words[-1])
        return subprocess.CompletedProcess(words, 0 if works else 1)

    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: object() if installed else None)
    monkeypatch.setattr(tool, "has_card", lambda: card)
    monkeypatch.setattr(tool, "offered", lambda: needs)
    monkeypatch.setattr(tool.subprocess, "run", run)
    assert tool.main() == 0
    assert [word.partition(">=")[0] for word in done] == [word.partition(">=")[0] for word in commands]
    assert ("cannot be had" in capsys.readouterr().out) == (not works)
