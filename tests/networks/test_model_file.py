"""Model files: what is written is what the network says, and damaged files are refused in one line."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from tests.networks.small import SMALL, random_input, trained
from tesuji import networks
from tesuji.networks.onnx import export as onnx_export
from tesuji.networks.onnx.model_file import KEY, read_info
from tesuji.networks.onnx.outputs import EvaluationOutputs
from tesuji.networks.zoo import registry


@pytest.mark.parametrize(("name", "size"), SMALL)
def test_files_say_what_networks_say(name: str, size: int, tmp_path: Path) -> None:
    network = trained(name, size)
    info = networks.export(network, tmp_path / "a.onnx", {"steps": 3})
    evaluate = networks.load(tmp_path / "a.onnx")
    planes, komi = random_input(network, 5), torch.tensor([-3.0, 0.5, 6.5, 7.0, 7.5])
    judgement = EvaluationOutputs(network)
    with torch.no_grad():
        expected = judgement(planes, komi)
    got = evaluate(planes.numpy(), komi.numpy())
    for field, tensor in zip(judgement.names, expected, strict=True):
        np.testing.assert_allclose(getattr(got, field), tensor.numpy(), atol=1e-4, err_msg=field)
    np.testing.assert_allclose(got.policy.sum(1), 1, atol=1e-5)
    assert got.policy.shape == (5, size * size + 1)
    assert (got.policy[:, -1] > 0).all() == evaluate.has_pass
    assert ((got.value >= 0) & (got.value <= 1)).all()
    assert info == evaluate.info
    assert evaluate.info.training == {"steps": 3}
    assert evaluate.info.parameters == networks.parameters(name, size=size)


def test_batch_norms_are_folded(tmp_path: Path) -> None:
    networks.export(trained("se.2.32.16+komi", 9), tmp_path / "a.onnx")
    kinds = {node.op_type for node in onnx.load(tmp_path / "a.onnx").graph.node}
    assert "BatchNormalization" not in kinds


def test_one_file_plays_on_every_size(tmp_path: Path) -> None:
    network = trained("se.2.32.16+pass+ownership", 9)
    networks.export(network, tmp_path / "a.onnx")
    evaluate = networks.load(tmp_path / "a.onnx")
    for size in (9, 19, 5):
        assert evaluate.plays(size)
        planes = random_input(network, 2, size)
        got = evaluate(planes.numpy(), [7.5, 7.5])
        with torch.no_grad():
            np.testing.assert_allclose(got.policy, torch.softmax(network(planes).policy, 1), atol=1e-5)


def test_the_general_exporter_agrees(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Networks of the user's own may hold operations that only torch's exporter knows."""

    @networks.register("odd", ["width"])
    def odd(inputs: int, width: int) -> torch.nn.Module:
        return torch.nn.Sequential(torch.nn.Conv2d(inputs, width, 3, padding=1), torch.nn.GELU())

    try:
        network = trained("odd.8+pass+komi", 9)
        networks.export(network, tmp_path / "a.onnx")  # compares file and network itself
    finally:
        registry.forget("odd")
    data = (tmp_path / "a.onnx").read_bytes()
    assert b"test_model_file" not in data, "the exporter's remarks quote source paths"
    kinds = {node.op_type for node in onnx.load(tmp_path / "a.onnx").graph.node}
    assert kinds & {"Gelu", "Erf"}


def test_a_file_that_would_differ_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    network = trained("se.1.32.16", 9)
    other = trained("se.1.32.16", 9)
    torch.nn.init.normal_(other.get_parameter("value.output.weight"))
    monkeypatch.setattr(onnx_export, "folded", lambda _: other)
    with pytest.raises(ValueError, match=r"differs from 'se\.1\.32\.16'"):
        networks.export(network, tmp_path / "a.onnx")
    assert list(tmp_path.iterdir()) == []


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    network = trained("se.1.32.16", 9)
    with torch.no_grad():
        network.get_parameter("value.output.bias").fill_(float("nan"))
    with pytest.raises(ValueError, match=r"value\.output\.bias holds NaN"):
        networks.export(network, tmp_path / "a.onnx")


