"""Networks of one's own: from a file or an installed package, known to every command."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import tesuji
from tests.experiments.test_compare import make_run
from tests.training.packed import packed
from tesuji import networks
from tesuji.interfaces.cli import run
from tesuji.networks.zoo import plugins, registry

MINE = """
from torch import nn
from tesuji import networks

@networks.register("mine", ["width"], summary="one convolution", example="mine.24")
def mine(inputs, width):
    return nn.Conv2d(inputs, width, 3, padding=1)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "mine_of_a_test.py"
    file.write_text(MINE)
    yield file
    registry.forget("mine")


def test_it_is_trained_and_played(mine: Path, tmp_path: Path) -> None:
    words = ["--network", "mine.8+pass", "--steps", "1", "--set", "batch=8", "--set", "threads=1"]
    data = packed(tmp_path / "some.games", 20)
    assert run(["train", str(tmp_path / "run"), "--data", data, "--plugin", str(mine), *words]) == 0
    evaluate = tesuji.load(tmp_path / "run" / "best.onnx")
    assert (evaluate.name, evaluate.planes) == ("mine.8+pass", "golois-21")


def test_its_run_is_compared_and_drawn(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run(tmp_path / "run", "mine.8+pass", 0.3)
    assert run(["compare", str(folder), "--seconds", "0"]) == 2
    told = capsys.readouterr().err
    assert "trained 'mine.8+pass', no network that is known by name; --plugin reads a file" in told
    assert run(["compare", str(folder), "--seconds", "0", "--csv", "--plugin", str(mine)]) == 0
    assert "mine.8+pass" in capsys.readouterr().out
    picture = tmp_path / "p.svg"
    assert run(["plot", str(folder), "--x", "parameters", "-o", str(picture), "--plugin", str(mine)]) == 0
    assert picture.is_file()


def test_it_learns_by_self_play(mine: Path, tmp_path: Path) -> None:
    words = "--network mine.8+pass --size 5 --games 2 --visits 2 --rounds 1 --processes 1 --set gate=none"
    quick = "--set selfplay.fast_visits=2 --set selfplay.move_limit=10 --set train.batch=8"
    command = ["learn", str(tmp_path / "run"), "--plugin", str(mine), *words.split(), *quick.split()]
    assert run(command) == 0
    assert (tmp_path / "run" / "networks" / "0001.onnx").is_file()


def test_what_an_installed_package_offers_is_always_known(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = EntryPoint("mine", mine.stem, plugins.GROUP)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [offered])
    plugins.installed.cache_clear()
    try:
        assert networks.describe("mine.8").name == "mine.8"
        assert "mine" in [family.name for family in networks.families()]
    finally:
        plugins.installed.cache_clear()
        sys.modules.pop(mine.stem, None)


def test_a_plugin_that_fails_is_named_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.py").write_text("import nothing_of_this_name\n")
    assert run(["networks", "--plugin", str(tmp_path / "bad.py")]) == 2
    told = capsys.readouterr().err
    assert "bad.py cannot be loaded: ModuleNotFoundError: No module named 'nothing_of_this_name'" in told
    assert told.count("\n") == 1


def test_help_of_export_needs_no_torch() -> None:
    words = "from tesuji.interfaces.cli import run; sys.exit(run(['export', '--help']))"
    program = f"import sys; sys.modules['torch'] = None; {words}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--average" in done.stdout
