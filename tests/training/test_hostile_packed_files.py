"""Packed files whose checksums are right and whose counts and offsets lie: refused in one line, never followed."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tesuji import GameSet
from tesuji._core import PackedFile
from tesuji.training.data.packing import PackedRecord, pack_games

PAGE = 65536
HEADER = "<QIIQQQQQQ"  # magic, version, bytes: an entry; games, bytes: bodies, file; sum: index; none, sum: header
ENTRY = "<QQIHHffhhBBBBBBH4x"
FIELDS = (
    *("offset", "key", "bytes", "moves", "targets", "komi", "black_margin", "black_rating", "white_rating"),
    *("size", "rules", "winner", "ending", "handicap", "flags", "reserved"),
)
GAMES, BODIES, LENGTH, INDEX_SUM, SUM = 3, 4, 5, 6, 8  # of the header
SETUP, COUNTS = 1, 4  # flags of an entry
WINRATE = 1  # of a target
MOST = (1 << 64) - 1


def checksum(data: bytes) -> int:
    """That of `cpp/base/hash.h`: whoever forges a file reckons it too."""

    def turned(value: int) -> int:
        value = value * 0x9E3779B185EBCA87 & MOST
        return (value << 31 | value >> 33) & MOST

    lanes, whole = [1, 2, 3, 4], len(data) // 32 * 32
    for at in range(0, whole, 32):
        lanes = [turned(lane ^ word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at), strict=True)]
    value = len(data)
    for word in (*lanes, *data[whole:]):
        value = turned(value ^ word)
    return value ^ value >> 32


class Forgery:
    """A packed file in its parts, to be changed and sealed again."""

    def __init__(self, data: bytes) -> None:
        self.header = list(struct.unpack_from(HEADER, data))
        self.bodies = bytearray(data[64 : 64 + self.header[BODIES]])
        start = 64 + (len(self.bodies) + 7) // 8 * 8
        self.entries = [
            dict(zip(FIELDS, struct.unpack_from(ENTRY, data, start + 48 * game), strict=True))
            for game in range(self.header[GAMES])
        ]

    def put(self, at: int, form: str, *values: int) -> None:
        """Writes into the bodies."""
        struct.pack_into("<" + form, self.bodies, at, *values)

    def sealed(self) -> bytes:
        """The whole file, its checksums right."""
        padded = bytes(self.bodies) + bytes(-len(self.bodies) % 8)
        entries = b"".join(struct.pack(ENTRY, *entry.values()) for entry in self.entries)
        pages = [self.bodies[begin : begin + PAGE] for begin in range(0, len(self.bodies), PAGE)]
        index = entries + b"".join(struct.pack("<Q", checksum(bytes(page))) for page in pages)
        self.header[LENGTH], self.header[INDEX_SUM] = 64 + len(padded) + len(index), checksum(index)
        self.header[SUM] = checksum(struct.pack(HEADER, *self.header)[:56])
        return struct.pack(HEADER, *self.header) + padded + index


def record(size: int) -> PackedRecord:
    """Stones set up at 0 and 1, three moves, and a judgement of the second position."""
    made = PackedRecord()
    made.size, made.komi, made.black, made.white = size, 7.0, [0], [1]
    made.moves = [(1, 5), (2, 6), (1, 7)]
    made.add_target(1, policy=[(7, 0.25), (8, 0.75)], white_winrate=0.5, white_ownership=owners(size))
    return made


def owners(size: int) -> list[int]:
    """Such as are moves on the board where they are read as those of a policy."""
    return [1] + [0] * (size**2 - 1)


# Where the parts of that body lie: on 9x9 a move has one byte, above 11x11 two.
BLACKS, WHITES, STONES, MOVES = 0, 2, 4, 8
TARGET = {9: MOVES + 3 + 2 * 11, 19: MOVES + 6 + 2 * 46}
CHOICES = {size: target + 16 for size, target in TARGET.items()}


@pytest.fixture
def forged(tmp_path: Path) -> Callable[[Callable[[Forgery], None], int], Path]:
    def make(change: Callable[[Forgery], None], size: int = 9) -> Path:
        path = tmp_path / "evil.games"
        pack_games([record(size)], path)
        forgery = Forgery(path.read_bytes())
        change(forgery)
        path.write_bytes(forgery.sealed())
        return path

    return make


Forge = Callable[..., Path]


@pytest.mark.parametrize("size", [9, 19])
def test_an_honest_forgery_is_the_file_itself(forged: Forge, size: int) -> None:
    """Else the tests below would show nothing but wrong checksums."""
    path = forged(lambda forgery: None, size)
    PackedFile(str(path)).check()
    back = GameSet(path).record(0)
    assert (back.black, back.white, back.moves) == ([0], [1], record(size).moves)
    (target,) = back.targets
    assert (target.position, target.white_ownership) == (1, owners(size))
    assert GameSet(path).at([0], [1]).policy[0, :9].tolist() == pytest.approx([0] * 7 + [0.25, 0.75], abs=1e-4)


def no_bodies(forgery: Forgery) -> None:
    """As many bytes of bodies as wrap around to none."""
    forgery.bodies.clear()
    forgery.header[BODIES] = MOST


def more_games(forgery: Forgery) -> None:
    """So many more games that the length of their index is the same again."""
    forgery.header[GAMES] += 1 << 60


@pytest.mark.parametrize("change", [no_bodies, more_games])
def test_a_header_whose_sums_wrap_around(forged: Forge, change: Callable[[Forgery], None]) -> None:
    with pytest.raises(ValueError, match=r"evil\.games has a damaged header"):
        PackedFile(str(forged(change)))


def test_fewer_games_than_the_file_is_long_for(forged: Forge) -> None:
    def change(forgery: Forgery) -> None:
        forgery.header[GAMES] = 0

    with pytest.raises(ValueError, match=r"evil\.games has a damaged header"):
        PackedFile(str(forged(change)))


@pytest.mark.parametrize(
    "lie",
    [
        {"offset": 1},
        {"offset": 1 << 40},
        {"offset": MOST},  # and a body's end before its beginning
        {"bytes": 1 << 20},
        {"bytes": 20},  # less than its moves take
        {"moves": 65535},
        {"targets": 65535},
        {"flags": SETUP | COUNTS, "bytes": TARGET[9] + 16},  # owners where nothing is left
        {"size": 0},
        {"size": 1},
    ],
    ids=str,
)
def test_an_index_that_contradicts_itself_is_refused_when_opened(forged: Forge, lie: dict[str, int]) -> None:
    path = forged(lambda forgery: forgery.entries[0].update(lie))
    with pytest.raises(ValueError, match=r"evil\.games has an index that contradicts itself at game 0"):
        PackedFile(str(path))


@pytest.mark.parametrize("size", [26, 30])
def test_a_board_larger_than_any_is_refused_though_its_game_would_fit(forged: Forge, size: int) -> None:
    path = forged(lambda forgery: forgery.entries[0].update(size=size), 19)
    with pytest.raises(ValueError, match=r"evil\.games has an index that contradicts itself at game 0"):
        PackedFile(str(path))


def setup_beyond_the_body(forgery: Forgery) -> None:
    forgery.put(BLACKS, "H", 65535)


def setup_up_to_the_end(forgery: Forgery) -> None:
    """All of them on one point of the board, and no room for moves behind them."""
    forgery.entries[0]["targets"] = 0
    forgery.bodies[:] = bytes(len(forgery.bodies))
    forgery.put(WHITES, "H", (len(forgery.bodies) - STONES) // 2)


def setup_off_the_board(forgery: Forgery) -> None:
    forgery.put(STONES, "H", 81)


def move_off_the_board(forgery: Forgery) -> None:
    forgery.put(MOVES, "B", 81)


def last_move_off_the_board(forgery: Forgery) -> None:
    forgery.put(MOVES + 2, "B", 126)


WRONG_BODIES = [setup_beyond_the_body, setup_up_to_the_end, setup_off_the_board, move_off_the_board]


@pytest.mark.parametrize("change", [*WRONG_BODIES, last_move_off_the_board])
def test_a_body_that_contradicts_itself_is_refused_when_read(forged: Forge, change: Callable[[Forgery], None]) -> None:
    games = GameSet(forged(change))
    with pytest.raises(ValueError, match="contradicts itself"):
        games.record(0)
    with pytest.raises(ValueError, match="contradicts itself"):
        games.at([0], [2])


def test_a_move_off_a_large_board(forged: Forge) -> None:
    games = GameSet(forged(lambda forgery: forgery.put(MOVES, "H", 361), 19))
    with pytest.raises(ValueError, match="contradicts itself"):
        games.record(0)
    with pytest.raises(ValueError, match="contradicts itself"):
        games.at([0], [1])


@pytest.mark.parametrize(("size", "at", "form", "point"), [(9, MOVES + 2, "B", 126), (19, MOVES + 4, "H", 30000)])
def test_a_move_to_come_is_looked_at_before_it_is_a_label(
    forged: Forge, size: int, at: int, form: str, point: int
) -> None:
    games = GameSet(forged(lambda forgery: forgery.put(at, form, point), size))
    with pytest.raises(ValueError, match="contradicts itself"):
        games.at([0], [0])


@pytest.mark.parametrize(("point", "complaint"), [(0, "plays on a stone"), (5, "plays on a stone")])
def test_a_move_on_a_stone(forged: Forge, point: int, complaint: str) -> None:
    games = GameSet(forged(lambda forgery: forgery.put(MOVES + 1, "B", point)))
    with pytest.raises(ValueError, match=complaint):
        games.at([0], [2])


def test_stones_set_on_stones(forged: Forge) -> None:
    games = GameSet(forged(lambda forgery: forgery.put(STONES + 2, "H", 0)))
    with pytest.raises(ValueError, match="stones on stones"):
        games.at([0], [0])


@pytest.mark.parametrize("size", [9, 19])
@pytest.mark.parametrize(
    ("at", "form", "value"),
    [
        (0, "H", 4),  # a position behind the last
        (4, "H", 65535),  # so many moves of the policy
        (12, "I", 0xFFFFFFFF),  # the policy beyond all memory
        (12, "I", 1 << 20),
        (16, "H", 1000),  # a move of the policy off the board
    ],
)
def test_a_judgement_that_contradicts_itself(forged: Forge, size: int, at: int, form: str, value: int) -> None:
    games = GameSet(forged(lambda forgery: forgery.put(TARGET[size] + at, form, value), size))
    with pytest.raises(ValueError, match="contradicts itself"):
        games.record(0)
    if at:  # nobody asks for a position that does not exist
        with pytest.raises(ValueError, match="contradicts itself"):
            games.at([0], [1])


def half_of_the_owners(forgery: Forgery) -> None:
    forgery.put(TARGET[9] + 12, "I", CHOICES[9] + 40)


def one_move_of_the_policy(forgery: Forgery) -> None:
    """The last of as many as the body has room for, without owners, and one."""
    forgery.put(TARGET[9] + 2, "HH", WINRATE, (len(forgery.bodies) - CHOICES[9]) // 4 + 1)


@pytest.mark.parametrize("change", [half_of_the_owners, one_move_of_the_policy])
def test_a_judgement_that_ends_behind_the_body(forged: Forge, change: Callable[[Forgery], None]) -> None:
    games = GameSet(forged(change))
    with pytest.raises(ValueError, match="contradicts itself"):
        games.at([0], [1])
    with pytest.raises(ValueError, match="contradicts itself"):
        games.record(0)
