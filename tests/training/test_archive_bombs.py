"""Archives that expand without end, and records that claim more than they hold: bounded, and told in one line."""

import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.training.test_packing import sgf
from tesuji.training.data import unpacking
from tesuji.training.data.record_sources import Piece, RecordSources
from tesuji.training.data.teacher import read_teacher

GAME = sgf(1).encode()
ZEROS = bytes(1 << 20)


@pytest.fixture(autouse=True)
def _tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bounds, smaller, so that the tests are quick."""
    monkeypatch.setattr(unpacking, "ALLOWANCE", 8 << 20)
    monkeypatch.setattr(unpacking, "RATIO", 20)
    monkeypatch.setattr(unpacking, "MOST_AT_ONCE", 4 << 20)


@pytest.fixture
def watched() -> Iterator[None]:
    """What Python holds at once stays small."""
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


def tar_of(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def sparse_tar(claimed: int) -> bytes:
    """A tar file of 1 kB with a member that claims to be a hole of any size."""
    entry = tarfile.TarInfo("hole.sgf")
    entry.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    block[386:398] = block[398:410] = b"00000000000\0"
    block[483:495] = f"{claimed:011o}\0".encode()
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return bytes(block) + bytes(1024)


BOMBS = {
    "line.sgfs.gz": lambda: gzip.compress(ZEROS * 40),
    "line.sgfs.xz": lambda: lzma.compress(ZEROS * 40),
    "line.sgfs.bz2": lambda: bz2.compress(ZEROS * 40),
    "tree.sgf.gz": lambda: gzip.compress(b"(;" + ZEROS * 40),
    "games.data.gz": lambda: gzip.compress(ZEROS * 40),
    "member.zip": lambda: zip_of({"a.sgf": ZEROS * 40}),
    "many.zip": lambda: zip_of({f"{i}.sgf": ZEROS * 2 for i in range(20)}),
    "member.tar.gz": lambda: gzip.compress(tar_of({"a.sgf": ZEROS * 40})),
    "skipped.tar.xz": lambda: lzma.compress(tar_of({"a.bin": ZEROS * 40})),
    "hole.tar": lambda: sparse_tar(1 << 32),
    "nested.zip": lambda: zip_of({"b.zip": zip_of({"c.sgfs.gz": gzip.compress(ZEROS * 40)})}),
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.usefixtures("watched")
def test_a_bomb_ends_in_one_line_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    tracemalloc.stop()  # the bomb itself is large while it is made
    (tmp_path / name).write_bytes(BOMBS[name]())
    (tmp_path / "z.sgf").write_bytes(GAME)
    tracemalloc.start()
    kept: list[Piece] = []
    for piece in RecordSources([tmp_path / name, tmp_path / "z.sgf"]):
        if piece.kind == "fault" or bytes(piece.data) == GAME:
            kept.append(piece)
    faults = [piece for piece in kept if piece.kind == "fault" and b"by its name" not in piece.data]
    assert len(faults) == 1, faults
    assert name in faults[0].name
    assert b"no collection of games does" in faults[0].data or b"no game is so long" in faults[0].data
    assert bytes(kept[-1].data) == GAME


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_compression_that_cannot_be_bounded_is_refused(method: int, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"a.sgf": GAME}, method))
    (piece,) = RecordSources([tmp_path / "a.zip"])
    assert b"rare kind of compression" in piece.data


def test_a_file_without_a_name_is_no_defect(tmp_path: Path) -> None:
    data = zip_of({"a.sgf": GAME})
    (tmp_path / "a.zip").write_bytes(data.replace(b"a.sgf", b"\0.sgf"))
    (piece,) = RecordSources([tmp_path / "a.zip"])
    assert b"damaged or cut" in piece.data


def test_archives_within_archives_end(tmp_path: Path) -> None:
    data = zip_of({"a.sgf": GAME})
    for _ in range(10):
        data = zip_of({"again.zip": data})
    (tmp_path / "a.zip").write_bytes(data)
    pieces = list(RecordSources([tmp_path / "a.zip"]))
    assert [piece.kind for piece in pieces] == ["fault"]
    assert b"more than 4 deep" in pieces[0].data


def test_a_dictionary_of_gigabytes_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4096}]
    data = bytearray(lzma.compress(GAME, filters=filters))
    # The header of the block: 3 GB instead of 4 kB, with its own sum mended.
    at = data.index(b"\x21\x01", 12)
    data[at + 2] = 39
    length = (data[12] + 1) * 4
    data[12 + length - 4 : 12 + length] = zlib.crc32(data[12 : 12 + length - 4]).to_bytes(4, "little")
    (tmp_path / "a.sgf.xz").write_bytes(data)
    (piece,) = RecordSources([tmp_path / "a.sgf.xz"])
    assert piece.kind == "fault"
    assert b"emory" in piece.data


def test_several_xz_files_in_one_are_read_to_the_end(tmp_path: Path) -> None:
    lines = GAME + b"\n"
    (tmp_path / "a.sgfs.xz").write_bytes(lzma.compress(lines) + bytes(8) + lzma.compress(lines))
    assert b"".join(bytes(piece.data) for piece in RecordSources([tmp_path / "a.sgfs.xz"])) == lines * 2


def test_lines_stay_whole_across_pieces(tmp_path: Path) -> None:
    lines = b"".join(b"(;C[%d]%s)\n" % (i, b" " * (i % 5000)) for i in range(2000)) + b"(;C[last])"
    (tmp_path / "a.sgfs.gz").write_bytes(gzip.compress(lines))
    pieces = [bytes(piece.data) for piece in RecordSources([tmp_path / "a.sgfs.gz"])]
    assert len(pieces) > 2
    assert b"".join(pieces) == lines
    assert all(piece.startswith(b"(;C[") for piece in pieces)


class TestTeacherFiles:
    def file(self, **changes: object) -> bytes:
        out = io.BytesIO()
        columns = {
            "moves": np.array([b"eecc"]),
            "komi": np.array([7.0]),
            "policy": np.full((1, 82), 1 / 82),
            "white_winrate": np.array([0.5]),
            "white_score": np.array([0.0]),
            "white_ownership": np.zeros((1, 81), np.int8),
        }
        np.savez_compressed(out, **{**columns, **changes})  # type: ignore[arg-type]
        return out.getvalue()

    def test_a_sound_file_is_read(self) -> None:
        assert len(list(read_teacher(self.file(), "t.npz"))) == 1

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"white_ownership": np.zeros(81)}, "fit no board"),
            ({"white_ownership": np.full((1, 81), 2**62)}, "t.npz: array 'white_ownership' holds more than hundredths"),
            ({"white_ownership": np.full((1, 81), -128, np.int8)}, "holds more than hundredths"),
            ({"komi": np.zeros(())}, "1 rows of policy, but komi"),
            ({"white_score": np.zeros(0)}, "1 rows of policy, but white_score"),
            ({"moves": np.array([3])}, "should be bytes"),
            ({"moves": np.array([b"abc"])}, "no pairs"),
            ({"moves": np.array([b"\xff\xff"])}, "no board has a point"),
            ({"komi": np.array([object()])}, "does not fit its"),
            ({"policy": np.zeros((1 << 20, 82), np.float32)}, "no collection of games|no game is so long"),
        ],
    )
    def test_a_hostile_one_ends_in_one_line(self, changes: dict[str, object], complaint: str) -> None:
        with pytest.raises(ValueError, match=complaint):
            list(read_teacher(self.file(**changes), "t.npz"))

    @pytest.mark.usefixtures("watched")
    def test_a_header_may_claim_terabytes(self) -> None:
        lying = io.BytesIO()
        np.lib.format.write_array_header_1_0(lying, {"descr": "<f4", "fortran_order": False, "shape": (1 << 40, 82)})
        with zipfile.ZipFile(io.BytesIO(self.file())) as sound:
            members = {name: sound.read(name) for name in sound.namelist()}
        members["policy.npy"] = lying.getvalue()
        with pytest.raises(ValueError, match=r"array 'policy': its header .* does not fit"):
            list(read_teacher(zip_of(members), "t.npz"))
