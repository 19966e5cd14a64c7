"""`python -m tests.fuzzing.run [--seconds 60] [--reader NAME]`: Python's readers of strangers' bytes, fuzzed.

Guided by coverage where atheris is installed (`pip install atheris`), each reader in a process of its own; else by
plain changes of the seeds. Input that breaks a reader is kept in build/fuzz, and the exit code is 1.
"""

import argparse
import importlib
import importlib.util
import random
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fuzzing.readers import READERS
from tests.fuzzing.seeds import CORPUS, keep, seeds

FOUND = Path("build") / "fuzz"
LONGEST = 20_000


def tried(name: str, data: bytes) -> None:
    """Reads the bytes; a defect keeps them."""
    from tesuji.base.errors import InputError  # not before atheris looks at every import of ours

    try:
        try:
            READERS[name](data)
        except InputError as refusal:
            if "\n" in str(refusal) or len(str(refusal)) > 2000:
                raise AssertionError(f"more than a line: {str(refusal)[:500]!r}") from refusal
        except OSError:
            pass
    except BaseException:
        FOUND.mkdir(parents=True, exist_ok=True)
        (FOUND / f"python-{name}-crash-{time.time_ns()}").write_bytes(data)
        raise


def changed(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """A few bytes replaced, removed, doubled, or taken from another seed."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, length = chance.randrange(len(out) + 1), chance.randint(1, 16)
        match chance.randrange(4):
            case 0:
                out[at : at + length] = chance.randbytes(length)
            case 1:
                del out[at : at + length]
            case 2:
                out[at:at] = out[at : at + length] * chance.randint(1, 50)
            case 3:
                other = chance.choice(others)
                start = chance.randrange(len(other) + 1)
                out[at : at + length] = other[start : start + length]
    return bytes(out)


def plain(name: str, seconds: float, seed: int) -> int:
    """Without atheris: changes of the seeds until the time is over; how many."""
    chance, first = random.Random(seed), seeds(name)
    deadline, count = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        tried(name, changed(chance.choice(first), chance, first))
        count += 1
    return count


def guided(name: str, seconds: float) -> None:
    """With atheris, which ends the process."""
    atheris: Any = importlib.import_module("atheris")

    corpus = FOUND / f"python-{name}"
    corpus.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["tesuji", "sgfmill", "tomllib", "tomli", "tarfile", "zipfile"]):
        for number, seed in enumerate(seeds(name)):
            (corpus / f"seed-{number}").write_bytes(seed)
            tried(name, seed)  # loads what it needs
    options = [f"-max_total_time={int(seconds)}", "-print_final_stats=1", str(corpus)]
    limits = [f"-max_len={LONGEST}", "-rss_limit_mb=3000", "-timeout=60", f"-artifact_prefix={FOUND}/python-{name}-"]
    atheris.Setup([sys.argv[0], *limits, *options], lambda data: tried(name, data))
    atheris.Fuzz()


def guided_apart(name: str, seconds: float) -> bool:
    """The same in a process of its own; whether nothing was found."""
    command = [sys.executable, "-m", "tests.fuzzing.run", "--guided", "--reader", name, "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    said = done.stdout + done.stderr
    executed = re.findall(r"number_of_executed_units: *(\d+)", said)
    covered = re.findall(r"cov: (\d+)", said)
    print(f"{name}: {executed[-1] if executed else '?'} inputs, {covered[-1] if covered else '?'} edges", flush=True)
    if done.returncode:
        print(said[-3000:], flush=True)
    return done.returncode == 0


def commit(name: str, most: int) -> None:
    """Writes the corpus of a reader: of what reached something new, the shortest."""
    found = {path.read_bytes() for path in (FOUND / f"python-{name}").glob("*") if not path.name.startswith("seed-")}
    shortest = sorted(found, key=lambda data: (len(data), data))[:most]
    CORPUS.mkdir(exist_ok=True)
    keep(CORPUS / f"{name}.zip", shortest)
    print(f"{name}: {len(shortest)} inputs kept")


def main() -> int:
    """Every reader, or one."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--reader", choices=sorted(READERS))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--guided", action="store_true", help="in this process, with atheris, for one reader")
    arguments.add_argument("--commit", type=int, metavar="MOST", help="writes the corpora, so many inputs each")
    chosen = arguments.parse_args()
    names = [chosen.reader] if chosen.reader else list(READERS)
    if chosen.guided:
        guided(names[0], chosen.seconds)
    if chosen.commit:
        for name in names:
            commit(name, chosen.commit)
        return 0
    if importlib.util.find_spec("atheris") is not None:
        sound = [guided_apart(name, chosen.seconds) for name in names]
        return int(not all(sound))
    for name in names:
        print(f"{name}: {plain(name, chosen.seconds, chosen.seed)} inputs, none that it could not refuse in one line")
    return 0


if __name__ == "__main__":
    sys.exit(main())
