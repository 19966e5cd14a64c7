"""What a model file may be made of: counted and listed before onnxruntime takes memory and time for it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.networks.test_hostile_models import network
from tesuji.base.errors import InputError
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.comparison import Positions
from tesuji.networks.evaluators.factory import evaluator
from tesuji.networks.int8 import quantise
from tesuji.networks.int8.graph_view import values_of
from tesuji.networks.onnx import inspection
from tesuji.networks.onnx.builder import GraphBuilder
from tesuji.networks.onnx.inspection import MOST_NODES, inspect_model
from tesuji.networks.onnx.model_file import MOST_ENTRIES, read_info
from tesuji.networks.onnx.protobuf import content, number, packed
from tesuji.networks.onnx.runtime import UNBOUNDED, ort

SOUND = network(lambda graph: graph.constant(0.25, np.float32))


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        inspect_model(data, "evil.onnx")
    text = str(caught.value)
    assert text.startswith("evil.onnx: ")
    assert "\n" not in text
    assert len(text) < 300
    return text


def with_graph(*parts: bytes) -> bytes:
    """A sound file with more parts in its graph: messages of one field are joined when they are read."""
    return SOUND + content(7, *parts)


def test_a_sound_file_passes() -> None:
    inspect_model(SOUND, "good.onnx")
    inspect_model(with_graph(content(5, packed(1, [2, 1, 1, 1]) + number(2, 1) + content(9, bytes(8)))), "good.onnx")


@pytest.mark.parametrize("packs", [True, False])
def test_a_weight_of_a_million_dimensions_is_not_multiplied_out(packs: bool) -> None:
    """Nine megabytes of them took most of an hour."""
    many = [1 << 62] * 20_000
    dims = packed(1, many) if packs else b"".join(number(1, dim) for dim in many)
    assert "more than 32 dimensions" in refusal(with_graph(content(5, dims + number(2, 1))))


def test_more_operations_than_any_network_has() -> None:
    """A megabyte of them took the runtime minutes."""
    relu = content(1, content(1, "planes"), content(2, "x"), content(4, "Relu"))
    inspect_model(with_graph(relu * (MOST_NODES - 100)), "good.onnx")
    assert "more than 10,000 operations" in refusal(with_graph(relu * (MOST_NODES + 1)))


EMPTY_WEIGHT = content(5, number(1, 0))
NODE = content(1, content(4, "Relu"), content(5) * 600_000)


@pytest.mark.parametrize(
    "parts", [content(13) * 1_000_000, EMPTY_WEIGHT * 500_000, NODE * 2], ids=["values", "weights", "attributes"]
)
def test_more_parts_than_any_network_has(parts: bytes) -> None:
    """Each takes two bytes here and a hundred in the runtime."""
    assert "more than 1,000,000 parts" in refusal(with_graph(parts))


def test_more_bytes_beside_the_weights_than_any_network_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MOST_REST", 100_000)
    weight = content(5, packed(1, [50_000]) + number(2, 1) + content(9, bytes(200_000)))
    inspect_model(with_graph(weight), "good.onnx")
    for evil in (content(13, bytes(100_000)), content(5, content(12, bytes(100_000)))):
        assert "MB beside its weights" in refusal(with_graph(evil))


def test_more_entries_than_any_file_has() -> None:
    with pytest.raises(InputError, match="not an ONNX file"):
        read_info(SOUND + content(8) * (MOST_ENTRIES + 1), "evil.onnx")


def length_of(graph: GraphBuilder, value: str) -> str:
    lengths = graph.add("Cast", [graph.add("Shape", [value])], to=TensorProto.FLOAT)
    return graph.add("ReduceSum", [lengths], keepdims=0)


def unique(graph: GraphBuilder) -> str:
    """A hundred bytes for every number, none of them of the pool that is bounded."""
    numbers = graph.add("Range", [graph.constant(0), graph.constant(1 << 24), graph.constant(1)])
    return length_of(graph, graph.add("Unique", [numbers]))


def split_to_sequence(graph: GraphBuilder) -> str:
    numbers = graph.add("Range", [graph.constant(0), graph.constant(1 << 22), graph.constant(1)])
    return graph.add("SequenceLength", [graph.add("SplitToSequence", [numbers])])


def of_others(graph: GraphBuilder) -> str:
    return graph.add_extension("com.microsoft", "Tokenizer", ["planes"])


@pytest.mark.parametrize(
    ("evil", "named"),
    [(unique, "Unique"), (split_to_sequence, "SplitToSequence"), (of_others, "com.microsoft.Tokenizer")],
)
def test_operations_with_memory_of_their_own(evil: Callable[[GraphBuilder], str], named: str) -> None:
    assert f"an operation '{named}'" in refusal(network(evil))


def strings_by_attribute(graph: GraphBuilder) -> str:
    return graph.add("Expand", [graph.add("Constant", [], value_string="x" * 1000), graph.constant([1 << 20])])


def test_strings_are_no_values() -> None:
    """One of 100 kB, thirty thousand times over, is three gigabytes of nobody's pool."""
    assert "strings as values" in refusal(network(strings_by_attribute))
    text = onnx.TensorProto(name="t", data_type=TensorProto.STRING, dims=[1], string_data=[b"x" * 1000])
    assert "strings as values" in refusal(with_graph(content(5, text.SerializeToString())))
    constant = helper.make_node("Constant", [], ["t"], value=text)
    assert "strings as values" in refusal(with_graph(content(1, constant.SerializeToString())))


