"""Checkpoints of a run: safetensors and JSON in one folder each, written whole or not at all, never pickled."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load as parse_tensors
from safetensors.torch import save as dump_tensors

from tesuji.base.errors import InputError

Tensors = dict[str, torch.Tensor]


class CheckpointError(InputError):
    """A checkpoint that is absent or cannot be read."""


@dataclass
class Checkpoint:
    """All that a run needs to go on as if it had never stopped."""

    config: dict[str, Any]
    step: int
    """Steps taken, which is also the place in the sequence of batches."""
    progress: dict[str, Any]
    """Samples and seconds so far, the best validation, the loss average: plain numbers."""
    weights: Tensors
    average: Tensors = field(default_factory=dict)
    optimizer: Tensors = field(default_factory=dict)
    random: Tensors = field(default_factory=dict)
    """States of the random generators, by name."""


_PARTS = ("weights", "average", "optimizer", "random")


def folder_of(run: Path) -> Path:
    """Where a run keeps its checkpoints."""
    return run / "checkpoints"


def save(run: Path, checkpoint: Checkpoint, keep: int) -> Path:
    """Writes a checkpoint beside the others and removes all but the newest `keep`.

    The folder appears under its name only when every byte is on the disk: a kill or a full disk leaves the earlier
    checkpoints as they were. Raises `OSError`, which names the folder, when it cannot be written.
    """
    root = folder_of(run)
    root.mkdir(parents=True, exist_ok=True)
    final = root / f"step-{checkpoint.step:09d}"
    partial = root / f".partial-{os.getpid()}"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir()
        _write_parts(partial, checkpoint)
        if _is_whole(final):
            # The same step once more (a resumed run that ended at once): as good as what we have, and never absent.
            shutil.rmtree(partial)
        else:
            shutil.rmtree(final, ignore_errors=True)
            partial.rename(final)
        _sync(root)
    except BaseException as fault:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(fault, OSError):
            fault.filename = str(root)
        raise
    for old in _folders(run)[keep:]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def _write_parts(folder: Path, checkpoint: Checkpoint) -> None:
    sums = {}
    for part in _PARTS:
        tensors = {name: t.detach().cpu().contiguous().clone() for name, t in getattr(checkpoint, part).items()}
        blob = dump_tensors(tensors)
        sums[part] = hashlib.sha256(blob).hexdigest()
        _write(folder / f"{part}.safetensors", blob)
    state = {
        "config": checkpoint.config,
        "step": checkpoint.step,
        "progress": checkpoint.progress,
        "sha256": sums,
    }
    _write(folder / "state.json", json.dumps(state, indent=1).encode())
    _sync(folder)


def _write(path: Path, blob: bytes) -> None:
    with path.open("wb") as file:
        file.write(blob)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Makes the folder's own entries durable, where the system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _folders(run: Path) -> list[Path]:
    """The run's checkpoints, newest first."""
    return sorted(folder_of(run).glob("step-*"), reverse=True)


def newest(run: Path) -> Path | None:
    """The folder of the newest checkpoint, unchecked; None before the first."""
    return next(iter(_folders(run)), None)


def load(folder: Path) -> Checkpoint:
    """One checkpoint, every byte checked against its recorded sum."""
    try:
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        parts = {}
        for part in _PARTS:
            blob = (folder / f"{part}.safetensors").read_bytes()
            if hashlib.sha256(blob).hexdigest() != state["sha256"][part]:
                raise CheckpointError(f"{part}.safetensors is damaged")
            parts[part] = parse_tensors(blob)
        return Checkpoint(state["config"], int(state["step"]), state["progress"], **parts)
    except (OSError, KeyError, TypeError, ValueError) as problem:
        raise CheckpointError(f"checkpoint {folder} cannot be read: {problem}") from None


def _is_whole(folder: Path) -> bool:
    try:
        load(folder)
    except CheckpointError:
        return False
    return True


def latest(run: Path, warn: Callable[[str], None]) -> Checkpoint:
    """The newest checkpoint of a run that is whole; says so when newer ones are damaged.

    Raises `CheckpointError` when there is none.
    """
    if not run.is_dir():
        raise CheckpointError(f"no run '{run}' to resume: there is no such folder")
    folders = _folders(run)
    for folder in folders:
        try:
            return load(folder)
        except CheckpointError as problem:
            warn(f"{problem}; falling back to the one before")
    reason = "none of its checkpoints can be read" if folders else "it has no checkpoint yet"
    raise CheckpointError(f"cannot resume '{run}': {reason}; start anew in another folder")
