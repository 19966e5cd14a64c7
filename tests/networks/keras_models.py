"""Students' Keras models, built for the tests that take them in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import h5py

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

def modern(size=5, planes=21):
    from keras import ops
    inputs = keras.Input(shape=(size, size, planes), name="board")
    x = layers.Conv2D(8, 3, padding="same")(layers.Rescaling(0.5, 0.1)(inputs))
    x = layers.PReLU(shared_axes=[1, 2])(layers.GroupNormalization(4)(x))
    parts = [layers.Conv2D(8, 1, name="same"), layers.LayerNormalization()]
    x = layers.Add()([x, keras.Sequential([keras.Input((size, size, 8)), *parts])(x)])
    inner = keras.Input((size, size, 8))
    nested = keras.Model(inner, layers.Conv2D(8, 1, activation="hard_silu", name="same")(inner))
    x = layers.AveragePooling2D(5)(layers.UpSampling2D(5)(nested(x)))
    x = ops.relu(x * 0.5 + layers.Activation("hard_silu")(x))
    x = layers.MultiHeadAttention(2, 4)(x, x) + x
    tokens = layers.Reshape((size * size, 8))(x)
    tokens = tokens + layers.MultiHeadAttention(2, 4)(layers.LayerNormalization()(tokens), tokens)
    tokens = layers.Dense(8, activation="softsign")(tokens)
    p = layers.Flatten()(layers.Dense(1)(tokens))
    v = layers.GlobalAveragePooling1D()(tokens) - ops.mean(x, axis=(1, 2))
    v = v / 2.0
    v = layers.Dense(1, activation="sigmoid", name="value")(v)
    return keras.Model(inputs, [layers.Softmax(name="policy")(p), v])

def unknown():
    inputs = keras.Input(shape=(5, 5, 21), name="board")
    x = layers.Conv2DTranspose(4, 3, padding="same")(inputs)
    p = layers.Softmax(name="policy")(layers.Dense(25)(layers.Flatten()(x)))
    return keras.Model(inputs, [p, layers.Dense(1, name="value")(layers.Flatten()(x))])

def shake(model):
    rng = np.random.default_rng(1)
    model.set_weights([rng.uniform(0.2, 1, w.shape) if "variance" in v.path else rng.normal(0, 0.3, w.shape)
                       for v, w in zip(model.weights, model.get_weights())])
    return model

def small():
    return keras.Sequential([keras.Input((19, 19, 21)), layers.Flatten(), layers.Dense(361)])

def hidden():
    code = layers.Lambda(lambda x: x * 2)
    return keras.Sequential([keras.Input((19, 19, 21)), code, layers.Flatten(), layers.Dense(361)])

def scaled():
    from keras import ops
    i = keras.Input((19, 19, 21))
    return keras.Model(i, layers.Dense(361)(layers.Flatten()(ops.multiply(i, 1.5))))

makers = {
    "mobile.h5": lambda: shake(mobile()),
    "mobile-9.h5": lambda: shake(mobile(size=9)),
    "mobile-9.keras": lambda: shake(mobile(size=9)),
    "varied.keras": lambda: shake(varied()),
    "modern.keras": lambda: shake(modern()),
    "unknown.keras": unknown,
    "lambda.keras": hidden,
    "one_output.h5": small,
    "scaled.h5": scaled,
}
folder, *names = sys.argv[1:]
for name in names:
    makers[name]().save(folder + "/" + name)
"""


def build_models(folder: Path, *names: str) -> Path:
    """Builds the models of these names as students do, with Keras itself."""
    environment = os.environ | {"KERAS_BACKEND": "torch", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", BUILD, str(folder), *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def as_keras_2(file: Path) -> Path:
    """Turns an .h5 of Keras 3 into one of Keras 2, which wrote a key that Keras 3 refuses."""
    with h5py.File(file, "r+") as content:
        config = json.loads(content.attrs["model_config"])
        for layer in config["config"]["layers"]:
            if layer["class_name"] == "DepthwiseConv2D":
                layer["config"]["groups"] = 1
        content.attrs["model_config"] = json.dumps(config)
    return file
