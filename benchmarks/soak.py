"""`make soak MINUTES=60`: engines, servers, tournament and self-play for a long time, troubled and watched.

Each kind of work runs in a process of its own. Every now and then there is trouble: `kill -9` of a tournament or a
self-play, which go on where they were; a process of any work is held for some seconds; the disk is full for some
seconds. Memory, threads and open files are read every few seconds, and after every life whether results were lost.
State is kept below `--out`: the same command goes on with it, and the table at the end counts all runs. A failure makes
the exit code 1.
"""

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.soak_disk import Disk
from benchmarks.soak_lives import Account, Life, Work
from benchmarks.soak_results import counted, wrong
from tesuji.base.files import write_atomically

TESUJI = [sys.executable, "-m", "tesuji"]
EVERY = 2.0  # seconds between two looks
QUIET, TROUBLED = (10.0, 30.0), (3.0, 10.0)  # seconds between troubles, and seconds they last


def works(folder: Path, disk: Path, net: str) -> list[Work]:
    """All that is soaked."""
    tiny, endless = ["--visits", "8"], ["--games", "100000", "--size", "5", "--out"]
    visitors, calls = ([sys.executable, "-m", f"benchmarks.{name}"] for name in ("soak_visitors", "analysis_calls"))
    noted = ["--noted", str(folder / "analyses" / "done")]
    tournament = [*TESUJI, "tournament", net, f"{net} visits=4 name=less", *tiny, *endless, str(disk / "tournament")]
    selfplay = [*TESUJI, "selfplay", net, *tiny, "--processes", "1", *endless, str(disk / "selfplay")]
    return [
        Work("gtp", [*visitors, "gtp", str(folder / "gtp"), net], killed=False),
        Work("server", [*visitors, "server", str(folder / "server"), net], killed=False),
        Work("analyses", [*calls, "--calls", "0", "--patience", "0", "--net", net, *noted], killed=False),
        Work("tournament", tournament, killed=True),
        Work("selfplay", selfplay, killed=True),
    ]


class Soak:
    """All works side by side, and the troubles they meet."""

    def __init__(self, folder: Path, net: str, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._kept = folder, folder / "accounts.json"
        self.disk = Disk(folder)
        self.works = works(folder, self.disk.place, net)
        before = json.loads(self._kept.read_text()) if self._kept.exists() else {}
        self.accounts = {work.name: Account(**before.get(work.name, {})) for work in self.works}
        self._lives: dict[str, Life] = {}
        self._chance = random.Random(seed)
        self._next = time.monotonic() + self._chance.uniform(*QUIET)
        self._relief: Callable[[], None] | None = None
        """Ends the trouble there is."""
        self._is_full = False

    def run(self, minutes: float) -> None:
        """Until the time is over; what was done is noted in any case."""
        deadline = time.monotonic() + 60 * minutes
        try:
            while time.monotonic() < deadline:
                for work in self.works:
                    self._tend(work)
                if time.monotonic() > self._next:
                    self._change()
                time.sleep(EVERY)
        finally:
            self._relieve()
            for work in self.works:
                if work.name in self._lives:
                    self._lives.pop(work.name).end(signal.SIGINT)
                self._count(work)
                self.accounts[work.name].failures += wrong(work.name, self.disk.place)
            self.disk.remove()
            kept = {name: asdict(account) for name, account in self.accounts.items()}
            write_atomically(self._kept, json.dumps(kept, indent=1))

    def _tend(self, work: Work) -> None:
        account, life = self.accounts[work.name], self._lives.get(work.name)
        if life is None:
            if not self._is_full:
                account.lives += 1
                self._lives[work.name] = Life(work, self.folder, self.disk.place / "home")
            return
        code = life.process.poll()
        if code is None:
            life.look(account)
            return
        told = life.said()
        if life.met_full_disk and "space" in told and "Traceback" not in told:
            account.full += 1
        elif code:
            account.failures.append(f"ended with {code}: {told.strip().splitlines()[-1:]}")
        self._bury(work, signal.SIGKILL)

    def _bury(self, work: Work, number: int) -> None:
        self._lives.pop(work.name).end(number)
        self._count(work)

    def _count(self, work: Work) -> None:
        """Nothing that was stored may be gone."""
        account, now = self.accounts[work.name], counted(work.name, self.folder, self.disk.place)
        if now < account.done:
            account.failures.append(f"{account.done - now} of {account.done} lost")
        account.done = now

    def _change(self) -> None:
        """Trouble where there was none, and the other way round."""
        if self._relief is not None:
            self._relieve()
        else:
            self._chance.choice([self._kill, self._hold, self._fill])()
        self._next = time.monotonic() + self._chance.uniform(*(QUIET if self._relief is None else TROUBLED))

    def _relieve(self) -> None:
        if self._relief is not None:
            self._relief()
        self._relief, self._is_full = None, False

    def _kill(self) -> None:
        work = self._chance.choice([work for work in self.works if work.killed])
        if work.name in self._lives:
            self.accounts[work.name].kills += 1
            self._bury(work, signal.SIGKILL)

    def _hold(self) -> None:
        work = self._chance.choice(self.works)
        if life := self._lives.get(work.name):
            self.accounts[work.name].stops += 1
            life.hold(self._chance)
            self._relief = life.release

    def _fill(self) -> None:
        if self.disk.can_be_full:
            self.disk.fill()
            self._relief, self._is_full = self.disk.free, True
            for life in self._lives.values():
                life.met_full_disk = True


def table(accounts: dict[str, Account]) -> str:
    """The account of all works."""
    names = ("lives", "kills", "stops", "full", "done", "MB", "grew", "threads", "files")
    head = f"{'work':12}" + "".join(f"{name:>9}" for name in names) + "  failures"
    rows = [
        f"{name:12}{one.lives:9}{one.kills:9}{one.stops:9}{one.full:9}{one.done:9}{one.most_mb:9.0f}{one.grew:9.0f}"
        f"{one.most_threads:9}{one.most_files:9}  {'; '.join(one.failures[:3]) or 'none'}"
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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and their children
    soak = Soak(chosen.out.resolve(), chosen.net, chosen.seed)
    soak.run(chosen.minutes)
    if not soak.disk.can_be_full:
        print("the disk was never full: only root, or sudo without a password, may mount one")
    print(table(soak.accounts))
    return int(any(account.failures for account in soak.accounts.values()))


if __name__ == "__main__":
    sys.exit(main())
