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
from tesuji.features.evaluation import Evaluation, NetworkInfo
from tesuji.networks.onnx import protobuf

FORMAT = 1
KEY = "tesuji"  # of the note in the file's metadata
INT8_KEY = "tesuji.int8"  # of the same network in 8-bit integers, a whole ONNX file in base64
OUTPUTS = {entry.name for entry in fields(Evaluation)}
SMALLEST_BOARD, LARGEST_BOARD = 2, 25
MOST_KOMI, MOST_LETTERS = 10_000, 1000
MOST_ENTRIES = 10_000  # of a file's outermost message, where the note stands
MOST_BYTES = 2 << 30  # of a file, as of any message of ONNX's format


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
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(f"{where}: the note on the network is damaged; export the file again") from None
        if version > FORMAT:
            raise InputError(
                f"{where}: model format {version} is newer than this Tesuji reads ({FORMAT}); update Tesuji"
            )
        known = {entry.name for entry in fields(ModelInfo)}
        try:
            chosen = {key: tuple(value) if isinstance(value, list) else value for key, value in note.items()}
            entries: dict[str, Any] = {key: value for key, value in chosen.items() if key in known}
            info = ModelInfo(**entries)
        except (AttributeError, TypeError) as problem:
            raise InputError(f"{where}: the note on the network is incomplete ({problem})") from None
        info._check(where)
        return info

    def _check(self, where: str) -> None:
        """A note comes from whoever wrote the file: its sizes are not believed before they are seen."""
        size = type(self.size) is int and SMALLEST_BOARD <= self.size <= LARGEST_BOARD
        words = isinstance(self.outputs, tuple) and set(self.outputs) <= OUTPUTS and len(self.outputs) <= len(OUTPUTS)
        grid = isinstance(self.komi_grid, tuple) and len(self.komi_grid) <= MOST_KOMI
        for right, field in (
            (isinstance(self.name, str) and len(self.name) <= MOST_LETTERS, "name"),
            (isinstance(self.planes, str), "planes"),
            (size, "size"),
            (words, "outputs"),
            (grid and all(type(komi) in {int, float} and abs(komi) < 1e6 for komi in self.komi_grid), "komi_grid"),
            (all(isinstance(flag, bool) for flag in (self.any_size, self.has_pass, self.needs_komi)), "flags"),
            (all(type(count) is int for count in (self.parameters, self.operations)), "parameters"),
            (isinstance(self.training, dict), "training"),
        ):
            if not right:
                said = str(getattr(self, field, ""))[:60]
                raise InputError(
                    f"{where}: the note on the network is damaged ({field}: {said}); export the file again"
                )


def read_info(data: bytes, where: str) -> ModelInfo:
    """The note of a model file, given its bytes. Raises `ValueError` unless they are a whole file of ours."""
    properties = _properties(data, where)
    if KEY not in properties:
        raise InputError(f"{where}: an ONNX file without Tesuji's note on its planes and outputs; use `tesuji export`")
    return ModelInfo.from_json(properties[KEY], where)


def read_int8(data: bytes, where: str) -> bytes | None:
    """The ONNX file of the network in 8-bit integers, if the model file holds one."""
    text = _properties(data, where).get(INT8_KEY)
    if text is None:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise InputError(f"{where}: its int8 network is damaged; export the file again") from None


def needed_int8(data: bytes, where: str) -> bytes:
    """The same where nothing else will do. Raises `InputError` if the model file holds none."""
    content = read_int8(data, where)
    if content is None:
        raise InputError(f"{where} holds no int8 network; `tesuji export --int8` makes one that does")
    return content


def _properties(data: bytes, where: str) -> dict[str, str]:
    try:
        return dict(_metadata(data))
    except (IndexError, ValueError, UnicodeDecodeError):
        raise InputError(f"{where}: not an ONNX file, or only part of one; fetch or export it again") from None


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises `FileNotFoundError` or `InputError` in one clear line."""
    if not path.is_file():
        raise FileNotFoundError(f"no model file '{path}'")
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path}: longer than {MOST_BYTES >> 30} GB; no model file is, fetch or export it again")
    return path.read_bytes()


_METADATA, _GRAPH = 14, 7  # fields of ONNX's outermost message: of it only the note is needed here


def _metadata(data: bytes) -> Iterator[tuple[str, str]]:
    seen = set()
    for count, (number, content) in enumerate(protobuf.fields(memoryview(data))):
        if count > MOST_ENTRIES:
            raise ValueError("more entries than any model file has")
        seen.add(number)
        if number == _METADATA:
            entry = {inner: bytes(text).decode() for inner, text in protobuf.fields(content)}
            yield entry.get(1, ""), entry.get(2, "")
    if _GRAPH not in seen:
        raise ValueError("no graph")
