"""What a Keras file holds beside its configuration: weights of its own, no more than its length allows."""

import math
import zipfile
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.zip_entries import open_entry

ALLOWANCE, RATIO = 64 << 20, 20  # bytes a file may always unpack to, and how often its own length on top
CONFIG, WEIGHTS, METADATA = "config.json", "model.weights.h5", "metadata.json"
LONGEST_CONFIG = 16 << 20  # bytes; the largest of the course have 200 kB
_WANTED = (METADATA, CONFIG, WEIGHTS)


def read_entry(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """One file of a `.keras` archive. Raises `ValueError` when longer than `most` bytes, `OSError` when damaged."""
    with open_entry(archive, archive.getinfo(name)) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name} unpacks to more than {most >> 20} MB")
    return data


def allowance(path: Path) -> int:
    """How many bytes the weights of this file may have; weights hardly compress."""
    return ALLOWANCE + RATIO * path.stat().st_size


def copy_archive(path: Path, copy: Path, config: str) -> None:
    """The `.keras` file with this configuration and without what no model needs."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in _WANTED:
            if name in old.namelist():
                new.writestr(name, config if name == CONFIG else read_entry(old, name, allowance(path)))


def check_weights(source: Any, most: int, where: str) -> None:
    """Looks at every entry of an HDF5 file, by path or open as binary, before anything reads it.

    Raises `ValueError` where weights lie in another file, or claim more bytes than `most`.
    """
    import h5py

    total = 0

    def visit(group: Any, depth: int) -> None:
        nonlocal total
        if depth > 64:
            raise InputError(f"{where}: its weights are groups within groups more than 64 deep")
        for name in group:
            link = group.get(name, getlink=True)
            if not isinstance(link, h5py.HardLink):
                raise InputError(f"{where}: '{name[:60]}' points elsewhere; a model holds its own weights")
            found = group[name]
            if isinstance(found, h5py.Group):
                visit(found, depth + 1)
                continue
            if found.external or found.is_virtual:
                raise InputError(f"{where}: the weights '{name[:60]}' lie in another file; save the model whole")
            total += math.prod(found.shape or (0,)) * found.dtype.itemsize
            if total > most:
                raise InputError(f"{where}: '{name[:60]}' claims more weights than a file of its length holds")

    try:
        with h5py.File(source, "r") as file:
            visit(file, 0)
    except (OSError, RuntimeError, KeyError) as problem:
        raise InputError(f"{where}: not a Keras model, or only part of one ({problem})") from None