class TestDamagedFiles:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        networks.export(trained("se.1.32.16", 9), tmp_path / "a.onnx")
        return tmp_path / "a.onnx"

    @pytest.mark.parametrize("part", [0.2, 0.5, 0.99])
    def test_cut_short(self, file: Path, part: float) -> None:
        data = file.read_bytes()
        file.write_bytes(data[: int(part * len(data))])
        with pytest.raises(ValueError, match=r"only part of one|without Tesuji's note"):
            networks.load(file)

    def test_no_onnx_at_all(self, tmp_path: Path) -> None:
        for content in (b"", b"not a model", b"\x00" * 100, bytes(range(256))):
            (tmp_path / "b.onnx").write_bytes(content)
            with pytest.raises(ValueError, match="not an ONNX file"):
                networks.load(tmp_path / "b.onnx")

    def test_no_note(self, file: Path) -> None:
        model = onnx.load(file)
        del model.metadata_props[:]
        onnx.save(model, file)
        with pytest.raises(ValueError, match="tesuji export"):
            networks.load(file)

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [({"format": 99}, "update Tesuji"), ({"format": "new"}, "damaged"), ({"name": None}, None)],
    )
    def test_other_notes(self, file: Path, change: dict[str, object], complaint: str | None) -> None:
        model = onnx.load(file)
        note = json.loads(model.metadata_props[0].value) | change
        if complaint is None:
            del note["planes"]
            complaint = "incomplete"
        model.metadata_props[0].value = json.dumps(note)
        assert model.metadata_props[0].key == KEY
        onnx.save(model, file)
        with pytest.raises(ValueError, match=complaint):
            networks.load(file)

    def test_weights_that_are_no_numbers(self, file: Path) -> None:
        model = onnx.load(file)
        weight = next(w for w in model.graph.initializer if w.name.endswith("value.output.weight"))
        weight.raw_data = np.full(50, np.nan, np.float32).tobytes()
        onnx.save(model, file)
        with pytest.raises(ValueError, match="its weights are damaged"):
            networks.load(file)

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            ({"planes": "golois-31"}, r"reads planes \[B, 21, 9, 9\]"),
            ({"planes": "golois-99"}, "no plane set 'golois-99'"),
            ({"outputs": ["policy", "value", "black_score"]}, r"graph lacks: \['black_score'\]"),
        ],
    )
    def test_notes_that_do_not_fit_the_graph(self, file: Path, change: dict[str, object], complaint: str) -> None:
        model = onnx.load(file)
        note = json.loads(model.metadata_props[0].value) | change
        model.metadata_props[0].value = json.dumps(note)
        onnx.save(model, file)
        with pytest.raises(ValueError, match=complaint):
            networks.load(file)

    def test_an_unknown_future_entry_is_no_obstacle(self, file: Path) -> None:
        model = onnx.load(file)
        note = json.loads(model.metadata_props[0].value)
        model.metadata_props[0].value = json.dumps(note | {"later": 1})
        assert read_info(model.SerializeToString(), "here").name == "se.1.32.16"


def test_playing_needs_no_torch(tmp_path: Path) -> None:
    networks.export(trained("se.1.32.16", 9), tmp_path / "a.onnx")
    script = (
        "import sys, tesuji\n"
        "assert 'onnxruntime' not in sys.modules\n"
        f"evaluate = tesuji.load({str(tmp_path / 'a.onnx')!r})\n"
        "game = tesuji.Game(size=9, komi=7.5)\n"
        "assert evaluate(tesuji.encode([game], evaluate.planes), [7.5]).policy.shape == (1, 82)\n"
        "assert not {'torch', 'onnx', 'matplotlib', 'scipy'} & set(sys.modules), 'torch'\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
