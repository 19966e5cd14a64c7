"""Turns a Keras model into a model file, in a process of its own: `python -m tesuji.networks.keras.worker JOB`.

The job and the answer are JSON. Keras is loaded here only, on its torch backend, and only after the file's
configuration has passed the list of allowed layers.
"""

import io
import json
import shutil
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.base.errors import InputError
from tesuji.networks.keras import newer_layers
from tesuji.networks.keras.config import cleaned, read_config
from tesuji.networks.keras.contents import WEIGHTS, allowance, check_weights, copy_archive
from tesuji.networks.keras.layers import TRANSLATIONS, KerasTranslator, Value
from tesuji.networks.onnx.model_file import ModelInfo

TOLERANCE = 1e-4
MEMORY = 3 << 30  # bytes for Keras and torch themselves, with their threads


# What Keras says of a .h5 file in which it kept functions of keras.ops, but not so that it could read them again.
LOST_IN_H5 = ("Unknown layer", "passed as positional arguments")


def load_model(path: Path) -> Any:
    """The Keras model of a file whose configuration is harmless. Raises `ValueError` otherwise."""
    config = cleaned(read_config(path), str(path))
    import keras

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / ("model.keras" if zipfile.is_zipfile(path) else "model.h5")
        try:
            _copy_with_config(path, copy, json.dumps(config))
        except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as problem:
            raise InputError(f"{path}: not a Keras model, or only part of one ({problem})") from None
        _check_contents(copy, allowance(path), str(path))
        try:
            return keras.models.load_model(copy, compile=False, safe_mode=True)
        except Exception as problem:  # Keras raises anything from KeyError to its own
            reason = " ".join(str(problem).split())[:200]
            lost = any(words in reason for words in LOST_IN_H5)
            cure = "; save it as .keras, which keeps functions of keras.ops" if lost else ""
            raise InputError(f"{path}: Keras cannot load this model ({reason}){cure}") from None


def _copy_with_config(path: Path, copy: Path, config: str) -> None:
    if copy.suffix == ".keras":
        copy_archive(path, copy, config)
        return
    import h5py

    shutil.copyfile(path, copy)
    with h5py.File(copy, "r+") as file:
        file.attrs["model_config"] = config
        if "training_config" in file.attrs:
            del file.attrs["training_config"]


def _check_contents(copy: Path, most: int, where: str) -> None:
    if copy.suffix == ".h5":
        return check_weights(copy, most, where)
    with zipfile.ZipFile(copy) as archive, archive.open(WEIGHTS) as weights:
        return check_weights(io.BytesIO(weights.read()), most, where)


def bound_memory(most: int) -> None:
    """No more than this for our data: a configuration of a few bytes may ask for any number of weights."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def translate(writer: KerasTranslator, model: Any, values: list[Value]) -> list[Value]:
    """Writes every layer of a model, nested models included, and returns its outputs."""
    model = getattr(model, "_functional", None) or model  # what a Sequential is made of
    known = {id(tensor): value for tensor, value in zip(model.inputs, values, strict=True)}
    for depth in sorted(model._nodes_by_depth, reverse=True):
        for node in model._nodes_by_depth[depth]:
            layer = node.operation
            if type(layer).__name__ == "InputLayer":
                continue
            inputs = [known[id(tensor)] for tensor in node.input_tensors]
            writer.positional, writer.arguments = node.arguments.args, node.arguments.kwargs
            if hasattr(layer, "_nodes_by_depth") or getattr(layer, "_functional", None) is not None:
                results = translate(writer, layer, inputs)
            else:
                results = [writer.translate(layer, inputs, tuple(node.output_tensors[0].shape[1:]))]
            known |= {id(tensor): value for tensor, value in zip(node.output_tensors, results, strict=True)}
    return [known[id(tensor)] for tensor in model.outputs]


def roles(model: Any, where: str) -> tuple[int, int, int | None]:
    """Which outputs are policy and value, and the board size. Raises `ValueError` when it is no Go network."""
    if len(model.inputs) != 1 or len(model.inputs[0].shape) != 4:
        raise InputError(f"{where}: expected one input 'board' of shape (N, N, planes)")
    height, width = model.inputs[0].shape[1:3]
    if height != width:
        raise InputError(f"{where}: boards are square, not {height}x{width}")
    names = list(getattr(model, "output_names", ["the only one"]))  # a Sequential model has no names
    shapes = [tuple(tensor.shape[1:]) for tensor in model.outputs]
    # Names decide; where the last layers are unnamed, so do shapes: the value is the single number.
    single = next((i for i, shape in enumerate(shapes) if shape == (1,)), None)
    value = names.index("value") if "value" in names else single
    other = next((i for i in range(len(names)) if i != value), None)
    policy = names.index("policy") if "policy" in names else other
    if value is None or policy is None or shapes[value] != (1,) or len(shapes[policy]) != 1:
        found = ", ".join(f"'{name}' {shape}" for name, shape in zip(names, shapes, strict=True))
        raise InputError(f"{where}: expected outputs 'policy' (N*N,) and 'value' (1,), not {found}")
    moves = shapes[policy][0]
    if height is not None and moves not in {height**2, height**2 + 1}:
        raise InputError(f"{where}: a policy of {moves} moves does not fit a board of {height}x{height}")
    return policy, value, height


def last_function(model: Any, index: int) -> str:
    """The activation an output ends in."""
    layer = model.outputs[index]._keras_history.operation
    if type(layer).__name__ == "Softmax":
        return "softmax"
    while hasattr(layer, "_nodes_by_depth") or getattr(layer, "_functional", None) is not None:
        layer = layer.outputs[0]._keras_history.operation
    function = getattr(layer, "activation", None)
    return str(function.__name__) if function is not None else "linear"


def normalise(writer: KerasTranslator, policy: str, value: str, functions: tuple[str, str], job: Any) -> list[str]:
    """From the model's own outputs to those of a model file."""
    if functions[0] != "softmax":
        policy = writer.add("Softmax", [policy], axis=1)
    nothing, one = writer.constant(0.0, np.float32), writer.constant(1.0, np.float32)
    if not job["has_pass"]:
        policy = writer.add("Pad", [policy, writer.constant([0, 0, 0, 1]), nothing])
    if functions[1] == "tanh":
        value = writer.add("Div", [writer.add("Add", [value, one]), writer.constant(2.0, np.float32)])
    value = writer.add("Squeeze", [writer.add("Clip", [value, nothing, one]), writer.constant([1])])
    if job["value_of"] == "white":
        corner = "planes"
        for index in (job["black_plane"], 0, 0):
            corner = writer.add("Gather", [corner, writer.constant(index)], axis=1)
        black = writer.add("Greater", [corner, writer.constant(0.5, np.float32)])
        value = writer.add("Where", [black, writer.add("Sub", [one, value]), value])
    return [policy, value]


