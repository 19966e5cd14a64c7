"""A hostile record costs no more time than its length allows, and reading one never waits for anybody."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tesuji import BLACK, WHITE, Color
from tesuji.base.errors import InputError
from tesuji.go.sgf import files
from tesuji.go.sgf.encodings import codec_of
from tesuji.go.sgf.files import read_record
from tesuji.go.sgf.text import decode

MOST_SECONDS = 15.0  # of processor time; each takes well below one, and took minutes


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


@pytest.mark.parametrize("node", [b";AB[aa]", b";B[]W[];PL[B]"])
def test_stones_set_up_at_every_node_take_linear_time(node: bytes) -> None:
    data = b"(;SZ[9]" + node * 20_000 + b")"
    assert seconds(lambda: read_record(data)) < MOST_SECONDS


@pytest.mark.parametrize(("rest", "to_play"), [(b";W[cc];B[dd]", WHITE), (b";B[dd];W[cc]", BLACK), (b"", BLACK)])
def test_after_a_set_up_it_is_the_turn_of_who_moves_next(rest: bytes, to_play: Color) -> None:
    game = read_record(b"(;SZ[9];B[gg];W[hh];AB[aa]AW[bb];C[a word]" + rest + b")").game
    assert game.start_to_play == to_play


@pytest.mark.parametrize("unit", [b"CA[", b"CA[ ", b"CA [x"])
def test_charsets_never_closed_take_linear_time(unit: bytes) -> None:
    assert seconds(lambda: decode(b"(;" + unit * 100_000)) < MOST_SECONDS


@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "zlib", "x" * 50, ""])
def test_a_charset_that_no_record_uses_counts_as_none(charset: str) -> None:
    assert codec_of(charset) is None
    assert read_record(f"(;CA[{charset}]SZ[9]PB[柯洁];B[ee])".encode()).black == "柯洁"


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("UTF-8", "utf_8"), ("utf8", "utf_8"), ("US-ASCII", "ascii"), ("ISO-8859-1", "latin_1"), ("Latin1", "latin_1"),
        ("iso8859-15", "iso8859_15"), ("Windows-1251", "cp1251"), ("CP936", "gb18030"), ("GB2312", "gb18030"),
        ("Big5", "cp950"), ("big5-hkscs", "big5hkscs"), ("Shift_JIS", "cp932"), ("SJIS", "cp932"), ("ms932", "cp932"),
        ("EUC-JP", "euc_jp"), ("ISO-2022-JP", "iso2022_jp"), ("EUC-KR", "cp949"), ("ks_c_5601-1987", "cp949"),
        ("KOI8-R", "koi8_r"),
    ],
)  # fmt: skip
def test_charsets_are_known_however_they_are_spelt(charset: str, codec: str) -> None:
    assert codec_of(charset) == codec


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.sgf")
    with pytest.raises(InputError, match=r"game\.sgf: a pipe or a device; save what it holds as a file first"):
        read_record(tmp_path / "game.sgf")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such device")
def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="/dev/zero: a pipe or a device"):
        read_record("/dev/zero")


def test_a_file_longer_than_any_record_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "long.sgf").open("wb") as file:
        file.truncate(files.MOST_BYTES + 1)
    with pytest.raises(InputError, match=r"long\.sgf: longer than 64 MB; split it"):
        read_record(tmp_path / "long.sgf")
