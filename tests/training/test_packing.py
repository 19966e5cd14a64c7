"""Records of every kind into a packed file: nothing lost, nothing silent, every refusal named."""

import bz2
import gzip
import lzma
import random
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import PASS, GameSet
from tesuji.features.symmetry import transform_point
from tesuji.go.sgf.files import read_record
from tesuji.interfaces.cli import run
from tesuji.training.data.packing import (
    Filter,
    PackedRecord,
    PackReport,
    Rejection,
    export_games_data,
    pack,
    pack_games,
)

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def sgf(seed: int, size: int = 9, moves: int = 20, symmetry: int = 0, header: str = "KM[6.5]RE[B+R]") -> str:
    """A legal random game, turned by a symmetry."""
    rng = random.Random(seed)
    game = tesuji.Game(size=size, rules="chinese")
    text = f"(;GM[1]FF[4]SZ[{size}]{header}"
    for number in range(moves):
        move = rng.choice(game.legal_moves()[:-1])
        game.play(move)
        row, column = divmod(transform_point(move, symmetry, size), size)
        text += f";{'BW'[number % 2]}[{chr(97 + column)}{chr(97 + row)}]"
    return text + ")"


def packed(sources: list[Path], folder: Path, **options: object) -> tuple[PackReport, list[Rejection], GameSet]:
    rejections: list[Rejection] = []
    report = pack(sources, folder / "out.games", rejected=rejections.append, **options)  # type: ignore[arg-type]
    assert report.read == report.kept + sum(report.dropped.values())
    assert len(rejections) == sum(report.dropped.values())
    return report, rejections, GameSet(folder / "out.games")


def test_what_is_packed_equals_what_the_sgf_reader_reads(tmp_path: Path) -> None:
    texts = [
        sgf(1, header="KM[7]RE[W+3.5]RU[Chinese]BR[5k]WR[2d]"),
        sgf(2, header="RE[0]"),
        "(;SZ[9]KM[0.5]HA[2]AB[cc][gg]PL[W]RE[B+];W[ee];B[];W[tt];B[dd])",
        "(;SZ[9]AW[aa:bb]AB[ii];B[ee](;W[ed];B[dd])(;W[fd]))",
        "(;SZ[9]C[a \\] bracket (;B[aa\\]\\\\];B[ab]N[x]\n;W[ba] )",
    ]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.sgf").write_text(text)
    _, _, games = packed(sorted(tmp_path.glob("*.sgf")), tmp_path)
    for record, text in zip(games, texts, strict=True):
        stated = read_record(text.encode())
        assert record.moves == [(int(color), move) for color, move in stated.game.moves]
        assert record.game().hash == stated.game.hash or stated.rules is None
        assert record.komi == stated.komi
        assert (record.result or None) == stated.result
        assert record.rules == stated.rules
    assert (games.record(0).black_rating, games.record(0).white_rating) == ("5k", "2d")
    assert sorted(games.record(3).white) == [0, 1, 9, 10]
    assert games.record(2).handicap == 2


