"""Model files that lie or attack: each ends in one line, quickly, with little memory, and reads no other file."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.networks.small import trained
from tesuji import networks
from tesuji.base.errors import InputError
from tesuji.networks.evaluators import onnx_evaluator
from tesuji.networks.evaluators.factory import evaluator, load
from tesuji.networks.onnx import deadlines
from tesuji.networks.onnx.builder import GraphBuilder
from tesuji.networks.onnx.deadlines import Deadlines
from tesuji.networks.onnx.model_file import KEY, ModelInfo, read_info
from tesuji.networks.onnx.protobuf import content, number

resource = pytest.importorskip("resource")  # not on Windows
MOST_MB = 800  # that a refusal may add to the memory of this process


@pytest.fixture
def model(tmp_path: Path) -> onnx.ModelProto:
    networks.export(trained("se.1.32.16", 9), tmp_path / "sound.onnx")
    return onnx.load(tmp_path / "sound.onnx")


def refusal(data: bytes, seconds: float = 300) -> str:
    """The one line of complaint about a file."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(InputError) as caught:
        evaluator(data, "evil.onnx")
    assert time.monotonic() - began < seconds
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MB << 10
    text = str(caught.value)
    assert text.startswith("evil.onnx")
    assert "\n" not in text
    assert len(text) < 400
    return text


def weight(model: onnx.ModelProto) -> Any:
    return next(one for one in model.graph.initializer if len(one.dims) == 4)


def outside(tensor: TensorProto, path: str) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=path)


