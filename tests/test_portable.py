"""What other systems do differently, as far as it can be shown on this one; the workflow's machines run the rest."""

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layers import MODULES, imports
from tesuji.arena.players import gtp_engine
from tesuji.base import files
from tesuji.interfaces.cli import expanded
from tesuji.interfaces.gtp.streams import Answers

# What only some systems have, and the one module that may use it, behind a question about the system.
ONLY_IN = {"fcntl": "tesuji.base.files", "msvcrt": "tesuji.base.files", "resource": "tesuji.networks.keras.worker"}


@pytest.mark.parametrize("name", ["fcntl", "termios", "tty", "pwd", "grp", "resource", "msvcrt", "winreg"])
def test_modules_of_one_system_have_one_user(name: str) -> None:
    users = {module for module in MODULES if name in imports(module)}
    assert users <= {ONLY_IN.get(name, "")}


def test_no_process_is_forked() -> None:
    """macOS and Windows start processes afresh, and a fork of a process with threads may hang."""
    for path in Path(files.__file__).parents[1].rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "os.fork" not in text
        if path.name == "processes.py":
            continue
        why = f"{path.name}: take SPAWN of base.processes, which leaves the user's script alone"
        assert "get_context(" not in text, why
        assert not re.search(r"(?<!SPAWN\.)\bProcess\(", text), why
        assert all("SPAWN" in call for call in re.findall(r"\bProcessPoolExecutor\(.*", text)), why


def test_patterns_are_expanded_where_the_shell_does_not(tmp_path: Path) -> None:
    for name in ("b.onnx", "a.onnx", "c.txt"):
        (tmp_path / name).touch()
    there = [str(tmp_path / "a.onnx"), str(tmp_path / "b.onnx")]
    given = ["tournament", str(tmp_path / "*.onnx"), "default-9x9 c=0.2", "none*.onnx"]
    assert expanded(given) == ["tournament", *there, "default-9x9 c=0.2", "none*.onnx"]


def test_a_console_without_our_signs_gets_others_for_them() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "cp1252", "COLUMNS": "80"}
    command = [sys.executable, "-m", "tesuji", "reproduce", "--help"]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert b"UnicodeEncodeError" not in done.stderr


def test_windows_waits_for_whoever_reads_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    replace = os.replace

    def busy_twice(draft: str, path: Path) -> None:
        if len(refused) < 2:
            refused.append(draft)
            raise PermissionError(errno.EACCES, "in use")
        replace(draft, path)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "replace", busy_twice)
    files.write_atomically(tmp_path / "note.txt", "new")
    assert (tmp_path / "note.txt").read_text(encoding="utf-8") == "new"
    assert len(refused) == 2


def test_an_engine_ends_on_windows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    monkeypatch.setattr(sys, "platform", "win32")
    gtp_engine._end_group(sleeper)
    assert sleeper.wait(10) != 0


def test_a_client_that_is_gone_is_one_on_windows_too() -> None:
    class Gone(io.BytesIO):
        def flush(self) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

    with pytest.raises(BrokenPipeError):
        Answers(Gone()).write("= \n\n")
