"""The processes of `benchmarks/soak.py`: one life after the other of each kind of work, watched."""

import contextlib
import os
import random
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

GROWTH = 1.5  # of memory from the middle of a life to its end, beyond which it counts as a leak
SETTLED_MB = 100.0  # growth below this is none
APART = 1.0  # seconds of processor time between two looks that count: a busy machine makes a long start of it
SOME_LOOKS = 30  # before growth is judged


@dataclass
class Account:
    """What one kind of work has done and used, over all its lives."""

    lives: int = 0
    kills: int = 0
    stops: int = 0
    """Times one of its processes was held for some seconds."""
    full: int = 0
    """Times it ended, in one line, because the disk was full."""
    failures: list[str] = field(default_factory=list)
    done: int = 0
    """Games, calls or moves, as the work counts them."""
    most_mb: float = 0.0
    most_threads: int = 0
    most_files: int = 0
    grew: float = 0.0
    """The largest growth of memory in the second half of a life, in MB."""


@dataclass(frozen=True)
class Work:
    """One kind of work."""

    name: str
    command: list[str]
    killed: bool
    """Whether it is killed now and then, and must go on where it was."""


@dataclass
class Used:
    """What a process and its children use."""

    seconds: float = 0.0
    """Of processor time."""
    megabytes: float = 0.0
    threads: int = 0
    files: int = 0

    @classmethod
    def by(cls, process: int) -> "Used":
        """As the system tells it now."""
        found = cls()
        for one in [process, *children(process)]:
            try:
                status = Path(f"/proc/{one}/status").read_text()
                ticks = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13]
                found.files += len(os.listdir(f"/proc/{one}/fd"))
            except OSError:
                continue
            fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
            found.seconds += sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            found.megabytes += int(fields.get("VmRSS", "0 kB").split()[0]) / 1024
            found.threads += int(fields.get("Threads", "0"))
        return found


def children(process: int) -> list[int]:
    """The processes below this one."""
    try:
        found = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return found + [below for child in found for below in children(child)]


class Life:
    """One process of one work, with its children."""

    def __init__(self, work: Work, folder: Path, home: Path) -> None:
        self.log = folder / f"{work.name}.log"
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TESUJI_HOME": str(home)}
        with self.log.open("ab") as log:
            self._began = log.tell()
            self.process = subprocess.Popen(
                work.command, stdout=log, stderr=log, env=environment, start_new_session=True
            )
        self.met_full_disk = False
        self._memory: list[float] = []
        self._next = 0.0  # processor time from which the next look counts
        self._leaks = False
        self._held: int | None = None

    def look(self, account: Account) -> None:
        """Notes what it uses."""
        used = Used.by(self.process.pid)
        account.most_mb = max(account.most_mb, used.megabytes)
        account.most_threads = max(account.most_threads, used.threads)
        account.most_files = max(account.most_files, used.files)
        if used.seconds >= self._next:
            self._next = used.seconds + APART
            self._judge(account, used.megabytes)

    def _judge(self, account: Account, megabytes: float) -> None:
        """Whether its memory grows without end; told once in a life."""
        self._memory.append(megabytes)
        if len(self._memory) <= SOME_LOOKS:
            return
        middle = self._memory[len(self._memory) // 2]
        account.grew = max(account.grew, megabytes - middle)
        if megabytes > GROWTH * middle and megabytes - middle > SETTLED_MB and not self._leaks:
            self._leaks = True
            account.failures.append(f"memory from {middle:.0f} to {megabytes:.0f} MB")

    def said(self) -> str:
        """The end of what it said in this life."""
        with self.log.open("rb") as log:
            log.seek(self._began)
            return log.read()[-2000:].decode("utf-8", "replace")

    def hold(self, chance: random.Random) -> None:
        """Stops one of its processes."""
        self._held = chance.choice([self.process.pid, *children(self.process.pid)])
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._held, signal.SIGSTOP)

    def release(self) -> None:
        """Lets it go on."""
        if self._held is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._held, signal.SIGCONT)
        self._held = None

    def end(self, number: int) -> None:
        """Ends it: its group at once, or itself by a signal that lets it end its children."""
        self.release()
        if self.process.poll() is None:
            (os.killpg if number == signal.SIGKILL else os.kill)(self.process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(120)
        with contextlib.suppress(ProcessLookupError):  # also what is left of its group
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
