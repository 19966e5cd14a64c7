"""`tesuji networks` and `tesuji export` as users call them."""

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from torch import Tensor, nn

from tests.networks.small import trained
from tesuji import networks
from tesuji._core import peak_in_floats
from tesuji.base.quantities import number
from tesuji.interfaces.cli import run
from tesuji.interfaces.terminal import network_list
from tesuji.networks import library
from tesuji.networks.evaluators.speed import peak_gflops
from tesuji.networks.zoo import known_facts, registry


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def small_zoo(monkeypatch: pytest.MonkeyPatch) -> None:
    """One family with one small example, which is soon measured."""
    small = replace(registry.families()[0], examples=("se.1.32.16",))
    monkeypatch.setattr(registry, "_FAMILIES", {small.name: small})


def test_the_list_shows_what_is_known_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = known_facts.KnownFacts()
    entries = [network_list._model(name) for name in library.names()]
    entries += [
        network_list._network(name, None, None, known) for kind in registry.families() for name in kind.examples
    ]
    speeds = {known_facts._speed_key(*entry.facts()): 4321.0 + i for i, entry in enumerate(entries)}
    facts = json.loads((home / known_facts.FILE).read_text()) | speeds
    (home / known_facts.FILE).write_text(json.dumps(facts))
    monkeypatch.setitem(sys.modules, "tesuji.networks.zoo.cost", None)  # nothing is counted again
    assert run(["networks"]) == 0
    shown = capsys.readouterr().out
    for example in ("se.16.384.64", "908,197", "residual.20.256", "23,642,469", "alphago-47"):
        assert example in shown
    for speed in speeds.values():
        assert number(speed) in shown
    assert json.loads((home / known_facts.FILE).read_text()) == facts


