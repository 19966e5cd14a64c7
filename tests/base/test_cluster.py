"""Ray clusters: a token at hand is shown to them, and one that is missing is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tesuji.base import cluster


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def test_where_a_token_may_be(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not cluster._has_token()
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(home / "mine"))
    assert not cluster._has_token()
    (home / "mine").write_text("secret")
    assert cluster._has_token()
    monkeypatch.delenv("RAY_AUTH_TOKEN_PATH")
    (home / ".ray").mkdir()
    (home / ".ray" / "auth_token").write_text("secret")
    assert cluster._has_token()
    monkeypatch.setenv("HOME", str(home / "elsewhere"))
    monkeypatch.setenv("USERPROFILE", str(home / "elsewhere"))
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    assert cluster._has_token()


def test_what_is_written_meanwhile_is_kept_apart(capfd: pytest.CaptureFixture[str]) -> None:
    said: list[bytes] = []
    with cluster._apart(said):
        os.write(2, b"InvalidAuthToken")
    os.write(2, b"heard")
    assert (said, capfd.readouterr().err) == ([b"InvalidAuthToken"], "heard")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_head_that_asks_for_a_token(home: Path, tmp_path: Path) -> None:
    """A real head with a token of its own: without it one clear line, with it a connection."""
    pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
    (home / "head").mkdir()
    token = {**os.environ, "HOME": str(home / "head"), "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "a" * 64}
    script = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]
    start = "start --head --port 26399 --num-cpus 1 --include-dashboard false --object-store-memory 100000000"
    subprocess.run([*script, *start.split()], env=token, check=True, capture_output=True)
    try:
        connect = [sys.executable, "-c", "from tesuji.base.cluster import connect; connect('127.0.0.1:26399')"]
        without = subprocess.run(connect, capture_output=True, text=True)
        assert "asks for its token; there is none here" in without.stderr
        shown = {**os.environ, "RAY_AUTH_TOKEN": "a" * 64}
        subprocess.run(connect, env=shown, check=True, capture_output=True)
    finally:
        subprocess.run([*script, "stop", "--force"], env=token, capture_output=True)