def convert(job: dict[str, Any]) -> dict[str, Any]:
    """Does the job: reads `source`, writes `target`, returns the file's note."""
    bound_memory(MEMORY + 4 * allowance(Path(job["source"])))
    model = load_model(Path(job["source"]))
    policy, value, size = roles(model, job["source"])
    channels = int(model.inputs[0].shape[-1])
    if channels != job["channels"]:
        raise InputError(f"{job['source']} reads {channels} planes, but {job['planes']} has {job['channels']}")
    job["has_pass"] = size is not None and model.outputs[policy].shape[1] == size**2 + 1
    writer = KerasTranslator(TRANSLATIONS | newer_layers.LAYERS, newer_layers.OPERATIONS)
    outputs = translate(writer, model, [Value("planes", tuple(model.inputs[0].shape[1:]))])
    functions = last_function(model, policy), last_function(model, value)
    results = normalise(writer, outputs[policy].name, outputs[value].name, functions, job)
    info = ModelInfo(
        name=job["name"],
        planes=job["planes"],
        size=size or 19,
        any_size=size is None,
        has_pass=job["has_pass"],
        value_of=job["value_of"],
        outputs=("policy", "value"),
        parameters=int(model.count_params()),
        operations=writer.operations,
        training=job["training"],
        tesuji=job["tesuji"],
    )
    data = writer.model(info, channels, results)
    check(model, data, policy, value, functions, job)
    Path(job["target"]).write_bytes(data)
    note: dict[str, Any] = json.loads(info.to_json())
    return note


def check(model: Any, data: bytes, policy: int, value: int, functions: tuple[str, str], job: dict[str, Any]) -> None:
    """Compares the file with Keras's own predictions on random positions. Raises `ValueError` when they differ."""
    from tesuji.networks.evaluators.factory import evaluator

    evaluate = evaluator(data, job["source"])
    size = evaluate.info.size
    planes = (np.random.default_rng(0).random((6, job["channels"], size, size)) < 0.3).astype(np.float32)
    black = np.arange(6) % 2 == 1
    planes[:, job["black_plane"]] = black[:, None, None]
    predicted = model.predict(planes.transpose(0, 2, 3, 1), verbose=0)
    moves, wins = np.asarray(predicted[policy]), np.asarray(predicted[value])[:, 0]
    if functions[0] != "softmax":
        exponents = np.exp(moves - moves.max(1, keepdims=True))
        moves = exponents / exponents.sum(1, keepdims=True)
    if functions[1] == "tanh":
        wins = (wins + 1) / 2
    wins = np.clip(wins, 0, 1)
    if job["value_of"] == "white":
        wins = np.where(black, 1 - wins, wins)
    judged = evaluate(planes, [7.5] * 6)
    for name, got, target in (("policy", judged.policy[:, : moves.shape[1]], moves), ("value", judged.value, wins)):
        worst = float(np.abs(got - target).max())
        if not worst <= TOLERANCE:
            raise InputError(f"{job['source']}: its {name} would differ from Keras's by {worst:.1e}; not written")


def main() -> None:
    """Reads the job from the file named on the command line and writes the answer beside it."""
    path = Path(sys.argv[1])
    try:
        answer: dict[str, Any] = {"info": convert(json.loads(path.read_text(encoding="utf-8")))}
    except ValueError as problem:
        answer = {"problem": str(problem)}
    except MemoryError:
        answer = {"problem": f"{path.stem}: the model needs more memory than its file's length allows"}
    path.with_suffix(".answer").write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
