"""A disk for `benchmarks/soak.py` that can be full: a file system in memory, made exactly as large as what it holds."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

ROOMY = "4g"  # of memory that is taken only as files need it
PAGE = 4096


class Disk:
    """Mounted at `folder/disk` where this user may mount (root, or sudo without a password); else never full.

    What it held is kept at `folder/disk-kept` from one run to the next.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self._kept = folder / "disk", folder / "disk-kept"
        self.place.mkdir(parents=True, exist_ok=True)
        self._as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        self.can_be_full = os.path.ismount(self.place)  # of a run that was killed
        if not self.can_be_full:
            self.can_be_full = self._mount("-t", "tmpfs", "-o", f"size={ROOMY},mode=1777", "tmpfs", str(self.place))
            if self.can_be_full and self._kept.is_dir():
                shutil.copytree(self._kept, self.place, dirs_exist_ok=True)

    def fill(self) -> None:
        """No room for one more page."""
        room = os.statvfs(self.place)
        used = (room.f_blocks - room.f_bfree) * room.f_frsize
        self._mount("-o", f"remount,size={max(PAGE, used // PAGE * PAGE)}", str(self.place))

    def free(self) -> None:
        """Room again."""
        self._mount("-o", f"remount,size={ROOMY}", str(self.place))

    def remove(self) -> None:
        """Keeps what it holds and gives the memory back."""
        if not self.can_be_full:
            return
        shutil.rmtree(self._kept, ignore_errors=True)
        shutil.copytree(self.place, self._kept)
        subprocess.run([*self._as_root, "umount", "--lazy", str(self.place)], check=False)

    def _mount(self, *arguments: str) -> bool:
        with contextlib.suppress(OSError):
            return subprocess.run([*self._as_root, "mount", *arguments], capture_output=True).returncode == 0
        return False