class TestOtherFilesAreNotRead:
    def test_weights_beside_the_program(
        self, model: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("secret.bin").write_bytes(weight(model).raw_data)
        outside(weight(model), "secret.bin")
        assert "weights outside the file" in refusal(model.SerializeToString())

    def test_any_path(self, model: onnx.ModelProto) -> None:
        outside(weight(model), "../../../../etc/passwd")
        assert "weights outside the file" in refusal(model.SerializeToString())

    def test_hidden_in_an_attribute_of_a_graph_within_the_graph(self, model: onnx.ModelProto) -> None:
        hidden = helper.make_tensor("t", TensorProto.FLOAT, [1], [0.0])
        outside(hidden, "/etc/passwd")
        inner = helper.make_graph([helper.make_node("Constant", [], ["x"], value=hidden)], "inner", [], [])
        model.graph.node.append(helper.make_node("If", ["planes"], ["y"], then_branch=inner, else_branch=inner))
        assert "a graph within its graph" in refusal(model.SerializeToString())

    def test_hidden_in_an_attribute(self, model: onnx.ModelProto) -> None:
        hidden = helper.make_tensor("t", TensorProto.FLOAT, [1], [0.0])
        outside(hidden, "/etc/passwd")
        model.graph.node.append(helper.make_node("Constant", [], ["x"], value=hidden))
        assert "weights outside the file" in refusal(model.SerializeToString())

    def test_hidden_in_a_function(self, model: onnx.ModelProto) -> None:
        node = helper.make_node("Relu", ["a"], ["b"])
        model.functions.append(helper.make_function("f", "g", ["a"], ["b"], [node], []))
        assert "functions" in refusal(model.SerializeToString())


class TestShapesThatLie:
    @pytest.mark.parametrize("dims", [[1 << 40], [1 << 62, 4], [-1], [3, 3]])
    def test_a_weight_claims_more_or_less_than_it_has(self, model: onnx.ModelProto, dims: list[int]) -> None:
        tensor = weight(model)
        del tensor.dims[:]
        tensor.dims.extend(dims)
        assert "a weight that claims" in refusal(model.SerializeToString())

    def test_numbers_written_one_by_one_claim_more(self, model: onnx.ModelProto) -> None:
        tensor = weight(model)
        tensor.ClearField("raw_data")
        tensor.float_data.append(1.0)
        tensor.dims[0] = 1 << 40
        assert "a weight that claims" in refusal(model.SerializeToString())

    @pytest.mark.parametrize(
        "change",
        [
            {"size": 100_000},
            {"size": 0},
            {"size": "9"},
            {"size": True},
            {"outputs": ["policy", "value", "__class__"]},
            {"outputs": 7},
            {"komi_grid": [0.5] * 100_000},
            {"komi_grid": ["a"]},
            {"any_size": "yes"},
            {"name": "x" * 10_000},
            {"training": 3},
        ],
    )
    def test_a_note_that_lies(self, model: onnx.ModelProto, change: dict[str, object]) -> None:
        note = json.loads(model.metadata_props[0].value) | change
        model.metadata_props[0].value = json.dumps(note)
        assert "the note on the network is damaged" in refusal(model.SerializeToString())

    @pytest.mark.parametrize("note", ["[]", "7", '{"format": 1}', "{" * 50_000, '"' + "x" * 100])
    def test_a_note_that_is_none(self, model: onnx.ModelProto, note: str) -> None:
        model.metadata_props[0].value = note
        assert "the note on the network is" in refusal(model.SerializeToString())


def network(value: Callable[[GraphBuilder], str]) -> bytes:
    """A model file whose value is computed by a few nodes of the attacker's choice."""
    graph = GraphBuilder()
    flat = graph.add("ReduceMean", ["planes", graph.constant([1])], keepdims=0)
    flat = graph.add("Reshape", [flat, graph.constant([-1, 81])])
    policy = graph.add("Pad", [graph.add("Softmax", [flat], axis=1), graph.constant([0, 0, 0, 1])])
    info = ModelInfo(
        name="evil",
        planes="golois-21",
        size=9,
        any_size=False,
        has_pass=False,
        value_of="to_play",
        outputs=("policy", "value"),
    )
    total = graph.add("ReduceMean", [flat, graph.constant([1])], keepdims=0)
    return graph.model(info, 21, [policy, graph.add("Add", [total, value(graph)])])


def of_shape(graph: GraphBuilder) -> str:
    return graph.add("ReduceSum", [graph.add("ConstantOfShape", [graph.constant([1 << 38])])], keepdims=0)


def outer_product(graph: GraphBuilder) -> str:
    column = graph.weight("column", np.ones((1 << 18, 1), np.float32))
    row = graph.weight("row", np.ones((1, 1 << 18), np.float32))
    return graph.add("ReduceSum", [graph.add("MatMul", [column, row])], keepdims=0)


def tiled(graph: GraphBuilder) -> str:
    one = graph.weight("one", np.ones((1024,), np.float32))
    return graph.add("ReduceSum", [graph.add("Tile", [one, graph.constant([1 << 30])])], keepdims=0)


@pytest.mark.parametrize("evil", [of_shape, outer_product, tiled])
def test_memory_without_end_is_refused(evil: Callable[[GraphBuilder], str]) -> None:
    assert "cannot" in refusal(network(evil))


def half_a_gigabyte(graph: GraphBuilder) -> str:
    return graph.add("ReduceSum", [graph.add("ConstantOfShape", [graph.constant([1 << 27])])], keepdims=0)


def test_memory_that_the_machine_has_is_refused_beyond_its_half(tmp_path: Path) -> None:
    """In a process of its own, which takes the machine for a small one: the bound is set once."""
    (tmp_path / "evil.onnx").write_bytes(network(half_a_gigabyte))
    script = """
import sys
from pathlib import Path
from tesuji.networks.onnx import runtime
runtime.memory_bytes = lambda: int(sys.argv[2]) << 20
from tesuji.networks.evaluators.factory import evaluator
try:
    evaluator(Path(sys.argv[1]).read_bytes(), "evil.onnx")
    print("plays")
except ValueError as problem:
    print(problem)
"""
    for megabytes, said in ((640, "evil.onnx: the network cannot judge a board"), (4096, "plays")):
        command = [sys.executable, "-c", script, str(tmp_path / "evil.onnx"), str(megabytes)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        assert done.stdout.startswith(said)


def test_the_same_network_without_the_attack_plays() -> None:
    made = evaluator(network(lambda graph: graph.constant(0.25, np.float32)), "good.onnx")
    assert made(np.zeros((1, 21, 9, 9), np.float32), [7.5]).value.tolist() == [0.25]


def test_time_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of heavy nodes on an empty board: stopped between two of them."""
    monkeypatch.setattr(onnx_evaluator, "RUN_SECONDS", 0.2)
    monkeypatch.setattr(onnx_evaluator, "POSITION_SECONDS", 0.1)

    def heavy(graph: GraphBuilder) -> str:
        square = graph.weight("square", np.full((1024, 1024), 1e-3, np.float32))
        first = graph.add("ReduceMean", ["planes"], keepdims=0)
        at = graph.add("Mul", [square, first])
        for _ in range(2000):
            at = graph.add("MatMul", [at, square])
        return graph.add("ReduceSum", [at], keepdims=0)

    assert "cannot judge a board" in refusal(network(heavy))


class TestAttacksThatWaitForTheGame:
    """Graphs that are harmless until a board shows exactly three ones, which no trial does."""

    BOARD = np.zeros((1, 21, 9, 9), np.float32)
    BOARD[0, 0, 0, :3] = 1

    def complaint(self, evil: Callable[[GraphBuilder, str], str]) -> str:
        def value(graph: GraphBuilder) -> str:
            total = graph.add("ReduceSum", ["planes"], keepdims=0)
            found = graph.add("Equal", [total, graph.constant(3, np.float32)])
            number = graph.add("Cast", [found], to=TensorProto.INT64)
            return evil(graph, graph.add("Reshape", [number, graph.constant([1])]))

        made = evaluator(network(value), "evil.onnx")
        assert np.isfinite(made(np.zeros_like(self.BOARD), [7.5]).value).all()
        with pytest.raises(InputError) as caught:
            made(self.BOARD, [7.5])
        return str(caught.value)

    def test_memory(self) -> None:
        def evil(graph: GraphBuilder, found: str) -> str:
            length = graph.add("Mul", [found, graph.constant([1 << 38])])
            return graph.add("ReduceSum", [graph.add("ConstantOfShape", [length])], keepdims=0)

        assert self.complaint(evil).startswith("evil.onnx: the network cannot judge a board")

    def test_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(onnx_evaluator, "RUN_SECONDS", 1.0)
        monkeypatch.setattr(onnx_evaluator, "POSITION_SECONDS", 0.5)

        def evil(graph: GraphBuilder, found: str) -> str:
            side = graph.add("Add", [graph.add("Mul", [found, graph.constant([1023])]), graph.constant([1])])
            square = graph.add("ConstantOfShape", [graph.add("Concat", [side, side], axis=0)])
            at = square
            for _ in range(3000):
                at = graph.add("MatMul", [at, square])
            return graph.add("ReduceSum", [at], keepdims=0)

        assert "terminate" in self.complaint(evil)

    def test_no_number(self) -> None:
        def evil(graph: GraphBuilder, found: str) -> str:
            one = graph.add("Sub", [graph.constant([1]), found])
            number = graph.add("Cast", [one], to=TensorProto.FLOAT)
            return graph.add("ReduceSum", [graph.add("Div", [number, number])], keepdims=0)

        assert self.complaint(evil) == "evil.onnx: the network answers NaN; its weights are damaged"


def test_only_a_run_that_reckons_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, or in a process that was held, an honest network waits long for little work."""
    monkeypatch.setattr(deadlines, "_PAUSE", 0.01)
    with Deadlines().within(0.3) as options:
        time.sleep(1)
        assert not options.terminate
        end = time.monotonic() + 60
        while not options.terminate and time.monotonic() < end:
            pass
        assert options.terminate


@pytest.mark.parametrize("kind", ["If", "Loop", "Scan", "SequenceMap"])
def test_graphs_within_the_graph_are_refused(model: onnx.ModelProto, kind: str) -> None:
    inner = helper.make_graph([], "inner", [], [])
    model.graph.node.append(helper.make_node(kind, ["planes"], ["y"], body=inner))
    assert "a graph within its graph" in refusal(model.SerializeToString())


def test_graphs_within_graphs_without_end_are_refused() -> None:
    graph = b""
    for _ in range(1000):
        graph = content(1, content(5, content(6, graph)))
    data = content(7, graph) + content(14, content(1, KEY), content(2, _note()))
    assert "a graph within its graph" in refusal(data)


def test_a_file_longer_than_any_model_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "evil.onnx").open("wb") as file:
        file.truncate(200 << 30)  # a hole: no disk holds it
    with pytest.raises(InputError, match=r"evil\.onnx: longer than 2 GB"):
        load(tmp_path / "evil.onnx")


def test_a_number_without_end_is_refused() -> None:
    for data in (b"\xff" * 100_000, number(1, 9) + b"\x3a" + b"\x80" * 100_000):
        with pytest.raises(InputError, match="not an ONNX file"):
            read_info(data, "evil.onnx")


def _note() -> str:
    return ModelInfo(
        name="n", planes="golois-21", size=9, any_size=False, has_pass=False, value_of="white", outputs=("policy",)
    ).to_json()
