"""Model files that lie or attack: each ends in one line, quickly, with little memory, and reads no other file."""

import json
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
from tesuji.networks.evaluators.factory import evaluator
from tesuji.networks.onnx.builder import GraphBuilder
from tesuji.networks.onnx.model_file import KEY, ModelInfo, read_info
from tesuji.networks.onnx.protobuf import content, number

resource = pytest.importorskip("resource")  # not on Windows
MOST_MB = 800  # that a refusal may add to the memory of this process


@pytest.fixture
def model(tmp_path: Path) -> onnx.ModelProto:
    networks.export(trained("se.1.32.16", 9), tmp_path / "sound.onnx")
    return onnx.load(tmp_path / "sound.onnx")


def refusal(data: bytes, seconds: float = 60) -> str:
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


def test_the_same_network_without_the_attack_plays() -> None:
    made = evaluator(network(lambda graph: graph.constant(0.25, np.float32)), "good.onnx")
    assert made(np.zeros((1, 21, 9, 9), np.float32), [7.5]).value.tolist() == [0.25]


def test_time_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of heavy nodes on an empty board: stopped between two of them."""
    monkeypatch.setattr(onnx_evaluator, "TRIAL_SECONDS", 0.2)

    def heavy(graph: GraphBuilder) -> str:
        square = graph.weight("square", np.full((1024, 1024), 1e-3, np.float32))
        first = graph.add("ReduceMean", ["planes"], keepdims=0)
        at = graph.add("Mul", [square, first])
        for _ in range(2000):
            at = graph.add("MatMul", [at, square])
        return graph.add("ReduceSum", [at], keepdims=0)

    assert "cannot judge a board" in refusal(network(heavy))


@pytest.mark.parametrize("kind", ["Loop", "Scan"])
def test_loops_are_refused(model: onnx.ModelProto, kind: str) -> None:
    inner = helper.make_graph([], "inner", [], [])
    model.graph.node.append(helper.make_node(kind, ["planes"], ["y"], body=inner))
    assert "may run for ever" in refusal(model.SerializeToString())


def test_graphs_within_graphs_without_end_are_refused() -> None:
    graph = b""
    for _ in range(1000):
        graph = content(1, content(5, content(6, graph)))
    data = content(7, graph) + content(14, content(1, KEY), content(2, _note()))
    assert "deep" in refusal(data)


def test_a_number_without_end_is_refused() -> None:
    for data in (b"\xff" * 100_000, number(1, 9) + b"\x3a" + b"\x80" * 100_000):
        with pytest.raises(InputError, match="not an ONNX file"):
            read_info(data, "evil.onnx")


def _note() -> str:
    return ModelInfo(
        name="n", planes="golois-21", size=9, any_size=False, has_pass=False, value_of="white", outputs=("policy",)
    ).to_json()
