"""A missing build tool is told in one line that says what to install."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_nothing_is_missing_here() -> None:
    if not any(map(shutil.which, ["c++", "g++", "clang++"])):
        pytest.skip("no compiler on this machine")
    result = run([sys.executable, "tools/toolchain.py"])
    if "Python.h" in result.stderr:
        pytest.skip("no Python headers on this machine")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_missing_compiler_is_named() -> None:
    result = run([sys.executable, "tools/toolchain.py"], CXX="no-such-compiler")
    if "Python.h" in result.stderr:
        pytest.skip("no Python headers on this machine")
    assert result.returncode == 1
    assert result.stderr.startswith("tesuji: no C++ compiler (no-such-compiler): install g++")
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
def test_make_stops_before_it_installs_anything(tmp_path: Path) -> None:
    result = run(["make", "test", f"VENV={tmp_path / 'venv'}", f"PYTHON={sys.executable}"], CXX="no-such-compiler")
    assert result.returncode != 0
    assert "tesuji: no C++ compiler" in result.stderr or "Python.h" in result.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
@pytest.mark.parametrize("target", ["play", "test", "docs"])
def test_make_says_what_it_does_and_how_long_it_takes(target: str, tmp_path: Path) -> None:
    """Nothing is run: what would be."""
    lines = run(["make", "--dry-run", target, f"VENV={tmp_path / 'venv'}"]).stdout.splitlines()
    install = next(at for at, line in enumerate(lines) if "pip install" in line and "'.[" in line)
    said = [line for line in lines[:install] if line.startswith("echo")]
    assert any("minute" in line for line in said)
    assert "--quiet" not in lines[install]  # pip itself shows what it fetches
    assert any("torch_build.py" in line for line in lines[:install]) == (target != "play")


@pytest.mark.skipif(os.name != "posix" or not shutil.which("make"), reason="no make on this machine")
def test_ctrl_c_closes_the_board_without_an_error_line(tmp_path: Path) -> None:
    """A stand-in for `tesuji play` in an environment that make believes to be ready."""
    (tmp_path / "bin").mkdir()
    board = tmp_path / "bin" / "tesuji"
    board.write_text("#!/bin/sh\ntrap 'exit 130' INT\necho open\nwhile :; do sleep 0.1; done\n")
    board.chmod(0o755)
    for ready in (tmp_path / "bin" / "python", tmp_path / ".play"):
        ready.touch()  # newer than any source
    process = subprocess.Popen(
        ["make", "--no-print-directory", "play", f"VENV={tmp_path}"], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "open\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=20)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert (out, err) == ("", "")
