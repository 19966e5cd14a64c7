"""What a Keras file says it is, checked before anything of it is loaded: only layers that we can translate.

Layers that carry code (Lambda, custom classes) are refused; initialisers, regularisers and constraints,
which matter for training only, are dropped.
"""

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.networks.keras.contents import CONFIG, LONGEST_CONFIG, read_entry

# Those that do nothing once training is over.
SILENT = {
    "ActivityRegularization",
    "AlphaDropout",
    "Dropout",
    "GaussianDropout",
    "GaussianNoise",
    "SpatialDropout2D",
}
LAYERS = SILENT | {
    "Activation",
    "Add",
    "Average",
    "AveragePooling2D",
    "BatchNormalization",
    "Concatenate",
    "Conv2D",
    "Dense",
    "DepthwiseConv2D",
    "ELU",
    "Flatten",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling2D",
    "GroupNormalization",
    "InputLayer",
    "LayerNormalization",
    "LeakyReLU",
    "MaxPooling2D",
    "Maximum",
    "MultiHeadAttention",
    "Multiply",
    "PReLU",
    "Permute",
    "ReLU",
    "Rescaling",
    "Reshape",
    "SeparableConv2D",
    "Softmax",
    "Subtract",
    "UpSampling2D",
    "ZeroPadding2D",
}
OPERATIONS = {
    "Absolute",
    "Add",
    "Divide",
    "Exp",
    "Gelu",
    "HardSilu",
    "Max",
    "Maximum",
    "Mean",
    "Minimum",
    "Multiply",
    "Negative",
    "Relu",
    "Relu6",
    "Sigmoid",
    "Silu",
    "Softplus",
    "Sqrt",
    "Subtract",
    "Sum",
    "Tanh",
    "Transpose",
    "TrueDivide",
}
"""Functions of `keras.ops`, by the names of their classes."""
MODELS = {"Functional", "Model", "Sequential"}
PLAIN = {"DTypePolicy", "Policy", "__keras_tensor__", "__tuple__", "list", "tuple", "dict"}
FUNCTIONS = {
    "elu",
    "gelu",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "leaky_relu",
    "linear",
    "mish",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
}
MOST_DEPTH, LARGEST = 100, 10_000_000
NO_SIZES = {"seed", "shared_object_id"}  # numbers of any size, which are no sizes
DROPPED = ("_initializer", "_regularizer", "_constraint", "compile_config", "build_config")


def read_config(path: Path) -> dict[str, Any]:
    """The configuration inside a `.h5` or `.keras` file. Raises `ValueError` when there is none."""
    text: Any = None
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                text = read_entry(archive, CONFIG, LONGEST_CONFIG)
        else:
            import h5py

            with h5py.File(path, "r") as file:
                text = file.attrs.get("model_config")
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as problem:
        raise InputError(f"{path}: not a Keras model, or only part of one ({problem})") from None
    if text is None:
        raise InputError(f"{path}: weights without a model; save the whole model with model.save(...)")
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{path}: its configuration is damaged") from None
    if not isinstance(config, dict):
        raise InputError(f"{path}: its configuration is no model")
    _check_depth(config, str(path))
    return config


def _check_depth(config: Any, where: str) -> None:
    """Bounds what recursion meets later, and numbers that no layer has."""
    waiting = [(config, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > MOST_DEPTH:
            raise InputError(f"{where}: its configuration is more than {MOST_DEPTH} deep; no model is")
        if isinstance(part, int) and abs(part) > LARGEST:
            raise InputError(f"{where}: its configuration asks for {part} of something; no model for Go does")
        if isinstance(part, dict):
            part = [inner for key, inner in part.items() if key not in NO_SIZES]
        if isinstance(part, list):
            waiting += [(inner, depth + 1) for inner in part]


def cleaned(config: Any, where: str) -> Any:
    """The configuration without what training needs and without old quirks.

    Raises `ValueError` when it names a layer or a function that is not on the list.
    """
    if isinstance(config, list):
        return [cleaned(part, where) for part in config]
    if not isinstance(config, dict):
        return config
    if "class_name" in config:
        _check_class(config, where)
    kept = {key: value for key, value in config.items() if not key.endswith(DROPPED)}
    result: dict[str, Any] = {key: cleaned(value, where) for key, value in kept.items()}
    if isinstance(result.get("activation"), str) and result["activation"] not in FUNCTIONS:
        raise InputError(f"{where}: the activation '{result['activation']}' cannot be translated")
    if result.get("class_name") in {"DepthwiseConv2D", "SeparableConv2D"} and isinstance(result.get("config"), dict):
        result["config"].pop("groups", None)  # written by Keras 2, refused by Keras 3
    return result


def _check_class(config: dict[str, Any], where: str) -> None:
    name, module = str(config["class_name"]), config.get("module") or "keras"
    if name == "function" and config.get("config") in FUNCTIONS:
        return
    known = str(module).split(".")[0] in {"keras", "tensorflow", "builtins"}
    if known and name in LAYERS | MODELS | PLAIN | OPERATIONS:
        return
    if not known or name in {"Lambda", "function"}:
        raise InputError(f"{where}: a layer '{name}' of {module} cannot be translated: it runs code of its own")
    raise InputError(f"{where}: a layer '{name}' cannot be translated; docs/networks.md lists the layers that can")
