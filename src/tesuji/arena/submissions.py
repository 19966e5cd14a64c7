"""A class hands in networks: who is admitted, who is refused and why, and files of other makers turned into ours."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import model_file
from tesuji.base.errors import InputError
from tesuji.networks.library import KERAS
from tesuji.networks.onnx.model_file import read_bytes, read_info

PARAMETER_LIMIT = 1_000_000
SUFFIXES = {".onnx", *KERAS}


@dataclass(frozen=True)
class Refusal:
    """A submission that does not play, and the reason its author needs to hear."""

    file: str
    reason: str


@dataclass(frozen=True)
class Admission:
    """Who plays this week."""

    players: tuple[PlayerDescription, ...]
    refused: tuple[Refusal, ...]


def admit(
    folder: Path, size: int, options: dict[str, Any], limit: int = PARAMETER_LIMIT, cache: Path | None = None
) -> Admission:
    """Looks through a folder of submissions, one network per file, authors' folders included."""
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder of submissions '{folder}'")
    players: list[PlayerDescription] = []
    refused: list[Refusal] = []
    seen: dict[str, str] = {}
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()):
        name = str(path.relative_to(folder).with_suffix(""))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        try:
            if digest in seen:
                raise InputError(f"the same file as {seen[digest]}")
            seen[digest] = path.name
            file = _checked(path, size, limit, cache)
        except (ValueError, OSError, ImportError) as fault:
            refused.append(Refusal(str(path.relative_to(folder)), str(fault)))
            continue
        players.append(PlayerDescription(name.replace("|", "-"), str(file), "", options))
    return Admission(_told_apart(players), tuple(refused))


def _checked(path: Path, size: int, limit: int, cache: Path | None) -> Path:
    """The model file of a submission; `ValueError` says what forbids it to play."""
    file = model_file(path, cache)
    info = read_info(read_bytes(file), path.name)
    if info.parameters > limit:
        raise InputError(f"{info.parameters:,} parameters; the limit is {limit:,}")
    if not info.parameters:
        raise InputError("the file does not tell its number of parameters; export it again")
    if not (info.any_size or info.size == size):
        raise InputError(f"plays {info.size}x{info.size} only, and this league plays {size}x{size}")
    return file


def _told_apart(players: Sequence[PlayerDescription]) -> tuple[PlayerDescription, ...]:
    """`ann.onnx` and `ann.h5` would bear one name: the second is called by its number too."""
    count: dict[str, int] = {}
    named = []
    for player in players:
        count[player.name] = count.get(player.name, 0) + 1
        suffix = f" ({count[player.name]})" if count[player.name] > 1 else ""
        named.append(PlayerDescription(player.name + suffix, player.network, "", player.options))
    return tuple(named)