@pytest.mark.usefixtures("small_zoo")
def test_speeds_are_measured_once_for_runtime_and_processor(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed() -> dict[str, float]:
        assert run(["networks"]) == 0
        told: dict[str, float] = json.loads((home / known_facts.FILE).read_text())
        return {key: value for key, value in told.items() if "positions/s" in key}

    first = listed()
    assert any(key.startswith("se.1.32.16;") and value > 0 for key, value in first.items())
    assert listed() == first
    monkeypatch.setattr("onnxruntime.__version__", "0.0")
    both = listed()
    assert len(both) == 2 * len(first)
    assert first.items() <= both.items()


@pytest.mark.usefixtures("small_zoo")
@pytest.mark.parametrize("damage", ["{", "[1]", "\0", '{"se.1.32.16": "fast"}'])
def test_a_damaged_file_of_facts_is_found_out_anew(damage: str, home: Path) -> None:
    home.mkdir()
    (home / known_facts.FILE).write_text(damage)
    assert run(["networks"]) == 0
    assert all(value > 0 for value in json.loads((home / known_facts.FILE).read_text()).values())


@pytest.mark.usefixtures("small_zoo")
def test_a_home_that_cannot_be_written_to_forgets(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.write_text("a file where a folder should be")
    assert run(["networks"]) == 0
    assert "se.1.32.16" in capsys.readouterr().out


def test_one_in_detail(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["networks", "se.8.192.48+pass+komi", "--size", "9"]) == 0
    shown = capsys.readouterr().out
    assert "8 blocks, 192 filters, 48 trunk" in shown
    assert f"{networks.parameters('se.8.192.48+pass+komi', size=9):,}" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["networks", "se.16.384.46.1"], "did you mean 'se.16.384.64'?"),
        (["networks", "default-9x8"], "no model 'default-9x8'; did you mean 'default-9x9'?"),
        (["networks", "nowhere.onnx"], "no model file 'nowhere.onnx'"),
        (["networks", "se.1.32.16", "--planes", "golois-20"], "golois-21"),
        (["networks", "--plugin", "nowhere.py"], "no file 'nowhere.py'"),
        (["networks", "se.1.32.16", "--speed", "--device", "cuda"], "no device 'cuda'"),
        (["export", "nowhere.safetensors"], "no checkpoint 'nowhere.safetensors'"),
        (["export", "nowhere.safetensors", "-o", "a.pt"], "ends in .onnx"),
        (["export", "nowhere.safetensors", "--note", "hello"], "not JSON"),
        (["export", "friend.h5", "--average", "a.safetensors"], "'friend.h5' is a Keras model"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    errors = capsys.readouterr().err
    assert complaint in errors
    assert len(errors.strip().splitlines()) == 1


def test_from_checkpoint_to_model_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    networks.save_weights(trained("se.1.32.16+pass", 9), tmp_path / "a.safetensors", {"epoch": 4})
    arguments = [str(tmp_path / "a.safetensors"), "-o", str(tmp_path / "b.onnx"), "--note", '{"by": "me"}']
    assert run(["export", *arguments]) == 0
    evaluate = networks.load(tmp_path / "b.onnx")
    assert evaluate.info.training == {"epoch": 4, "by": "me"}
    assert run(["networks", str(tmp_path / "b.onnx")]) == 0
    assert "training: epoch" in capsys.readouterr().out


def test_the_mean_of_checkpoints_becomes_a_model_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / f"{name}.safetensors" for name in "abc"]
    for path in paths:
        networks.save_weights(trained("se.1.32.16+pass", 9), path, {"epoch": 4})
    others = [word for path in paths[1:] for word in ("--average", str(path))]
    assert run(["export", str(paths[0]), *others, "-o", str(tmp_path / "mean.onnx")]) == 0
    assert networks.load(tmp_path / "mean.onnx").info.training == {"epoch": 4}
    assert networks.read_note(tmp_path / "mean.safetensors")["record"] == {"epoch": 4}

    before = paths[0].read_bytes()
    assert run(["export", str(paths[0]), *others]) == 2
    assert "would replace" in capsys.readouterr().err
    assert paths[0].read_bytes() == before


def test_without_torch_names_are_listed_and_the_cure_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("torch", "matplotlib"):
        monkeypatch.setitem(sys.modules, package, None)
    assert run(["networks"]) == 0
    shown = capsys.readouterr().out
    assert "se.16.384.64" in shown
    assert "pip install 'tesuji-go[train]'" in shown
    speed = ["networks", "default-9x9", "--size", "9", "--batch", "1", "--seconds", "0.01"]
    assert run([*speed, "--plot", str(tmp_path / "a.svg")]) == 2
    assert "(there is no matplotlib here): pip install 'tesuji-go[plot]'" in capsys.readouterr().err


def test_speed_and_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["se.1.32.16", "--size", "9", "--batch", "1", "--batch", "4", "--seconds", "0.01", "--callers", "2"]
    assert run(["networks", *arguments, "--plot", str(tmp_path / "a.svg")]) == 0
    shown = capsys.readouterr().out
    assert "positions/s" in shown
    assert "of peak" in shown
    assert "peak of one core, measured: fp32 " in shown
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_the_peak_of_a_core_is_its_own_whatever_else_runs() -> None:
    floats, more = peak_gflops(1), peak_gflops(3)
    assert floats > 1  # a processor of this century
    assert more == pytest.approx(3 * floats, rel=0.5)
    whole = peak_gflops(1, "int8")
    assert whole == 0 or whole > floats
    assert peak_in_floats(2000) == 2 * peak_in_floats(1000)  # as many operations as it says


def test_the_bench_of_networks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["se.1.32.16", "--size", "5", "--size", "7", "--threads", "1", "--threads", "2", "--seconds", "0.01"]
    assert run(["bench", "networks", *arguments, "--plot", str(tmp_path / "a.png")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("se.1.32.16")]
    assert {row[2] for row in rows} == {"fp32"}
    measured = {(row[1], int(row[3]), int(row[4])) for row in rows}
    assert measured == set(product(("5x5", "7x7"), (1, 2), (1, 2, 4, 8, 16, 32, 64, 256)))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert run(["bench", "board", "--threads", "2"]) == 2
    assert "`tesuji bench networks`" in capsys.readouterr().err


@pytest.mark.usefixtures("small_zoo")
def test_a_network_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "from torch import nn\n"
        "from tesuji import networks\n"
        "@networks.register('mine', ['width'], summary='one convolution', example='mine.24')\n"
        "def mine(inputs, width):\n"
        "    return nn.Conv2d(inputs, width, 3, padding=1)\n"
    )
    try:
        assert run(["networks", "--plugin", str(tmp_path / "mine.py")]) == 0
        assert "mine: one convolution" in capsys.readouterr().out
    finally:
        registry.forget("mine")


class OneLayer(nn.Module):
    """A module of somebody's own."""

    def __init__(self) -> None:
        super().__init__()
        self.policy, self.value = nn.Conv2d(21, 1, 1), nn.Linear(21, 1)

    def forward(self, planes: Tensor, komi: Tensor) -> tuple[Tensor, Tensor]:
        return self.policy(planes).flatten(1), self.value(planes.mean((2, 3)))[:, 0]


def test_of_a_module_of_ones_own_nothing_is_said_that_nobody_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    networks.export_module(OneLayer(), tmp_path / "own.onnx", planes="golois-21", size=5)
    assert run(["networks", str(tmp_path / "own.onnx")]) == 0
    shown = capsys.readouterr().out
    assert "parameters  44" in shown
    assert "operations" not in shown


@pytest.mark.parametrize("name", library.names())
def test_every_shipped_network_is_shown_in_detail(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one whose training record has records inside, as quantisation leaves them."""
    assert run(["networks", name]) == 0
    shown = capsys.readouterr().out
    assert "written by" in shown
    assert "{" not in shown
