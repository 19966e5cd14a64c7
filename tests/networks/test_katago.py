"""Networks of KataGo, read from small files made here and compared with plain arithmetic."""

import gzip
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.networks.katago_files import BLOCKS, KatagoFile, positions
from tesuji.networks.evaluators.onnx_evaluator import SizedSession
from tesuji.networks.foreign import katago_file, stream
from tesuji.networks.foreign.convert import export_foreign, model_bytes
from tesuji.networks.foreign.katago_file import read_katago
from tesuji.networks.onnx.model_file import ModelInfo, read_info
from tesuji.networks.onnx.runtime import ort

KOMI = np.array([7.5, 0, -3], np.float32)


def written(folder: Path, data: bytes, name: str = "small.bin.gz") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def said(data: bytes, planes: Any) -> tuple[ModelInfo, dict[str, Any]]:
    info = read_info(data, "here")
    session = SizedSession(data, "here", info, planes.shape[-1], provider="CPUExecutionProvider", threads=1)
    judged = session(planes, KOMI)
    return info, {name: getattr(judged, name) for name in info.outputs}


def agrees(file: KatagoFile, path: Path, size: int = 5, optimism: float = 0.2) -> None:
    planes = positions(3, size)
    _, found = said(model_bytes(path, optimism), planes)
    for i, position in enumerate(planes):
        expected = file.judge(position, KOMI[i], optimism)
        assert set(expected) == set(found)
        for name, value in expected.items():
            assert found[name][i] == pytest.approx(value, abs=2e-4, rel=2e-4), name


@pytest.mark.parametrize("version", range(8, 18))
def test_every_version_says_what_plain_arithmetic_says(version: int, tmp_path: Path) -> None:
    file = KatagoFile(version, ["ordinary", "gpool"], seed=version)
    agrees(file, written(tmp_path, file.packed()))


@pytest.mark.parametrize("kind", BLOCKS)
def test_every_block(kind: str, tmp_path: Path) -> None:
    file = KatagoFile(17, [kind, kind], activation="SILU", seed=3)
    agrees(file, written(tmp_path, file.packed()))


@pytest.mark.parametrize("activation", ["IDENTITY", "RELU", "MISH", "SILU"])
def test_every_activation(activation: str, tmp_path: Path) -> None:
    file = KatagoFile(14, ["bottleneck"], activation=activation, seed=4)
    agrees(file, written(tmp_path, file.packed()))


@pytest.mark.parametrize("spatial", [0, 1])
@pytest.mark.parametrize("kind", ["ordinary", "attention"])
def test_norms_by_the_mean_square_at_the_tip(spatial: int, kind: str, tmp_path: Path) -> None:
    file = KatagoFile(15, [kind], rms=spatial, activation="MISH", seed=5)
    agrees(file, written(tmp_path, file.packed()))


def test_blocks_of_all_kinds_in_one_network_on_several_boards(tmp_path: Path) -> None:
    file = KatagoFile(16, BLOCKS, activation="SILU", seed=6)
    path = written(tmp_path, file.packed())
    for size in (2, 7):
        agrees(file, path, size)


@pytest.mark.parametrize(
    ("name", "binary", "packed"),
    [("a.bin", True, False), ("a.txt", False, False), ("a.txt.gz", False, True), ("a.gz", True, True)],
)
def test_binary_and_text_packed_and_plain(name: str, binary: bool, packed: bool, tmp_path: Path) -> None:
    file = KatagoFile(14, ["ordinary"], binary=binary)
    agrees(file, written(tmp_path, file.packed() if packed else file.data(), name))


@pytest.mark.parametrize("optimism", [0.0, 1.0])
def test_optimism_mixes_the_two_policies(optimism: float, tmp_path: Path) -> None:
    file = KatagoFile(12)
    agrees(file, written(tmp_path, file.packed()), optimism=optimism)


def test_a_converted_file_notes_where_it_comes_from(tmp_path: Path) -> None:
    path = written(tmp_path, KatagoFile(15).packed())
    info = export_foreign(path, tmp_path / "a.onnx", 0.5)
    assert (info.name, info.planes, info.any_size) == ("small", "katago-v7", True)
    assert info.training["origin"] == "KataGo"
    assert info.training["source"] == "small.bin.gz"
    assert info.training["optimism"] == "0.5"
    assert info.parameters == read_katago(path).parameters


def test_onnx_checks_the_file_we_write_without_it(tmp_path: Path) -> None:
    import onnx

    model = onnx.load_from_string(model_bytes(written(tmp_path, KatagoFile(17, BLOCKS).packed())))
    # onnxruntime's own operators are unknown to the checker; the rest is held to the standard.
    assert {node.domain for node in model.graph.node} == {"", "com.microsoft"}
    plain = onnx.load_from_string(model_bytes(written(tmp_path, KatagoFile(14, ["bottleneck"]).packed())))
    onnx.checker.check_model(plain, full_check=True)


