"""Networks in 8-bit integers: the same judgements within a little, really in integers, refused where they cannot be."""

import collections
import itertools
from pathlib import Path

import numpy as np
import onnx
import pytest

import tesuji
from tests.networks.small import trained
from tesuji import networks
from tesuji.base import machine
from tesuji.features.evaluation import Evaluation, Floats
from tesuji.interfaces.cli import run
from tesuji.networks.evaluators import precision
from tesuji.networks.evaluators.comparison import Positions, compare
from tesuji.networks.evaluators.factory import Running, evaluator
from tesuji.networks.int8.equalise import equalise
from tesuji.networks.int8.graph_view import GraphView, values_of
from tesuji.networks.int8.quantise import add_int8
from tesuji.networks.int8.ranges import best_range, weight_integers, weight_steps
from tesuji.networks.onnx.model_file import read_info, read_int8
from tesuji.networks.onnx.runtime import PROVIDERS, ort
from tesuji.training.data.real_positions import real_positions

NAMES = ["a0.conv.bin.2.16+pass+norelu+komi+ownership", "se.2.32.16+pass+komi", "mobile.2.24.16", "residual.2.16"]


@pytest.fixture(scope="module")
def positions() -> dict[str, Positions]:
    return {planes: real_positions(planes, 9, 200) for planes in ("golois-21", "golois-31")}


def exported(name: str, folder: Path) -> bytes:
    networks.export(trained(name, 9), folder / "a.onnx")
    return (folder / "a.onnx").read_bytes()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, positions: dict[str, Positions]) -> bytes:
    """A file with both precisions."""
    data = exported(NAMES[0], tmp_path_factory.mktemp("models"))
    return add_int8(data, positions[read_info(data, "").planes].part(0, 100), "net")


@pytest.mark.parametrize("name", NAMES)
def test_integers_say_nearly_the_same(name: str, tmp_path: Path, positions: dict[str, Positions]) -> None:
    data = exported(name, tmp_path)
    given = positions[read_info(data, "").planes]
    file = add_int8(data, given.part(0, 100), "net")
    plain, small = (evaluator(file, "net", Running(precision=one)) for one in ("fp32", "int8"))
    assert (plain.info.precision, small.info.precision) == ("fp32", "int8")
    found = compare(plain, small, given.part(100, 200))
    assert found.mean["value"] < 0.02
    assert found.mean["policy"] < 0.003
    assert found.largest["policy"] > 0  # they are not the same network


def test_channels_alike_change_nothing(tmp_path: Path, positions: dict[str, Positions]) -> None:
    model = onnx.load_from_string(exported(NAMES[0], tmp_path))
    given = positions["golois-21"].part(0, 64)
    graph = GraphView(model)
    inner = {graph.finished(node) for node in graph.convolutions()} | {node.input[0] for node in graph.convolutions()}
    falling = itertools.count(0, -1)  # the last way tried is the best: fully alike
    ranges = equalise(graph, values_of(model, inner, given), lambda changed, name, read: next(falling))
    assert {graph.kind(name) for name in ranges} == {"Relu", "BatchNormalization"}
    before, after = (values_of(one, ["policy", "value"], given) for one in (model, graph.rebuilt()))
    for name, numbers in before.items():
        np.testing.assert_allclose(numbers, after[name], atol=1e-5)
    changed = [
        name for name, weight in graph.weights.items() if not np.array_equal(weight, GraphView(model).weights[name])
    ]
    assert len(changed) > 5


def test_convolutions_really_run_in_integers(both: bytes, tmp_path: Path) -> None:
    content = read_int8(both, "net")
    assert content is not None
    options = ort.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "seen.onnx")
    options.log_severity_level = 4
    ort.InferenceSession(content, options, providers=[PROVIDERS["cpu"]])
    kinds = collections.Counter(node.op_type for node in onnx.load(tmp_path / "seen.onnx").graph.node)
    assert kinds["QLinearConv"] >= 4
    assert kinds["QLinearConv"] > kinds["Conv"] + kinds["FusedConv"] - 4  # the first one and the heads


def test_ranges_cut_off_what_is_rare_and_hold_zero() -> None:
    numbers = np.random.default_rng(1).exponential(size=100_000).astype(np.float32)
    assert 0.5 < 255 * best_range(numbers).step / numbers.max() < 0.95
    assert best_range(numbers + 3).zero == 0
    assert best_range(numbers - 1).rounded(np.zeros(1, np.float32)) == 0
    assert best_range(np.zeros(5, np.float32)).step > 0


def test_weights_have_a_step_for_each_channel() -> None:
    weight = np.stack([np.linspace(-1, 1, 9), 100 * np.linspace(-1, 1, 9)]).reshape(2, 1, 3, 3).astype(np.float32)
    steps = weight_steps(weight)
    assert steps[1] == pytest.approx(100 * steps[0])
    integers = weight_integers(weight, steps)
    assert np.abs(integers).max() <= 127
    np.testing.assert_allclose(integers * steps.reshape(2, 1, 1, 1), weight, rtol=0.02, atol=0.01)


