"""Opponents for the arena's tests: tiny real networks, and the engine that misbehaves on demand."""

import shutil
import sys
from pathlib import Path

import pytest
import torch

from tesuji import networks

STRANGE = f"gtp:{sys.executable} {Path(__file__).with_name('strange_engine.py')}"
needs_gnugo = pytest.mark.skipif(
    not (shutil.which("gnugo") or Path("/usr/games/gnugo").exists()), reason="GNU Go is not installed"
)


def make_network(path: Path, seed: int, name: str = "se.1.24.16", size: int = 9) -> Path:
    """A network as it is before any training, which plays badly but plays."""
    torch.manual_seed(seed)
    networks.export(networks.create(name, planes="golois-31", size=size), path)
    return path