class TestIntegersForAStrangersFile:
    """`tesuji export FILE --int8` looks through the file as playing does."""

    POSITIONS = Positions(np.zeros((64, plane_set("golois-21").channels, 9, 9), np.float32), np.zeros(64, np.float32))

    def test_weights_outside_the_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("secret.bin").write_bytes(bytes(8))
        model = onnx.load_from_string(SOUND)
        tensor = model.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[2])
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="secret.bin")
        with pytest.raises(InputError, match="weights outside the file"):
            quantise.add_int8(model.SerializeToString(), self.POSITIONS, "evil.onnx")

    def test_a_board_that_cannot_be_judged(self) -> None:
        def wide(graph: GraphBuilder) -> str:
            return graph.add("ReduceSum", [graph.add("ConstantOfShape", [graph.constant([1 << 38])])], keepdims=0)

        with pytest.raises(InputError, match=r"evil\.onnx: the network cannot judge a board"):
            quantise.add_int8(network(wide), self.POSITIONS, "evil.onnx")

    def test_what_calibrates_runs_within_the_same_bounds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bounds: list[object] = []
        real = ort.InferenceSession

        def spy(data: bytes, options: Any, **wishes: Any) -> Any:
            bounds.append(
                (options.get_session_config_entry("session.use_env_allocators"), wishes["disabled_optimizers"])
            )
            return real(data, options, **wishes)

        monkeypatch.setattr(ort, "InferenceSession", spy)
        values_of(onnx.load_from_string(SOUND), ["policy"], self.POSITIONS)
        assert bounds == [("1", UNBOUNDED)]

    def test_inputs_in_another_order(self) -> None:
        """The size of the planes was read from the first input, whichever that was."""
        model = onnx.load_from_string(SOUND)
        note = json.loads(model.metadata_props[0].value)
        planes = model.graph.input[0]
        del model.graph.input[:]
        model.graph.input.extend([helper.make_tensor_value_info("komi", TensorProto.FLOAT, ["batch"]), planes])
        model.metadata_props[0].value = json.dumps(note)
        assert evaluator(model.SerializeToString(), "a.onnx")
        with pytest.raises(InputError, match="no convolutions"):
            quantise.add_int8(model.SerializeToString(), self.POSITIONS, "a.onnx")
