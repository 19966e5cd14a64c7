"""What fuzzing has found stays mended: every reader takes, or refuses in one line, its seeds and what broke it once."""

import random
from pathlib import Path

import pytest

from tests.fuzzing.readers import READERS
from tests.fuzzing.run import changed, tried
from tests.fuzzing.seeds import CORPUS, kept, seeds

DEEP = b"[" * 5000
BIG = b"0x" + b"f" * 8000
HEAD = b"\x93NUMPY\x01\x00"


def npy(header: bytes, data: bytes = b"") -> bytes:
    return HEAD + len(header).to_bytes(2, "little") + header + data


FOUND: list[tuple[str, bytes]] = [
    ("teacher", npy(b"{'descr': '<f8', 'shape': (2,), 'fortran_order': False\n")),  # a bracket is missing
    ("teacher", npy(b"[" * 4000 + b"\n")),
    ("leela", b"1\n1e39 0.5\n"),  # a number too large for its type was a warning before the refusal
    ("leela", b"1\n" + b"1 " * 1000 + b"1" * 100_000 + b"\n"),  # numpy: room of the longest for every word
    ("settings", b"visits = " + DEEP),
    ("settings", b"visits = " + BIG),
    ("settings", b"seed = " + b"9" * 5000),
    ("recipe", b'title = 5\npaper = "p"\nkind = "k"\n'),
    ("recipe", b'title = "t"\npaper = "p"\nkind = "k"\ncovers = 5\n'),
    ("recipe", b'title = "t"\npaper = "p"\nkind = "k"\nerror = ' + BIG),
    ("recipe", b'title = "t"\npaper = "p"\nkind = "k"\n[[claims]]\ncolumn = "c"\no2rder = ["a"]\n'),
    ("recipe", b'title = "t"\npaper = "p"\nkind = "k"\n[budget]\nminutes = 3\n'),
    ("results", b'{"tesuji-results": 1, "conditions": {}}\n{"game": [1]}\n' + DEEP + b"\n"),
    ("results", b'{"tesuji-results": 1, "conditions": [3]}\n{"player": "a", "description": 5}\n'),
]


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_what_was_found_is_refused_in_one_line(
    name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tried(name, data)


@pytest.mark.parametrize("name", sorted(READERS))
def test_seeds_and_a_few_changes_of_them(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, chance = seeds(name), random.Random(1)
    assert first
    for seed in first:
        tried(name, seed)
    for _ in range(20):
        tried(name, changed(chance.choice(first), chance, first))


def test_every_corpus_has_its_reader() -> None:
    files = sorted(CORPUS.glob("*.zip"))
    assert {path.stem for path in files} <= set(READERS)
    for path in files:
        assert kept(path)
        assert path.stat().st_size < 200_000
