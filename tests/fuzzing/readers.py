"""`python -m tests.fuzzing.readers [--seconds 60] [--reader NAME]`: Python's readers of strangers' bytes, fuzzed.

Guided by coverage where atheris is installed, else by plain changes of the seeds. A reader may refuse with `InputError`
or `OSError`; anything else ends the run, and the bytes that did it are written to build/fuzz.
"""

import argparse
import importlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.training.test_packing import sgf
from tesuji.base.errors import InputError

FOUND = Path("build") / "fuzz"


def read_sgf(data: bytes) -> None:
    from tesuji.go.sgf.files import read_record, write_tree

    write_tree(read_record(data).tree)


def read_model(data: bytes) -> None:
    from tesuji.networks.onnx.inspection import inspect_model
    from tesuji.networks.onnx.model_file import read_info

    inspect_model(data, "fuzz.onnx")
    read_info(data, "fuzz.onnx")


def read_katago(data: bytes) -> None:
    from tesuji.networks.foreign.katago_file import read_katago as read

    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        file.write(data)
        file.flush()
        read(Path(file.name))


def read_archive(data: bytes) -> None:
    from tesuji.training.data.record_sources import RecordSources

    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.zip", "a.tar", "a.sgf.gz"):
            path = Path(folder) / name
            path.write_bytes(data)
            for piece in RecordSources([path]):
                assert len(piece.data) < 1 << 30


def seeds(name: str) -> list[bytes]:
    """A few sound files to begin with."""
    import gzip

    from tests.networks.katago_files import KatagoFile
    from tests.training.test_archive_bombs import tar_of, zip_of

    game = sgf(1).encode()
    return {
        "sgf": [game, b"(;SZ[9]CA[Shift_JIS]PB[\x83\x5c]AB[aa:cc];B[ee](;W[dd])(;W[ff]C[x\\]y]))"],
        "model": [_model()],
        "katago": [KatagoFile(8, ["ordinary"]).data()],
        "archive": [zip_of({"a.sgf": game}), tar_of({"a.sgf": game}), gzip.compress(game)],
    }[name]


def _model() -> bytes:
    from tesuji.networks.onnx.builder import GraphBuilder
    from tesuji.networks.onnx.model_file import ModelInfo

    graph = GraphBuilder()
    value = graph.add("ReduceMean", ["planes", graph.constant([1, 2, 3])], keepdims=0)
    info = ModelInfo(
        name="n", planes="golois-21", size=9, any_size=False, has_pass=False, value_of="white", outputs=("value",)
    )
    return graph.model(info, 21, [value])


READERS: dict[str, Callable[[bytes], None]] = {
    "sgf": read_sgf,
    "model": read_model,
    "katago": read_katago,
    "archive": read_archive,
}


def tried(reader: Callable[[bytes], None], name: str, data: bytes) -> None:
    """Reads the bytes; a defect keeps them."""
    try:
        reader(data)
    except (InputError, OSError):
        pass
    except BaseException:
        FOUND.mkdir(parents=True, exist_ok=True)
        (FOUND / f"{name}-{time.time_ns()}").write_bytes(data)
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
                start = chance.randrange(len(other))
                out[at : at + length] = other[start : start + length]
    return bytes(out)


def plain(name: str, seconds: float, seed: int) -> int:
    """Without atheris: changes of the seeds until the time is over; how many."""
    chance, first = random.Random(seed), seeds(name)
    pool, deadline, count = list(first), time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        tried(READERS[name], name, changed(chance.choice(pool), chance, first))
        count += 1
    return count


def guided(name: str, seconds: float) -> None:
    """With atheris, which ends the process."""
    atheris: Any = importlib.import_module("atheris")

    corpus = FOUND / f"python-{name}"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(seed)
    atheris.instrument_all()
    options = [sys.argv[0], f"-max_total_time={int(seconds)}", "-rss_limit_mb=2048", str(corpus)]
    atheris.Setup(options, lambda data: tried(READERS[name], name, data))
    atheris.Fuzz()


def main() -> None:
    """Every reader, or one."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--reader", choices=sorted(READERS))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--guided", action="store_true", help="with atheris, for one reader")
    chosen = arguments.parse_args()
    if chosen.guided and chosen.reader:
        guided(chosen.reader, chosen.seconds)
    for name in [chosen.reader] if chosen.reader else READERS:
        print(f"{name}: {plain(name, chosen.seconds, chosen.seed)} inputs, none that it could not refuse in one line")


if __name__ == "__main__":
    main()
