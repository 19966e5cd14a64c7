"""Model files: ONNX with a note on what the network reads and says. Reading needs no torch, no onnx.

A file holds one graph, inputs `planes [batch, C, size, size]` and `komi [batch]` (where the value depends
on it), outputs named like the fields of `Evaluation` and normalised as they are.
"""

import base64
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.features.evaluation import NetworkInfo
from tesuji.networks.onnx import protobuf

FORMAT = 1
KEY = "tesuji"  # of the note in the file's metadata
INT8_KEY = "tesuji.int8"  # of the same network in 8-bit integers, a whole ONNX file in base64


@dataclass(frozen=True, kw_only=True)
class ModelInfo(NetworkInfo):
    """The note inside a model file."""

    name: str
    planes: str
    any_size: bool
    """Whether the graph's board size is free."""
    has_pass: bool
    value_of: str
    """Whose win the network was trained to tell: `white` or `to_play`. The file itself says the latter."""
    outputs: tuple[str, ...]
    needs_komi: bool = False
    komi_grid: tuple[float, ...] = ()
    """The komi of `komi_curve`, which is a straight line between them."""
    tesuji: str = ""
    """The version that wrote the file."""
    format: int = FORMAT

    def to_json(self) -> str:
        """As it is kept in the file."""
        note = asdict(self)
        del note["precision"]  # a file may hold several; it belongs to an evaluator
        return json.dumps(note, sort_keys=True)

    @staticmethod
    def from_json(text: str, where: str) -> "ModelInfo":
        """Reads the note back. Raises `ValueError` when it is damaged or of a later format."""
        try:
            note = json.loads(text)
            version = int(note["format"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{where}: the note on the network is damaged; export the file again") from None
        if version > FORMAT:
            raise InputError(
                f"{where}: model format {version} is newer than this Tesuji reads ({FORMAT}); update Tesuji"
            )
        known = {entry.name for entry in fields(ModelInfo)}
        try:
            chosen = {key: tuple(value) if isinstance(value, list) else value for key, value in note.items()}
            entries: dict[str, Any] = {key: value for key, value in chosen.items() if key in known}
            return ModelInfo(**entries)
        except TypeError as problem:
            raise InputError(f"{where}: the note on the network is incomplete ({problem})") from None


def read_info(data: bytes, where: str) -> ModelInfo:
    """The note of a model file, given its bytes. Raises `ValueError` unless they are a whole file of ours."""
    try:
        properties = dict(_metadata(data))
    except (IndexError, ValueError, UnicodeDecodeError):
        raise InputError(f"{where}: not an ONNX file, or only part of one; fetch or export it again") from None
    if KEY not in properties:
        raise InputError(f"{where}: an ONNX file without Tesuji's note on its planes and outputs; use `tesuji export`")
    return ModelInfo.from_json(properties[KEY], where)


def read_int8(data: bytes, where: str) -> bytes | None:
    """The ONNX file of the network in 8-bit integers, if the model file holds one."""
    text = dict(_metadata(data)).get(INT8_KEY)
    if text is None:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise InputError(f"{where}: its int8 network is damaged; export the file again") from None


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises `FileNotFoundError` in one clear line."""
    if not path.is_file():
        raise FileNotFoundError(f"no model file '{path}'")
    return path.read_bytes()


_METADATA, _GRAPH = 14, 7  # fields of ONNX's outermost message: of it only the note is needed here


def _metadata(data: bytes) -> Iterator[tuple[str, str]]:
    seen = set()
    for number, content in protobuf.fields(memoryview(data)):
        seen.add(number)
        if number == _METADATA:
            entry = {inner: bytes(text).decode() for inner, text in protobuf.fields(content)}
            yield entry.get(1, ""), entry.get(2, "")
    if _GRAPH not in seen:
        raise ValueError("no graph")
