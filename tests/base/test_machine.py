"""Folders as each system wishes them; what was precious in the cache moves to the data, once."""

import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tesuji.base import machine


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for variable in ("TESUJI_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    machine._rescue.cache_clear()
    yield
    machine._rescue.cache_clear()


@pytest.mark.parametrize(
    ("system", "data", "cache"),
    [
        ("linux", ".local/share/tesuji", ".cache/tesuji"),
        ("darwin", "Library/Application Support/tesuji", "Library/Caches/tesuji"),
        ("win32", "AppData/Local/tesuji", "AppData/Local/tesuji/cache"),
    ],
)
def test_folders(system: str, data: str, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert machine.data_folder() == tmp_path / data
    assert machine.cache_folder() == tmp_path / cache


def test_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "fast"))
    assert machine.data_folder() == tmp_path / ".local/share/tesuji"
    assert machine.cache_folder() == tmp_path / "fast" / "tesuji"
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path / "one"))
    assert machine.data_folder() == machine.cache_folder() == tmp_path / "one"


def test_models_and_games_leave_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    old, new = tmp_path / ".cache/tesuji", tmp_path / ".local/share/tesuji"
    (old / "web").mkdir(parents=True)
    (old / "web" / "game.json").write_text("{}")
    for name in ("mine.onnx", "twice.onnx", "networks.json"):
        (old / name).write_text("old")
    new.mkdir(parents=True)
    (new / "twice.onnx").write_text("new")
    assert machine.data_folder() == new
    assert sorted(path.name for path in new.iterdir()) == ["mine.onnx", "twice.onnx", "web"]
    assert (new / "web" / "game.json").read_text() == "{}"
    assert (new / "twice.onnx").read_text() == "new"
    assert sorted(path.name for path in old.iterdir()) == ["networks.json", "twice.onnx"]


def test_cores_and_processor() -> None:
    assert machine.cores() >= 1
    assert machine.processor()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_freed_memory_is_kept() -> None:
    measure = """
import resource, sys
from tesuji.base.machine import keep_freed_memory
assert len(sys.argv) == 1 or keep_freed_memory()
b"1" * 50_000_000
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    bytes([1]) * 50_000_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

    def pages_cleared(*arguments: str) -> int:
        return int(subprocess.check_output([sys.executable, "-c", measure, *arguments]))

    assert pages_cleared("keep") < 1_000 < pages_cleared()