def test_what_depends_on_the_size_alone_is_worked_out_once(tmp_path: Path) -> None:
    """Else a network with attention would compute sines in every evaluation."""
    import onnx

    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.add_free_dimension_override_by_name("size", 9)
    options.optimized_model_filepath = str(tmp_path / "ready.onnx")
    data = model_bytes(written(tmp_path, KatagoFile(17, ["attention", "gpool"]).packed()))
    ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    kinds = {node.op_type for node in onnx.load(tmp_path / "ready.onnx").graph.node}
    assert not kinds & {"Shape", "Range", "Sin", "Cos", "ReduceProd"}


GOOD = KatagoFile(17, ["ordinary", "attention"]).data()


def replaced(old: bytes, new: bytes) -> bytes:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "ends where"),
        (b"\x00\xff" * 300, "no network file"),
        (b"x" * 5000, "longer than"),
        (b"<html>not found</html>", "does not begin with a name"),
        (replaced(b"small 17", b"small 7"), "version 7 .* versions 8 to 17"),
        (replaced(b"small 17", b"small 18"), "version 18"),
        (replaced(b"small 17", b"small seventeen"), "whole number"),
        (replaced(b"small 17 22", b"small 17 21"), "number of planes"),
        (replaced(b"150.0\n0", b"150.0\n1"), "human-like network"),
        (replaced(b"150.0", b"nan"), "a multiplier is nan"),
        (replaced(b"trunk 2 8", b"trunk 2 8000000"), "channels is 8000000"),
        (replaced(b"ordinary_block", b"strange_block"), "kind 'strange_block'"),
        (replaced(b"ACTIVATION_RELU", b"ACTIVATION_NONE"), "ACTIVATION_NONE"),
        (KatagoFile(17, ["deep"]).data(), "blocks within blocks more than 4 deep"),
        (replaced(b"b 4 2 8", b"b 4 3 8"), "do not divide"),
        (replaced(b"conv 3 3 22 8", b"conv 3 3 22 9"), "outputs of conv is 9"),
        (replaced(b"conv 3 3 22 8", b"conv 4 3 22 8"), "no middle"),
        (GOOD[: len(GOOD) // 2], "ends within|ends where"),
        (GOOD[:-8], "ends within"),
        (GOOD + b"more", "goes on"),
        (gzip.compress(GOOD)[:-200], "compression"),
        (gzip.compress(b"small 17 22 19" + b" " * (200 << 20), 1), "unpacks to far more"),
        (GOOD.replace(b"@BIN@", b"@BIN@\xff\xff\xff\x7f", 1)[:-4], "NaN"),
    ],
)
def test_a_bad_file_is_refused_in_one_line_with_its_name(data: bytes, problem: str, tmp_path: Path) -> None:
    path = written(tmp_path, data)
    with pytest.raises(ValueError, match=problem) as raised:
        model_bytes(path)
    message = str(raised.value)
    assert "small.bin.gz" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("module", "bound", "problem"),
    [(katago_file, "MOST_PARAMETERS", "more than 100 numbers"), (stream, "LARGEST", "claims .* more than any network")],
)
def test_numbers_are_bounded(
    module: ModuleType, bound: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, bound, 100)
    with pytest.raises(ValueError, match=problem):
        model_bytes(written(tmp_path, GOOD))


def test_optimism_outside_its_bounds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        model_bytes(written(tmp_path, KatagoFile(15).packed()), 1.5)


def test_a_file_loads_as_an_evaluator_that_judges_games(tmp_path: Path) -> None:
    """From the file to an answer by the public names alone, colours told apart."""
    file = KatagoFile(15, ["ordinary", "attention"], activation="MISH", seed=7)
    evaluate = tesuji.load(written(tmp_path, file.packed()), optimism=0.5)
    games = [tesuji.Game(size=5, komi=3.5, rules=rules) for rules in ("chinese", "japanese")]
    games[1].play("C3")
    planes = tesuji.encode(games, evaluate.planes)
    judged = evaluate(planes, [3.5, 3.5])
    for i in range(2):
        expected = file.judge(planes[i], 3.5, 0.5)
        assert judged.policy[i] == pytest.approx(expected["policy"], abs=2e-4)
        assert judged.value[i] == pytest.approx(expected["value"], abs=2e-4)
        assert judged.black_score is not None
        assert judged.black_score[i] == pytest.approx(expected["black_score"], abs=1e-2)
    assert evaluate.plays(9)
    assert evaluate.plays(19)


def test_wrappers_keep_spread_and_doubt(tmp_path: Path) -> None:
    evaluate = tesuji.load(written(tmp_path, KatagoFile(14, seed=8).packed()), symmetry="all")
    judged = evaluate(tesuji.encode([tesuji.Game(size=5)], evaluate.planes), [7.5])
    for field in (judged.score_stdev, judged.value_error, judged.score_error):
        assert field is not None
        assert field.shape == (1,)