def test_every_kind_of_archive(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "deep").mkdir()
    (source / "deep" / "one.sgf").write_text(sgf(1))
    lines = "".join(sgf(seed) + "\n" for seed in range(2, 5)).encode()
    (source / "a.sgfs.xz").write_bytes(lzma.compress(lines))
    (source / "b.sgfs.gz").write_bytes(gzip.compress(sgf(5).encode() + b"\n"))
    (source / "c.sgf.bz2").write_bytes(bz2.compress(sgf(6).encode()))
    with zipfile.ZipFile(source / "d.zip", "w") as archive:
        archive.writestr("inside/x.sgf", sgf(7))
        archive.writestr("inside/two.sgf", sgf(8) + "\n" + sgf(9))
        archive.writestr("README", "nothing")
    (tmp_path / "loose.sgf").write_text(sgf(10))
    with tarfile.open(source / "e.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "loose.sgf", "loose.sgf")
    report, rejections, games = packed([source], tmp_path)
    assert (report.read, report.kept, len(games)) == (11, 10, 10)
    assert [(Path(one.name.split(":")[0]).name, one.reason) for one in rejections] == [("README", "unreadable file")]


def test_duplicates_are_dropped_under_any_symmetry(tmp_path: Path) -> None:
    texts = [sgf(1, symmetry=s) for s in range(8)] + [sgf(2)]
    (tmp_path / "games.sgfs").write_text("\n".join(texts))
    report, rejections, _ = packed([tmp_path / "games.sgfs"], tmp_path)
    assert (report.kept, report.dropped) == (2, {"duplicate": 7})
    assert rejections[0].name.endswith("games.sgfs:2")
    assert packed([tmp_path / "games.sgfs"], tmp_path, drop_duplicates=False)[0].kept == 9


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("(;SZ[9];B[aa];W[aa])", "illegal", "move 2 (W A9) is illegal: occupied"),
        ("(;SZ[9]AB[ab][ba];W[aa])", "illegal", "suicide"),
        ("(;SZ[9];B[zz])", "bad point", "[zz] is not on a board of 9"),
        ("(;SZ[9];B[a])", "bad point", "[a] is not a point"),
        ("(;SZ[40];B[aa])", "board size", "SZ[40]"),
        ("(;SZ[9:7];B[aa])", "board size", "SZ[9:7]"),
        ("(;SZ[9];B[aa];W[bb", "cut off", "middle of a property"),
        ("(;SZ[9];B[aa]", "cut off", "middle of the game"),
        ("(;SZ[9];B[aa];AB[cc])", "setup inside", "after the first move"),
        ("(;GM[2]SZ[9];B[aa])", "not Go", "GM[2]"),
        ("(;SZ[9]%%;B[aa])", "not SGF", "a property was expected"),
        ("hello", "not SGF", "no game tree"),
        ("()", "not SGF", "without nodes"),
    ],
)
def test_a_bad_record_is_counted_and_named(tmp_path: Path, text: str, reason: str, detail: str) -> None:
    (tmp_path / "x.sgfs").write_text(f"{sgf(1)}\n{text}\n{sgf(2)}\n")
    report, rejections, games = packed([tmp_path / "x.sgfs"], tmp_path)
    assert len(games) == 2
    assert report.dropped == {reason: 1}
    assert rejections[0].name == f"{tmp_path / 'x.sgfs'}:2"
    assert detail in rejections[0].detail


def with_filter(**wanted: object) -> Filter:
    chosen = Filter()
    for name, value in wanted.items():
        setattr(chosen, name, value)
    return chosen


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        (with_filter(size=9), "board size"),
        (with_filter(min_komi=6.0), "komi"),
        (with_filter(max_komi=6.0), "komi"),
        (with_filter(rules=tesuji.Rules.named("chinese")), "rules"),
        (with_filter(result_known=True), "no result"),
        (with_filter(min_moves=20), "too short"),
        (with_filter(min_rating="1d"), "rating"),
        (with_filter(max_rating="1d"), "rating"),
        (with_filter(max_handicap=0), "handicap"),
        (with_filter(min_year=1900), "year"),
        (with_filter(max_year=2015), "year"),
    ],
)
def test_filters_drop_under_their_own_name(tmp_path: Path, chosen: Filter, reason: str) -> None:
    wanted = sgf(1, header="KM[6]RE[B+R]RU[Chinese]BR[1d]WR[3d]DT[12/05/1993]")
    unwanted = {
        "board size": sgf(2, size=7, header="KM[6]RE[B+R]RU[Chinese]BR[1d]WR[3d]"),
        "komi": sgf(2, header="RE[B+R]RU[Chinese]BR[1d]WR[3d]"),
        "rules": sgf(2, header="KM[6]RE[B+R]RU[Japanese]BR[1d]WR[3d]"),
        "no result": sgf(2, header="KM[6]RE[Void]RU[Chinese]BR[1d]WR[3d]"),
        "too short": sgf(2, moves=19, header="KM[6]RE[B+R]RU[Chinese]BR[1d]WR[3d]"),
        "rating": sgf(2, header="KM[6]RE[B+R]RU[Chinese]BR[2300]WR[3d]"),
        "year": sgf(2, header="KM[6]RE[B+R]RU[Chinese]BR[1d]WR[3d]DT[unknown]"),
        "handicap": sgf(2, header="KM[6]RE[B+R]RU[Chinese]BR[1d]WR[3d]HA[2]"),
    }[reason]
    (tmp_path / "x.sgfs").write_text(f"{wanted}\n{unwanted}\n")
    report, _, _ = packed([tmp_path / "x.sgfs"], tmp_path, filter=chosen)
    assert (report.kept, report.dropped) == (1, {reason: 1})


