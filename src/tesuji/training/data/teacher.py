"""Positions judged by a teacher network (`.npz`), as records with one target each."""

import io
import zlib
from collections.abc import Callable, Iterator
from zipfile import BadZipFile

import numpy as np

from tesuji._core import BLACK, PASS, WHITE, PackedRecord
from tesuji.base.errors import InputError

_FIELDS = ("moves", "komi", "policy", "white_winrate", "white_score", "white_ownership")


def read_teacher(
    data: bytes, source: str, progress: Callable[[float], None] = lambda share: None
) -> Iterator[PackedRecord]:
    """One record a row: the moves so far, the komi of the question, and the target at the last position.

    `progress` is told the share of the rows read so far.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            missing = [field for field in _FIELDS if field not in arrays]
            if missing:
                raise InputError(f"{source}: no array '{missing[0]}' in it")
            columns = {field: arrays[field] for field in _FIELDS}
    except (BadZipFile, EOFError, OSError, zlib.error) as problem:
        raise InputError(f"{source}: not a sound npz file: {problem}") from None
    policy, ownership = columns["policy"], columns["white_ownership"]
    size = int(np.sqrt(ownership.shape[1]))
    if size * size != ownership.shape[1] or policy.shape != (len(ownership), size * size + 1):
        raise InputError(f"{source}: policy {policy.shape} and ownership {ownership.shape} fit no board")
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


def _moves(text: bytes, size: int) -> list[tuple[int, int]]:
    """Pairs of letters, Black first, alternating; `--` is a pass."""
    colors = (int(BLACK), int(WHITE))
    points = [
        PASS if text[i : i + 2] == b"--" else (text[i + 1] - 97) * size + text[i] - 97 for i in range(0, len(text), 2)
    ]
    return [(colors[i % 2], point) for i, point in enumerate(points)]
