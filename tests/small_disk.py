"""A disk that is really full: a small file system in memory, for as long as a test runs."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


class SmallDisk:
    """A file system of a few kilobytes that can be filled and given more room."""

    def __init__(self, folder: Path, kilobytes: int) -> None:
        """Skips the test where this user may not mount anything."""
        self.folder = folder
        folder.mkdir()
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], capture_output=True, text=True
        )
        if made.returncode:
            pytest.skip(f"no real full disk to test on: only root may mount one ({made.stderr.strip()})")

    def fill(self) -> None:
        """Takes all the room that is left."""
        with (self.folder / "filler").open("wb", buffering=0) as file:
            left = os.statvfs(self.folder)
            file.write(bytes(left.f_bavail * left.f_bsize))

    def grow(self, kilobytes: int) -> None:
        """Makes it a larger one, with all it holds."""
        (self.folder / "filler").unlink(missing_ok=True)
        subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(self.folder)], check=True)

    def remove(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    disk = SmallDisk(tmp_path / "disk", 512)
    yield disk
    disk.remove()