def test_years_lie_within_their_limits(tmp_path: Path) -> None:
    dates = ("1846-09-11", "1900", "Published on 2015-12-31", "2016-01-01")
    (tmp_path / "x.sgfs").write_text("".join(sgf(i, header=f"DT[{date}]") + "\n" for i, date in enumerate(dates)))
    report, _, _ = packed([tmp_path / "x.sgfs"], tmp_path, filter=with_filter(min_year=1900, max_year=2015))
    assert (report.kept, report.dropped) == (2, {"year": 2})


def test_the_last_games_alone(tmp_path: Path) -> None:
    (tmp_path / "x.sgfs").write_text("".join(sgf(seed, header=f"KM[{seed}]") + "\n" for seed in range(5)))
    report = pack([tmp_path / "x.sgfs"], tmp_path / "out.games", last=2)
    assert [record.komi for record in tesuji.GameSet(tmp_path / "out.games")] == [3, 4]
    assert (report.read, report.kept, report.dropped) == (5, 2, {"before the last": 3})


def test_a_cut_archive_gives_what_it_holds_and_is_named(tmp_path: Path) -> None:
    lines = "".join(sgf(seed, moves=60) + "\n" for seed in range(50)).encode()
    whole = gzip.compress(lines)
    (tmp_path / "cut.sgfs.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "good.sgf").write_text(sgf(99))
    report, rejections, _ = packed([tmp_path / "cut.sgfs.gz", tmp_path / "good.sgf"], tmp_path)
    assert report.kept >= 1
    assert any("damaged or cut" in one.detail and "cut.sgfs.gz" in one.name for one in rejections)


def test_text_in_other_encodings(tmp_path: Path) -> None:
    name = "ソ十表"  # in Shift-JIS their second bytes are backslashes
    text = f"(;CA[Shift_JIS]SZ[9]PB[{name}]KM[6.5];B[aa];W[bb])"
    (tmp_path / "x.sgf").write_bytes(text.encode("shift_jis"))
    assert packed([tmp_path / "x.sgf"], tmp_path)[2].record(0).komi == 6.5


def test_nothing_to_pack_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ValueError, match="no files in"):
        pack([empty], tmp_path / "out.games")
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        pack([tmp_path / "missing.sgf"], tmp_path / "out.games")
    (tmp_path / "bad.sgf").write_text("nothing")
    with pytest.raises(ValueError, match=r"no game to pack in .*bad.sgf \(1 unreadable file: no game tree in it\)"):
        pack([tmp_path / "bad.sgf"], tmp_path / "out.games")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.sgf", "empty"]


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    pack_games([PackedRecord.of(tesuji.Game(size=9))], tmp_path / "out.games")
    before = (tmp_path / "out.games").read_bytes()
    bad = PackedRecord()
    bad.size, bad.moves = 9, [(1, 3), (2, 3)]
    with pytest.raises(ValueError, match=r"game 0: move 2 \(W D9\) is illegal: occupied"):
        pack_games([bad], tmp_path / "out.games")
    assert (tmp_path / "out.games").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_a_missing_folder_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(sgf(1))
    with pytest.raises(FileNotFoundError, match="cannot write"):
        pack([tmp_path / "x.sgf"], tmp_path / "no" / "folder.games")


def test_games_data_there_and_back(tmp_path: Path) -> None:
    record = PackedRecord()
    record.size, record.komi, record.result = 19, 7.5, "W+R"
    record.moves = [(1, 60), (2, 300), (1, PASS), (2, 42)]
    for position in range(4):
        record.add_target(position, white_winrate=position / 4, white_score=-1.5)
    assert export_games_data([record, record], tmp_path / "games.data") == 2
    text = (tmp_path / "games.data").read_text().split("\n")
    assert text[:4] == ["2", "7.5 W 4", "60 B 0 -1.5", "300 W 0.25 -1.5"]
    assert text[4].startswith("361 B 0.5")
    report, _, games = packed([tmp_path / "games.data"], tmp_path)
    assert (report.kept, report.dropped) == (1, {"duplicate": 1})
    back = games.record(0)
    assert (back.moves, back.komi, back.result) == (record.moves, 7.5, "W+")
    assert [t.white_winrate for t in back.targets] == pytest.approx([0, 0.25, 0.5, 0.75], abs=1e-4)