class TestBadInput:
    def test_too_few_positions(self, both: bytes, positions: dict[str, Positions]) -> None:
        with pytest.raises(tesuji.InputError, match="10 positions are too few to calibrate with; give 64"):
            add_int8(both, positions["golois-21"].part(0, 10), "net")

    def test_positions_of_other_planes_or_sizes(self, both: bytes, positions: dict[str, Positions]) -> None:
        with pytest.raises(tesuji.InputError, match="reads golois-21; the positions have 31 planes"):
            add_int8(both, positions["golois-31"], "net")
        networks_of_one_size = exported_bytes("a0.2.16")
        with pytest.raises(tesuji.InputError, match="plays 9x9; the positions to calibrate with are 19x19"):
            add_int8(networks_of_one_size, real_positions("golois-21", 19, 64), "net")

    def test_no_sample_of_this_size(self) -> None:
        with pytest.raises(tesuji.InputError, match="no sample of 11x11 games; name a packed file"):
            real_positions("golois-31", 11, 10)
        with pytest.raises(tesuji.InputError, match=r"9x9\.games holds \d+ positions of 9x9; 1000000 are needed"):
            real_positions("golois-31", 9, 1_000_000)

    def test_damaged_integers_are_told(self, both: bytes) -> None:
        broken = both.replace(b"tesuji.int8", b"tesuji.int8", 1)
        place = broken.rindex(b"tesuji.int8") + 40
        broken = broken[:place] + b"\x01!" + broken[place + 2 :]
        with pytest.raises(tesuji.InputError, match="int8 network is damaged"):
            evaluator(broken, "net", Running(precision="int8"))


def exported_bytes(name: str) -> bytes:
    from tesuji.networks.onnx.export import note, serialise

    network = trained(name, 9)
    return serialise(network, note(network))


class _Slow:
    """An evaluator that says what another says, later or wrongly."""

    def __init__(self, inner: object, *, wrong: bool = False, times: int = 1) -> None:
        self.inner, self.wrong, self.times = inner, wrong, times

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def __call__(self, planes: Floats, komi: Floats) -> Evaluation:
        for _ in range(self.times):
            said: Evaluation = self.inner(planes, komi)  # type: ignore[operator]
        return Evaluation(said.policy, 1 - said.value if self.wrong else said.value)


def test_the_faster_precision_is_found_once(both: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    told = iter([2.5])
    monkeypatch.setattr(precision, "measured_gain", lambda *given: next(told))
    for _ in range(3):  # measured the first time, remembered the others
        assert evaluator(both, "net").info.precision == "int8"
    (tmp_path / precision.FILE).write_text("damaged")
    told = iter([0.9])
    assert evaluator(both, "net").info.precision == "fp32"
    assert evaluator(both, "net", Running(precision="int8")).info.precision == "int8"


def test_integers_that_are_wrong_here_are_not_used(both: bytes) -> None:
    plain = evaluator(both, "net", Running(precision="fp32"))
    assert 0.8 < precision.measured_gain(plain, plain) < 1.25
    assert precision.measured_gain(plain, _Slow(plain, times=4)) < 0.5  # type: ignore[arg-type]
    assert precision.measured_gain(plain, _Slow(plain, wrong=True)) < precision.WORTH  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("gain", "as_asked", "as_chosen"),
    [(0.0, "--precision fp32 is right", "it runs in real numbers"), (0.7, "0.70 times fp32", ""), (1.5, "", "")],
)
def test_integers_that_are_no_good_here_are_told_once(
    gain: float, as_asked: str, as_chosen: str, both: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    monkeypatch.setattr(precision, "measured_gain", lambda *given: gain)
    for asked, expected in (("int8", as_asked), ("auto", as_chosen)):
        precision._say.cache_clear()
        caplog.clear()
        for _ in range(2):
            evaluator(both, "net", Running(precision=asked))
        assert len(caplog.records) == bool(expected)
        assert expected in caplog.text


def test_processors_of_one_name_with_and_without_the_instructions_are_told_apart(
    both: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    gains = {True: 2.5, False: 0.6}
    for has in (True, False, True):
        monkeypatch.setattr(machine, "has_vnni", lambda has=has: has)
        monkeypatch.setattr(precision, "measured_gain", lambda *given, has=has: gains[has])
        assert evaluator(both, "net").info.precision == ("int8" if has else "fp32")


def test_integers_that_cannot_be_made_leave_the_file_that_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.safetensors", tmp_path / "a.onnx"
    networks.save_weights(trained(NAMES[0], 9), source)
    target.write_bytes(b"a network that plays")
    (tmp_path / "few.games").write_bytes(b"no games")
    assert run(["export", str(source), "--int8", "--positions", str(tmp_path / "few.games")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert target.read_bytes() == b"a network that plays"
    assert {one.name for one in tmp_path.iterdir()} == {"a.safetensors", "a.onnx", "few.games"}


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    networks.save_weights(trained(NAMES[0], 9), tmp_path / "a.safetensors")
    assert run(["export", str(tmp_path / "a.safetensors"), "--int8"]) == 0
    assert "first move the same in" in capsys.readouterr().out
    file = str(tmp_path / "a.onnx")
    assert run(["networks", file, "--check", "fp32", "int8", "--count", "70"]) == 0
    told = " ".join(capsys.readouterr().out.split())  # long paths fold the lines
    assert "int8 against fp32" in told
    assert "of 70 positions" in told
    assert run(["networks", file, "--check", "fp32", "fp64"]) == 2
    assert "no device 'fp64'" in capsys.readouterr().err
    assert run(["export", file]) == 2
    assert "is a model file already; --int8 adds" in capsys.readouterr().err
