"""Takes students' Keras models: a file with input `board` and outputs `policy` and `value` becomes a model file.

The work is done in a process of its own (`keras_worker`), so that Keras neither stays in this one nor picks
another backend for it, and a damaged file cannot take the program down.
"""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tesuji
from tesuji.base import machine
from tesuji.base.errors import InputError
from tesuji.base.extras import missing_line
from tesuji.base.files import write_atomically
from tesuji.features.planes import plane_set
from tesuji.networks.keras.config import cleaned, read_config
from tesuji.networks.onnx.model_file import ModelInfo, read_bytes, read_info

SECONDS = 600  # a model that takes longer to translate is no network for a laptop


def export_keras(
    source: str | Path,
    target: str | Path,
    *,
    planes: str | None = None,
    value_of: str = "white",
    training: Mapping[str, Any] | None = None,
) -> ModelInfo:
    """Writes the model file of a Keras model and returns its note.

    `planes` is found by their number when left out: 21 and 31 are those of the course. Raises `ValueError` when the
    model holds layers that cannot be translated or is no Go network, `ImportError` when Keras is not installed.
    """
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"no Keras model '{source}'")
    missing = [package for package in ("keras", "h5py", "onnx") if importlib.util.find_spec(package) is None]
    if missing:
        raise ImportError(missing_line(missing[0], "reading Keras models"), name=missing[0])
    if value_of not in {"white", "to_play"}:
        raise InputError(f"a value is of white or to_play, not '{value_of}'")
    config = cleaned(read_config(path), str(source))
    chosen = plane_set(planes or _planes_of(config, str(source)))
    names = list(chosen.channel_names)
    if value_of == "white" and "black to play" not in names:
        raise InputError(f"the planes {chosen.name} do not show who is Black, so a value of White cannot be read")
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "source": str(path.resolve()),
            "target": str(Path(folder) / "model.onnx"),
            "name": path.stem,
            "planes": chosen.name,
            "channels": chosen.channels,
            "black_plane": names.index("black to play") if "black to play" in names else 0,
            "value_of": value_of,
            "training": {"source": path.name, **(training or {})},
            "tesuji": tesuji.__version__,
        }
        data = _run(Path(folder), job, str(source))
    info = read_info(data, str(target))
    write_atomically(Path(target), data)
    return info


def converted(path: Path, folder: Path | None = None) -> Path:
    """The model file of a Keras model, translated the first time it is asked for and kept by its content.

    `folder` is where it is kept, the cache by default.
    """
    digest = hashlib.sha256(read_bytes(path)).hexdigest()[:16]
    target = (folder or machine.cache_folder() / "converted") / f"{path.stem}-{digest}.onnx"
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        export_keras(path, target)
    return target


def _run(folder: Path, job: dict[str, Any], source: str) -> bytes:
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    environment = os.environ | {"KERAS_BACKEND": "torch"}
    command = [sys.executable, "-m", "tesuji.networks.keras.worker", str(folder / "job.json")]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise InputError(f"{source}: Keras did not finish within {SECONDS} s") from None
    answer = folder / "job.answer"
    if not answer.is_file():
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(f"{source}: Keras failed on this model ({last[:200]})")
    result = json.loads(answer.read_text(encoding="utf-8"))
    if "problem" in result:
        raise InputError(result["problem"].replace(job["source"], source))
    return Path(job["target"]).read_bytes()


def _planes_of(config: dict[str, Any], where: str) -> str:
    """The course's plane set with as many planes as the model's input."""
    if config.get("class_name") == "Sequential":
        raise InputError(f"{where}: expected outputs 'policy' and 'value', a sequential model has only one")
    try:
        inputs = [layer["config"] for layer in config["config"]["layers"] if layer["class_name"] == "InputLayer"]
        shapes = [shape.get("batch_shape") or shape.get("batch_input_shape") for shape in inputs]
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{where}: its configuration lists no layers") from None
    channels = shapes[0][-1] if len(shapes) == 1 and shapes[0] else None
    if channels not in {21, 31}:
        raise InputError(f"{where}: an input of {channels} planes is not the course's; name them with --planes")
    return f"golois-{channels}"
