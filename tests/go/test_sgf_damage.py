"""Damaged files: whatever happens to the bytes, a game or an SgfError comes out, and nothing else."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji import Game
from tesuji.go.sgf.files import SgfError, read_record, read_tree, write_tree

SOUND = (
    "(;FF[4]GM[1]SZ[9]CA[Shift_JIS]KM[6.5]HA[2]RU[Japanese]RE[W+R]PB[表示]PW[ソ]AB[cc][gg];W[ee]C[a\\]b](;B[dd]"
    "LB[ee:1];W[];B[ff])(;AW[aa:bb]PL[W];W[hh]))"
).encode("shift_jis")
PIECES = [b"(", b")", b";", b"[", b"]", b"\\", b":", b"B", b"AB", b"SZ[19]", b"tt", b"\x83", b"\xff", b"\x00", b"9"]


def survive(data: bytes) -> None:
    try:
        record = read_record(data)
    except SgfError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    assert isinstance(record.game, Game)
    again = read_record(write_tree(record.tree))
    assert again.game.moves == record.game.moves


def test_black_and_white_in_one_node() -> None:
    survive(b"(;SZ[9];W[ee]B[dd];W[])")


def test_the_sound_file_is_sound() -> None:
    assert len(read_record(SOUND).game.moves) == 4
    assert len(list(read_tree(SOUND).walk())) == 7


@settings(max_examples=300, deadline=None, database=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(SOUND)), st.integers(0, 12), st.sampled_from(PIECES) | st.binary(max_size=3)),
        min_size=1,
        max_size=4,
    )
)
def test_damaged_bytes(wounds: list[tuple[int, int, bytes]]) -> None:
    data = SOUND
    for place, cut, piece in wounds:
        data = data[:place] + piece + data[place + cut :]
    survive(data)


@settings(max_examples=200, deadline=None, database=None)
@given(st.lists(st.sampled_from([*PIECES, b"[aa]", b";B[bb]", b"(;SZ[5]", b" "]), max_size=40))
def test_pieces_in_any_order(pieces: list[bytes]) -> None:
    survive(b"(;" + b"".join(pieces) + b")")


@settings(max_examples=100, deadline=None, database=None)
@given(st.binary(max_size=300))
def test_binary_garbage(data: bytes) -> None:
    survive(data)
    survive(b"(;SZ[9]C[" + data + b"])")


def test_a_quoted_fault_stays_one_short_line() -> None:
    for data in (b"(;SZ[9];B[a\nb])", b"(;SZ[1\n9])", b"(;SZ[9];B[" + b"x" * 10**6 + b"])"):
        with pytest.raises(SgfError) as error:
            read_record(data)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 300
        assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_a_name_of_small_letters_is_no_name() -> None:
    root = read_tree(b"(;SZ[9]foo[x]AddBlack[aa])")
    assert set(root.properties) == {"SZ", "AB"}


def test_every_truncation() -> None:
    for length in range(len(SOUND)):
        survive(SOUND[:length])
