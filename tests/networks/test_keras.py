"""Students' Keras models become model files, and what runs code does not."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

import tesuji
from tesuji import networks
from tesuji.interfaces.cli import run
from tesuji.networks.keras_config import cleaned
from tesuji.networks.keras_import import export_keras

# Keras keeps global state and picks its backend once, so models are built in a process of their own, as students do.
BUILD = """
import sys
import keras
import numpy as np
from keras import layers, regularizers

def mobile(size=19, planes=21, filters=32, trunk=16, blocks=2):
    inputs = keras.Input(shape=(size, size, planes), name="board")
    x = layers.Conv2D(trunk, 1, padding="same", kernel_regularizer=regularizers.l2(0.0001))(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    for _ in range(blocks):
        m = layers.Conv2D(filters, (1, 1), kernel_regularizer=regularizers.l2(0.0001), use_bias=False)(x)
        m = layers.BatchNormalization()(m)
        m = layers.Activation("relu")(m)
        m = layers.DepthwiseConv2D((3, 3), padding="same", use_bias=False)(m)
        m = layers.BatchNormalization()(m)
        m = layers.Activation("relu")(m)
        m = layers.Conv2D(trunk, (1, 1), use_bias=False)(m)
        m = layers.BatchNormalization()(m)
        s = layers.GlobalAveragePooling2D()(m)
        s = layers.Dense(4, activation="relu")(s)
        s = layers.Dense(trunk, activation="sigmoid")(s)
        m = layers.Multiply()([m, layers.Reshape((1, 1, trunk))(s)])
        x = layers.Add()([m, x])
    p = layers.Conv2D(1, 1, activation="relu", padding="same", use_bias=False)(x)
    p = layers.Activation("softmax", name="policy")(layers.Flatten()(p))
    v = layers.GlobalAveragePooling2D()(x)
    v = layers.Dense(50, activation="relu")(v)
    v = layers.Dense(1, activation="sigmoid", name="value")(v)
    return keras.Model(inputs=inputs, outputs=[p, v])

def varied(size=9, planes=31):
    inputs = keras.Input(shape=(size, size, planes), name="board")
    x = layers.SeparableConv2D(12, 3, padding="same", activation="swish")(inputs)
    y = layers.Conv2D(12, 5, padding="same", activation="elu")(inputs)
    x = layers.Concatenate()([x, y, layers.MaxPooling2D(3, strides=1, padding="same")(x)])
    x = layers.Dropout(0.3)(layers.LeakyReLU(0.1)(x))
    x = layers.Conv2D(8, 3, padding="valid", groups=4)(layers.ZeroPadding2D(1)(x))
    pooled = layers.AveragePooling2D(2, padding="same")(x)
    p = layers.Dense(size * size + 1, name="logits")(layers.Flatten()(layers.Conv2D(2, 1)(x)))
    p = layers.Softmax(name="policy")(p)
    v = layers.BatchNormalization()(layers.Flatten()(pooled))
    v = layers.Dense(1, activation="tanh", name="value")(layers.Dense(16, activation="gelu")(v))
    return keras.Model(inputs, [v, p])

def shake(model):
    rng = np.random.default_rng(1)
    model.set_weights([rng.uniform(0.2, 1, w.shape) if "variance" in v.path else rng.normal(0, 0.3, w.shape)
                       for v, w in zip(model.weights, model.get_weights())])
    return model

folder = sys.argv[1]
shake(mobile()).save(folder + "/mobile.h5")
shake(varied()).save(folder + "/varied.keras")
board = np.zeros((1, 19, 19, 21), "f")
keras.Sequential([keras.Input((19, 19, 21)), layers.Lambda(lambda x: x * 2), layers.Flatten(), layers.Dense(361)]).save(
    folder + "/lambda.keras")
keras.Sequential([keras.Input((19, 19, 21)), layers.Flatten(), layers.Dense(361)]).save(folder + "/one_output.h5")
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keras")
    environment = os.environ | {"KERAS_BACKEND": "torch", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_a_students_h5_plays(models: Path, tmp_path: Path) -> None:
    # Keras 2 wrote a key that Keras 3 refuses.
    file = tmp_path / "student.h5"
    file.write_bytes((models / "mobile.h5").read_bytes())
    with h5py.File(file, "r+") as content:
        config = json.loads(content.attrs["model_config"])
        for layer in config["config"]["layers"]:
            if layer["class_name"] == "DepthwiseConv2D":
                layer["config"]["groups"] = 1
        content.attrs["model_config"] = json.dumps(config)
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
    assert (info.planes, info.size, info.has_pass, info.value_of) == ("golois-31", 9, True, "white")
    assert [file.name[:7] for file in (tmp_path / "converted").iterdir()] == ["varied-"]
    assert tesuji.load(models / "varied.keras").info == info  # at once, from the kept translation


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("lambda.keras", "a layer 'Lambda'"),
        ("one_output.h5", "expected outputs 'policy'"),
        ("missing.h5", "no Keras model"),
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
