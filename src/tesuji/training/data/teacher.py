"""Positions judged by a teacher network (`.npz`), as records with one target each."""

import io
import math
import zlib
from collections.abc import Callable, Iterator
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from tesuji._core import BLACK, PASS, WHITE, PackedRecord
from tesuji.base.errors import InputError
from tesuji.training.data.unpacking import Allowance, UnpackError, opened_entry

_FIELDS = ("moves", "komi", "policy", "white_winrate", "white_score", "white_ownership")


def read_teacher(
    data: bytes, source: str, progress: Callable[[float], None] = lambda share: None
) -> Iterator[PackedRecord]:
    """One record a row: the moves so far, the komi of the question, and the target at the last position.

    `progress` is told the share of the rows read so far.
    """
    try:
        columns = _columns(data, source)
    except (BadZipFile, EOFError, OSError, RuntimeError, zlib.error) as problem:
        raise InputError(f"{source}: not a sound npz file: {problem}") from None
    size = _checked_size(columns, source)
    policy, ownership = columns["policy"], columns["white_ownership"]
    for row in range(len(policy)):
        record = PackedRecord()
        record.size = size
        record.komi = float(columns["komi"][row])
        record.moves = _moves(bytes(columns["moves"][row]), size)
        likely = np.flatnonzero(policy[row])
        record.add_target(
            position=len(record.moves),
            policy=[(PASS if i == size * size else i, float(policy[row, i])) for i in likely.tolist()],
            white_winrate=float(columns["white_winrate"][row]),
            white_score=float(columns["white_score"][row]),
            white_ownership=ownership[row].tolist(),
        )
        progress(row / len(policy))
        yield record


def _checked_size(columns: dict[str, Any], source: str) -> int:
    """The board's size, which all arrays must fit; raises `InputError`."""
    policy, ownership = columns["policy"], columns["white_ownership"]
    size = int(np.sqrt(ownership.shape[1])) if ownership.ndim == 2 else 0
    if size * size != ownership.size // max(len(ownership), 1) or policy.shape != (len(ownership), size * size + 1):
        raise InputError(f"{source}: policy {policy.shape} and ownership {ownership.shape} fit no board")
    for field in ("moves", "komi", "white_winrate", "white_score"):
        if columns[field].shape != (len(policy),):
            raise InputError(f"{source}: {len(policy)} rows of policy, but {field} is {columns[field].shape}")
    for field in ("komi", "policy", "white_winrate", "white_score", "white_ownership"):
        if columns[field].dtype.kind not in ("i" if field == "white_ownership" else "fiu"):
            raise InputError(f"{source}: array '{field}' is of {columns[field].dtype}, which are no such numbers")
    if ownership.size and not -100 <= ownership.min() <= ownership.max() <= 100:
        raise InputError(f"{source}: array 'white_ownership' holds more than hundredths, -100 to 100; write it as int8")
    if columns["moves"].dtype.kind != "S":
        raise InputError(f"{source}: moves should be bytes, two letters each")
    return size


def _columns(data: bytes, source: str) -> dict[str, Any]:
    """The arrays of the file, each checked before it is unpacked: its header may claim any number of bytes."""
    allowance = Allowance(len(data))
    columns = {}
    with ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        missing = [field for field in _FIELDS if f"{field}.npy" not in names]
        if missing:
            raise InputError(f"{source}: no array '{missing[0]}' in it")
        for field in _FIELDS:
            try:
                with opened_entry(archive, archive.getinfo(f"{field}.npy"), allowance) as inside:
                    columns[field] = _array(inside.read())
            except (UnpackError, ValueError, SyntaxError, TokenError, RecursionError, MemoryError) as problem:
                raise InputError(f"{source}: array '{field}': {problem}") from None
    return columns


def _array(blob: bytes) -> Any:
    """The array of a npy file that holds exactly the bytes its header claims, and no Python objects."""
    file = io.BytesIO(blob)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("a npy file of another version than 1.0")
    shape, by_column, kind = np.lib.format.read_array_header_1_0(file)
    if kind.hasobject or by_column or math.prod(shape) * kind.itemsize != len(blob) - file.tell():
        raise ValueError(f"its header ({shape} of {kind}) does not fit its {len(blob)} bytes")
    return np.frombuffer(blob, kind, offset=file.tell()).reshape(shape)


def _moves(text: bytes, size: int) -> list[tuple[int, int]]:
    """Pairs of letters, Black first, alternating; `--` is a pass."""
    if len(text) % 2:
        raise InputError(f"moves of {len(text)} letters, which are no pairs")
    colors = (int(BLACK), int(WHITE))
    points = [
        PASS if text[i : i + 2] == b"--" else (text[i + 1] - 97) * size + text[i] - 97 for i in range(0, len(text), 2)
    ]
    return [(colors[i % 2], point) for i, point in enumerate(points)]
