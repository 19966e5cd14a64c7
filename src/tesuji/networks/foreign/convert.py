"""Network files of KataGo and Leela Zero as model files of ours, told apart by what they hold."""

import hashlib
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.networks.foreign.katago_file import read_katago
from tesuji.networks.foreign.katago_heads import katago_onnx
from tesuji.networks.foreign.leela import leela_onnx, read_leela
from tesuji.networks.foreign.stream import CHUNK, Stream
from tesuji.networks.onnx.model_file import ModelInfo, read_info

SUFFIXES = {".gz", ".bin", ".txt"}
OPTIMISM = 0.2  # what KataGo itself takes where it shows a policy


def is_foreign(path: Path) -> bool:
    """Whether a file is to be read as another program's network, by its name."""
    return path.suffix.lower() in SUFFIXES


def model_bytes(path: Path, optimism: float = OPTIMISM, note: dict[str, Any] | None = None) -> bytes:
    """The model file of another program's network. It is made anew each time, which takes less than loading it.

    `optimism` mixes the optimistic policy of KataGo's newer networks in: 0 leaves it out, 1 takes it alone.
    Raises `ValueError` or `FileNotFoundError` in one clear line.
    """
    if not 0 <= optimism <= 1:
        raise InputError(f"optimism is a share from 0 to 1, not {optimism}")
    with Stream(path) as stream:
        is_leela = stream.word("its first word") in {"1", "2"}
    record = {"origin": "Leela Zero" if is_leela else "KataGo", "source": path.name, "sha256": _digest(path)}
    if is_leela:
        return leela_onnx(read_leela(path), stem(path), {**record, **(note or {})})
    model = read_katago(path)
    record |= {"sizes": "7 to 19", "version": str(model.version), "optimism": f"{optimism:g}"}
    return katago_onnx(model, optimism, {**record, **(note or {})})


def export_foreign(
    source: str | Path, target: str | Path, optimism: float = OPTIMISM, note: dict[str, Any] | None = None
) -> ModelInfo:
    """Writes the model file of another program's network, and returns its note."""
    data = model_bytes(Path(source), optimism, note)
    write_atomically(Path(target), data)
    return read_info(data, str(target))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def stem(path: Path) -> str:
    """The file's name without its endings, for networks that do not say their own."""
    name = path.name
    while Path(name).suffix.lower() in SUFFIXES:
        name = Path(name).stem
    return name
