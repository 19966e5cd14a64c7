"""Students' Keras models become model files, and what runs code does not."""

import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.networks.keras_models import as_keras_2, build_models
from tesuji import networks
from tesuji.interfaces.cli import run
from tesuji.networks.keras import newer_layers
from tesuji.networks.keras.config import LAYERS, OPERATIONS, SILENT, cleaned
from tesuji.networks.keras.convert import export_keras
from tesuji.networks.keras.layers import TRANSLATIONS
from tesuji.networks.onnx.model_file import ModelInfo


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = ("mobile.h5", "varied.keras", "modern.keras", "unknown.keras", "lambda.keras", "one_output.h5", "scaled.h5")
    return build_models(tmp_path_factory.mktemp("keras"), *names)


def test_a_students_h5_plays(models: Path, tmp_path: Path) -> None:
    file = tmp_path / "student.h5"
    file.write_bytes((models / "mobile.h5").read_bytes())
    as_keras_2(file)
    assert run(["export", str(file), "-o", str(tmp_path / "a.onnx")]) == 0
    evaluate = networks.load(tmp_path / "a.onnx")
    assert (evaluate.planes, evaluate.has_pass, evaluate.info.size) == ("golois-21", False, 19)
    assert evaluate.info.training == {"source": "student.h5"}
    block = 2 * 16 * 32 + 9 * 32 + 4 * (32 + 32 + 16) + 16 * 4 + 4 + 4 * 16 + 16
    assert evaluate.info.parameters == 21 * 16 + 16 + 4 * 16 + 2 * block + 16 + 16 * 50 + 50 + 51
    planes = np.zeros((2, 21, 19, 19), np.float32)
    planes[0, 0] = 1  # the same stones, Black to play and White to play
    judged = evaluate(planes, [7.5, 7.5])
    assert judged.policy.shape == (2, 362)
    assert (judged.policy[:, -1] == 0).all()
    np.testing.assert_allclose(judged.policy.sum(1), 1, atol=1e-5)


def test_a_model_loads_as_it_is(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    info = tesuji.load(models / "varied.keras").info  # compares with Keras itself
    assert isinstance(info, ModelInfo)
    assert (info.planes, info.size, info.has_pass, info.value_of) == ("golois-31", 9, True, "white")
    assert [file.name[:7] for file in (tmp_path / "converted").iterdir()] == ["varied-"]
    assert tesuji.load(models / "varied.keras").info == info  # at once, from the kept translation


def test_newer_layers_nested_models_and_functions_of_keras_ops(models: Path, tmp_path: Path) -> None:
    info = export_keras(models / "modern.keras", tmp_path / "a.onnx")  # compares with Keras itself
    assert info.size == 5
    assert info.operations > info.parameters
    judged = networks.load(tmp_path / "a.onnx")(np.zeros((1, 21, 5, 5), np.float32), [7.5])
    assert judged.policy.shape == (1, 26)


def test_the_page_lists_the_layers_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "networks.md").read_text(encoding="utf-8")
    shown = page.split("Layers of Keras that are read:")[1].split("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", shown)) == LAYERS - {"InputLayer"}
    assert LAYERS - SILENT - {"InputLayer"} == set(TRANSLATIONS) | set(newer_layers.LAYERS)
    assert set(newer_layers.OPERATIONS) == OPERATIONS


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("lambda.keras", "a layer 'Lambda' of .* runs code of its own"),
        ("unknown.keras", "a layer 'Conv2DTranspose' cannot be translated; docs/networks.md lists"),
        ("one_output.h5", "expected outputs 'policy'"),
        ("missing.h5", "no Keras model"),
        ("scaled.h5", "save it as .keras"),  # Keras itself cannot read it again
    ],
)
def test_models_that_are_refused(models: Path, tmp_path: Path, name: str, complaint: str) -> None:
    with pytest.raises((ValueError, OSError), match=complaint):
        export_keras(models / name, tmp_path / "a.onnx")
    assert not (tmp_path / "a.onnx").exists()


def test_damaged_files_are_refused(models: Path, tmp_path: Path) -> None:
    for name in ("mobile.h5", "varied.keras"):
        data = (models / name).read_bytes()
        broken = tmp_path / name
        broken.write_bytes(data[: len(data) // 2])
        with pytest.raises(ValueError, match="Keras"):
            export_keras(broken, tmp_path / "a.onnx")


def test_classes_hidden_in_the_configuration_are_found(models: Path) -> None:
    with zipfile.ZipFile(models / "varied.keras") as archive:
        config = json.loads(archive.read("config.json"))
    assert cleaned(config, "here")
    for evil in (
        {"module": "os", "class_name": "Conv2D", "config": {}},
        {"module": "builtins", "class_name": "function", "config": "eval"},
        {"class_name": "TorchModuleWrapper", "config": {}},
    ):
        config["config"]["layers"][2]["config"]["hidden"] = [evil]
        with pytest.raises(ValueError, match="cannot be translated"):
            cleaned(config, "here")
