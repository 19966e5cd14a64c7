"""Ray clusters: a token at hand is shown to them, and one that is missing is named."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def head(port: int, environment: dict[str, str]) -> Iterator[None]:
    """A real head of its own, ended by its process id: other clusters of this machine go on."""
    script = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]
    start = f"start --head --block --port {port} --num-cpus 1 --include-dashboard false --disable-usage-stats"
    store = "--object-store-memory 100000000"
    process = subprocess.Popen(
        [*script, *start.split(), *store.split()], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        _wait_for(process, port)
        yield
    finally:
        process.terminate()  # it stands in the foreground and takes what it started along
        process.communicate(timeout=60)


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + 120
    while True:
        try:
            return cluster.knock(f"127.0.0.1:{port}")
        except OSError:
            assert process.poll() is None, process.communicate()[0].decode()
            assert time.monotonic() < end, "no head within two minutes"
            time.sleep(0.5)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_head_that_asks_for_a_token(home: Path) -> None:
    """A real head with a token of its own: without it one clear line, with it a connection."""
    pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
    (home / "head").mkdir()
    token = {**os.environ, "HOME": str(home / "head"), "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "a" * 64}
    # Ray is loaded first, as by our workers and directors: it reads the environment then, and has to read it again.
    script = "import ray; from tesuji.base.cluster import connect; connect('127.0.0.1:26399')"
    connect = [sys.executable, "-c", script]
    with head(26399, token):
        without = subprocess.run(connect, capture_output=True, text=True)
        assert "asks for its token; there is none here" in without.stderr
        shown = {**os.environ, "RAY_AUTH_TOKEN": "a" * 64}
        subprocess.run(connect, env=shown, check=True, capture_output=True)
    with pytest.raises(OSError, match="refused"):
        cluster.knock("127.0.0.1:26399")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_cluster_of_ours_reports_its_use_to_nobody(home: Path) -> None:
    """A worker tells what it was given by the processes above it, which were given it by us."""
    pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
    script = """
import tesuji.base.cluster as cluster
with cluster.connected("local"):
    import ray
    where = ray.remote(lambda: __import__("os").environ["RAY_USAGE_STATS_ENABLED"])
    print("told", ray.get(where.remote()), flush=True)
"""
    environment = {key: value for key, value in os.environ.items() if key != "RAY_USAGE_STATS_ENABLED"}
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        if "timed out during startup" not in done.stderr:  # Ray's 30 seconds, which a busy machine may miss
            break
    else:
        assert "InputError: no Ray cluster at 'local'" in done.stderr
        pytest.skip("three times no Ray node started within Ray's 30 seconds; this machine is too busy")
    assert (done.returncode, done.stdout) == (0, "told 0\n"), done.stderr[-2000:]


def test_the_recipe_gives_the_token_before_a_cluster_starts() -> None:
    """Nodes join a head that asks for its token only where Ray is told to show theirs."""
    page = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text(encoding="utf-8")
    steps = ["ray get-auth-token --generate", "export RAY_AUTH_MODE=token", "ray start --head", "ray start --address"]
    places = [page.index(step) for step in steps]
    assert places == sorted(places)
