"""`make soak MINUTES=60`: engines, server, tournament and self-play for a long time, killed now and then, and watched.

Each kind of work runs in a process of its own and is started again where it ended: by itself, or by `kill -9` at a
random moment. Memory, threads and open files of all of them are read every few seconds. State is kept below `--out`:
the same command goes on with it, and the table at the end counts all runs. A failure makes the exit code 1.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tesuji.base.files import write_atomically

TESUJI = [sys.executable, "-m", "tesuji"]
EVERY = 2.0  # seconds between two looks
GROWTH = 1.5  # of memory from the middle of a life to its end, beyond which it counts as a leak
SETTLED_MB = 100.0  # growth below this is none


@dataclass
class Account:
    """What one kind of work has done and used, over all its lives."""

    lives: int = 0
    kills: int = 0
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
    """Whether it is killed now and then, and must go on."""
    count: str
    """A file below the folder whose lines are counted, or empty."""


def works(folder: Path, net: str) -> list[Work]:
    """All that is soaked."""
    tiny, endless = ["--visits", "8"], ["--games", "100000", "--size", "5", "--out"]
    soak = [sys.executable, "-m", "benchmarks.soak_visitors"]
    return [
        Work("gtp", [*soak, "gtp", str(folder / "gtp"), net], False, "gtp/moves"),
        Work("server", [*soak, "server", str(folder / "server"), net], False, "server/calls"),
        Work(
            "tournament",
            [*TESUJI, "tournament", net, f"{net} visits=4 name=less", *tiny, *endless, str(folder / "tournament")],
            True,
            "tournament/results.jsonl",
        ),
        Work(
            "selfplay",
            [*TESUJI, "selfplay", net, *tiny, "--processes", "1", *endless, str(folder / "selfplay")],
            True,
            "selfplay/games.jsonl",
        ),
    ]


def used(process: int) -> tuple[float, int, int]:
    """Megabytes, threads and open files of a process and its children."""
    megabytes, threads, files = 0.0, 0, 0
    for one in [process, *_children(process)]:
        try:
            status = Path(f"/proc/{one}/status").read_text()
            files += len(os.listdir(f"/proc/{one}/fd"))
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        megabytes += int(fields.get("VmRSS", "0 kB").split()[0]) / 1024
        threads += int(fields.get("Threads", "0"))
    return megabytes, threads, files


def _children(process: int) -> list[int]:
    try:
        found = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return found + [below for child in found for below in _children(child)]


class Life:
    """One process of one work, watched."""

    def __init__(self, work: Work, folder: Path, chance: random.Random) -> None:
        self.log = (folder / f"{work.name}.log").open("ab")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TESUJI_HOME": str(folder / "home")}
        self.process = subprocess.Popen(
            work.command, stdout=self.log, stderr=self.log, env=environment, start_new_session=True
        )
        self.killed_at = time.monotonic() + chance.uniform(10, 60) if work.killed else float("inf")
        self.memory: list[float] = []

    def look(self, account: Account) -> None:
        """Notes what it uses."""
        megabytes, threads, files = used(self.process.pid)
        self.memory.append(megabytes)
        account.most_mb = max(account.most_mb, megabytes)
        account.most_threads = max(account.most_threads, threads)
        account.most_files = max(account.most_files, files)
        middle = self.memory[len(self.memory) // 2]
        if len(self.memory) > 30:
            account.grew = max(account.grew, megabytes - middle)
            if megabytes > GROWTH * middle and megabytes - middle > SETTLED_MB:
                account.failures.append(f"memory from {middle:.0f} to {megabytes:.0f} MB")

    def end(self, number: int) -> None:
        """Ends it with all its children."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.log.close()


def soak(folder: Path, net: str, minutes: float, seed: int) -> dict[str, Account]:
    """Runs everything side by side until the time is over."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "accounts.json"
    before = json.loads(kept.read_text()) if kept.exists() else {}
    chosen = works(folder, net)
    accounts = {work.name: Account(**before.get(work.name, {})) for work in chosen}
    chance, lives = random.Random(seed), dict[str, Life]()
    deadline = time.monotonic() + 60 * minutes
    try:
        while time.monotonic() < deadline:
            for work in chosen:
                _tend(work, folder, accounts[work.name], lives, chance)
            time.sleep(EVERY)
    finally:
        for life in lives.values():
            life.end(signal.SIGINT)
        for work in chosen:
            accounts[work.name].done = _lines(folder / work.count)
        write_atomically(kept, json.dumps({name: asdict(account) for name, account in accounts.items()}, indent=1))
    return accounts


def _tend(work: Work, folder: Path, account: Account, lives: dict[str, Life], chance: random.Random) -> None:
    life = lives.get(work.name)
    if life is None:
        account.lives += 1
        lives[work.name] = Life(work, folder, chance)
        return
    code = life.process.poll()
    if code is not None:
        if code:
            account.failures.append(f"ended with {code}")
        life.end(signal.SIGKILL)
        del lives[work.name]
    elif time.monotonic() > life.killed_at:
        account.kills += 1
        life.end(signal.SIGKILL)
        del lives[work.name]
    else:
        life.look(account)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def table(accounts: dict[str, Account]) -> str:
    """The account of all works."""
    head = f"{'work':12}{'lives':>7}{'kills':>7}{'done':>9}{'MB':>8}{'grew':>8}{'threads':>9}{'files':>7}  failures"
    rows = [
        f"{name:12}{one.lives:7}{one.kills:7}{one.done:9}{one.most_mb:8.0f}{one.grew:8.0f}{one.most_threads:9}"
        f"{one.most_files:7}  {'; '.join(one.failures[:3]) or 'none'}"
        for name, one in accounts.items()
    ]
    return "\n".join([head, *rows])


def main() -> int:
    """Soaks and prints the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=60.0)
    arguments.add_argument("--out", type=Path, default=Path("build/soak"))
    arguments.add_argument("--net", default="default-9x9")
    arguments.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    chosen = arguments.parse_args()
    accounts = soak(chosen.out.resolve(), chosen.net, chosen.minutes, chosen.seed)
    print(table(accounts))
    return int(any(account.failures for account in accounts.values()))


if __name__ == "__main__":
    sys.exit(main())
