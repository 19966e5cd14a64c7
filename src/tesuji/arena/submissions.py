"""A class hands in networks: who is admitted, who is refused and why, and files of other makers turned into ours."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import model_file
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Floats
from tesuji.features.planes import plane_set
from tesuji.networks.evaluators.factory import load
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
    folder: Path, size: int, options: dict[str, Any], limit: int = PARAMETER_LIMIT, cache: Path | None = None,
    planes: str = "",
) -> Admission:  # fmt: skip
    """Looks through a folder of submissions, one network per file, authors' folders included.

    `planes` is the plane set that all must read; empty for any.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder of submissions '{folder}'")
    players: list[PlayerDescription] = []
    refused: list[Refusal] = []
    seen: dict[str, str] = {}
    opinions: dict[str, Floats] = {}
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()):
        name = str(path.relative_to(folder).with_suffix(""))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        try:
            if digest in seen:
                raise InputError(f"the same file as {seen[digest]}")
            seen[digest] = path.name
            file = _checked(path, size, limit, cache, planes)
            opinion = _opinion(file, size)
            twin = next((name for name, other in opinions.items() if _alike(opinion, other)), None)
            if twin:
                raise InputError(f"the same network as {twin}: it says the same of every position")
            opinions[path.name] = opinion
        except (ValueError, OSError, ImportError) as fault:
            refused.append(Refusal(str(path.relative_to(folder)), _without_its_name(str(fault), path)))
            continue
        players.append(PlayerDescription(name.replace("|", "-"), str(file), "", options))
    return Admission(_told_apart(players), tuple(refused))


def _without_its_name(reason: str, path: Path) -> str:
    """The reason alone: the table has a column for the file."""
    return reason.removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")


def _checked(path: Path, size: int, limit: int, cache: Path | None, planes: str) -> Path:
    """The model file of a submission; `ValueError` says what forbids it to play."""
    file = model_file(path, cache)
    info = read_info(read_bytes(file), path.name)
    if info.parameters > limit:
        raise InputError(f"{info.parameters:,} parameters; the limit is {limit:,}")
    if not info.parameters:
        raise InputError("the file does not tell its number of parameters; export it again")
    if not (info.any_size or info.size == size):
        raise InputError(f"plays {info.size}x{info.size} only, and this league plays {size}x{size}")
    if planes and info.planes != planes:
        raise InputError(f"reads the planes {info.planes}; this league asks for {planes}: train with --planes {planes}")
    return file


def _opinion(file: Path, size: int) -> Floats:
    """What a network says of some made-up positions: one network has one opinion, whatever file it comes in."""
    evaluate = load(file)
    chance = np.random.default_rng(1)
    planes = chance.integers(0, 2, (2, plane_set(evaluate.planes).channels, size, size)).astype(np.float32)
    said = evaluate(planes, komi=[7.5, 7.5])
    return np.concatenate([said.policy.ravel(), said.value.ravel()])


def _alike(one: Floats, other: Floats) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-3, atol=1e-6))


def _told_apart(players: Sequence[PlayerDescription]) -> tuple[PlayerDescription, ...]:
    """`ann.onnx` and `ann.h5` would bear one name: the second is called by its number too."""
    count: dict[str, int] = {}
    named = []
    for player in players:
        count[player.name] = count.get(player.name, 0) + 1
        suffix = f" ({count[player.name]})" if count[player.name] > 1 else ""
        named.append(PlayerDescription(player.name + suffix, player.network, "", player.options))
    return tuple(named)