def test_a_cut_games_data_is_named(tmp_path: Path) -> None:
    (tmp_path / "games.data").write_text("3\n7.5 B 2\n0 1 0.5 0\n1 2 0.5 0\n6.5 W 2\n0 1 0.5")
    report, rejections, _ = packed([tmp_path / "games.data"], tmp_path)
    assert (report.kept, report.dropped) == (1, {"cut off": 1})
    assert "2 games stated but not read" in rejections[0].detail


def test_games_behind_the_stated_number_are_not_lost_in_silence(tmp_path: Path) -> None:
    game = "7.5 B 2\n0 1 0.5 0\n1 2 0.5 0\n"
    (tmp_path / "games.data").write_text(f"1\n{game}{game}")
    report, rejections, _ = packed([tmp_path / "games.data"], tmp_path)
    assert (report.kept, report.dropped) == (1, {"not stated": 1})
    assert "more text behind the 1 games" in rejections[0].detail
    (tmp_path / "games.data").write_text(f"1\n{game}\n \n")
    assert not packed([tmp_path / "games.data"], tmp_path)[0].dropped


def test_a_locked_archive_is_a_counted_rejection(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "locked.zip", "w") as archive:
        archive.writestr("x.sgf", sgf(1))
    data = bytearray((tmp_path / "locked.zip").read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1  # says it is encrypted
    (tmp_path / "locked.zip").write_bytes(data)
    (tmp_path / "good.sgf").write_text(sgf(2))
    report, rejections, _ = packed([tmp_path / "locked.zip", tmp_path / "good.sgf"], tmp_path)
    assert (report.kept, report.dropped) == (1, {"unreadable file": 1})
    assert "encrypted" in rejections[0].detail


def test_a_score_of_unknown_komi_is_no_label(tmp_path: Path) -> None:
    record = PackedRecord()
    record.size, record.moves = 9, [(1, 40)]
    record.add_target(0, white_score=3.5)
    for komi, known in ((None, 0), (7.0, 1)):
        record.komi = komi
        pack_games([record], tmp_path / "x.games")
        batch = GameSet(tmp_path / "x.games").at([0], [0], "agz-17")
        assert (batch.score_mask[0], batch.black_score[0]) == (known, 3.5 * known)


UNKNOWN_KOMI = [
    (9, None, False, 7.0), (19, None, False, 7.5), (19, "chinese", False, 7.5), (19, "japanese", False, 6.5),
    (9, "japanese", False, 6.5), (19, "japanese", True, 0.5), (9, "chinese", True, 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("size", "rules", "handicap", "shown"), UNKNOWN_KOMI)
def test_a_game_of_unknown_komi_shows_the_usual_one_and_no_value(
    size: int, rules: str | None, handicap: bool, shown: float, tmp_path: Path
) -> None:
    record = PackedRecord()
    record.size, record.result, record.rules = size, "B+R", tesuji.Rules.named(rules) if rules else None
    record.moves = [(2 if handicap else 1, 40)]
    if handicap:
        record.black, record.first = [20, 24], tesuji.WHITE
    record.add_target(0, policy=[(40, 1.0)], white_winrate=0.25)
    pack_games([record], tmp_path / "x.games")
    games = GameSet(tmp_path / "x.games")
    batch = games.at([0, 0], [0, 1], "golois-31")
    assert batch.value_mask.tolist() == [0, 0]
    assert batch.policy_mask.tolist() == [1, 0]
    assert batch.komi.tolist() == [shown] * 2
    game = games.record(0).game()
    assert game.komi == shown
    np.testing.assert_array_equal(batch.planes[1], tesuji.encode([game], "golois-31")[0])


@pytest.mark.parametrize(("stated", "result"), [("B+3,5", "B+3.5"), ("W+0", "0"), ("W+12.5", "W+12.5"), ("B+R", "B+R")])
def test_both_readers_read_results_alike(stated: str, result: str) -> None:
    record = PackedRecord()
    record.result = stated
    assert record.result == result == read_record(f"(;SZ[9]RE[{stated}];B[aa])".encode()).result


def test_a_move_far_outside_is_not_taken_for_another() -> None:
    record = PackedRecord()
    for move in (2**16, 2**15, -2):
        with pytest.raises(ValueError, match=f"no board has a point {move}"):
            record.moves = [(1, move)]
        with pytest.raises(ValueError, match=f"no board has a point {move}"):
            record.add_target(0, policy=[(move, 1.0)])


def test_teacher_rows_become_games_with_a_target(tmp_path: Path) -> None:
    policy = np.zeros((2, 82), np.float16)
    policy[0, [40, 81]] = 0.5
    policy[1, 3] = 1
    np.savez(
        tmp_path / "teacher.npz",
        moves=np.array([b"eecc--", b""]),
        komi=np.array([5.5, 7], np.float16),
        policy=policy,
        white_winrate=np.array([0.75, 0.5], np.float16),
        white_score=np.array([3.5, -1], np.float16),
        white_ownership=np.full((2, 81), 50, np.int8),
    )
    _, _, games = packed([tmp_path / "teacher.npz"], tmp_path)
    batch = games.at([0, 1], [3, 0], "agz-17")
    assert games.record(0).moves == [(1, 40), (2, 20), (1, PASS)]
    assert batch.policy[0, [40, 81]].tolist() == [0.5, 0.5]
    assert batch.value.tolist() == pytest.approx([0.75, 0.5], abs=1e-4)
    assert batch.black_score.tolist() == [2.0, 8.0]
    assert (batch.black_ownership == -0.5).all()
    assert batch.value_mask.all()
    assert batch.score_mask.all()


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data in {SHARED}")
@pytest.mark.parametrize("name", ["9x9_handicap", "13x13_pro"])
def test_real_games_pack_whole(tmp_path: Path, name: str) -> None:
    source = SHARED / f"{name}.sgfs.xz"
    report, _, games = packed([source], tmp_path)
    lines = lzma.decompress(source.read_bytes()).decode().splitlines()
    assert report.kept == report.read == len(lines)
    for number in range(0, len(lines), 37):
        game = tesuji.read_sgf(lines[number].encode())
        assert games.record(number).moves == [(int(color), move) for color, move in game.moves]
        np.testing.assert_array_equal(
            games.at([number], [len(game.moves)], "golois-31").planes, tesuji.encode([game], "golois-31")
        )


def test_the_command_packs_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.sgfs").write_text(f"{sgf(1)}\n{sgf(1, symmetry=3)}\nnothing\n")
    out, rejects, picture = tmp_path / "x.games", tmp_path / "rejects.txt", tmp_path / "x.png"
    assert run(["data", "pack", str(tmp_path / "x.sgfs"), "-o", str(out), "--rejects", str(rejects)]) == 0
    assert "dropped: duplicate" in capsys.readouterr().out
    assert [line.split("\t")[1] for line in rejects.read_text().splitlines()] == ["not SGF", "duplicate"]
    assert run(["data", "info", str(out), "--plot", str(picture)]) == 0
    assert "9x9: 1" in capsys.readouterr().out
    assert picture.stat().st_size > 1000
    assert run(["data", "info", str(tmp_path / "x.sgfs")]) == 2
    assert "is not a packed file" in capsys.readouterr().err
    assert run(["data", "pack", str(tmp_path / "nothing"), "-o", str(out)]) == 2


def test_rejects_are_named_even_if_nothing_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.sgfs").write_text(f"{sgf(1)}\nnothing\n")
    rejects = tmp_path / "rejects.txt"
    command = ["data", "pack", str(tmp_path / "x.sgfs"), "-o", str(tmp_path / "x.games"), "--size", "19", "--rejects"]
    assert run([*command, str(rejects)]) == 2
    assert [line.split("\t")[1] for line in rejects.read_text().splitlines()] == ["board size", "not SGF"]
    assert run([*command, str(tmp_path / "no" / "folder.txt")]) == 2
    assert "no folder" in capsys.readouterr().err


def test_many_sources_without_a_game_are_told_in_one_short_line(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.sgf" for number in range(50)]
    for file in files:
        file.write_text("nothing")
    with pytest.raises(ValueError, match=r"no game to pack in .*0\.sgf, .*2\.sgf and 47 more") as told:
        pack(files, tmp_path / "out.games")
    assert len(str(told.value)) < 600
