"""SGF in and out."""

import time
from pathlib import Path

import pytest
from sgfmill import sgf_grammar

import tesuji
from tests.go.drawing import game_on
from tesuji import BLACK, PASS, WHITE, Color, Game, Rules
from tesuji.go.sgf.files import (
    SgfError,
    game_at,
    read_collection,
    read_record,
    read_sgf,
    read_tree,
    tree_of,
    write_sgf,
    write_tree,
)
from tesuji.go.sgf.variations import Node


def test_a_plain_game() -> None:
    record = read_record(
        b"(;FF[4]GM[1]SZ[9]KM[7]RU[Chinese]RE[B+2]PB[Aya]BR[2528]PW[Zen]WR[2131]DT[2018];B[fd];W[df];B[];W[tt])"
    )
    assert record.game.moves == [(BLACK, 32), (WHITE, 48), (BLACK, PASS), (WHITE, PASS)]
    assert (record.komi, record.result, record.winner) == (7, "B+2", BLACK)
    assert record.rules == Rules.named("chinese") == record.game.rules
    assert (record.black, record.black_rank, record.white, record.white_rank) == ("Aya", "2528", "Zen", "2131")
    assert record.date == "2018"


@pytest.mark.parametrize("size", range(2, 26))
def test_every_size_is_read_and_written(size: int, tmp_path: Path) -> None:
    game = Game(size, komi=0.5)
    for point in (0, size * size - 1, PASS):
        game.play(point)
    write_sgf(game, tmp_path / "game.sgf")
    same = read_sgf(tmp_path / "game.sgf")
    assert (same.size, same.moves, same.komi) == (size, game.moves, 0.5)
    assert read_sgf(f"(;SZ[{size}:{size}])".encode()).size == size


def test_a_missing_size_is_nineteen() -> None:
    assert read_sgf(b"(;GM[1];B[pd];W[dp])").size == 19


def test_tt_is_a_point_on_a_large_board() -> None:
    assert read_sgf(b"(;SZ[21];B[tt])").moves == [(BLACK, 19 * 21 + 19)]
    assert read_sgf(b"(;SZ[19];B[tt])").moves == [(BLACK, PASS)]


@pytest.mark.parametrize(
    ("text", "komi"),
    [("", None), ("KM[]", None), ("KM[0]", 0), ("KM[6,5]", 6.5), ("KM[ -2.5 ]", -2.5), ("KM[x]", None)],
)
def test_a_missing_komi_stays_unknown(text: str, komi: float | None) -> None:
    assert read_record(f"(;SZ[9]{text};B[ee])".encode()).komi == komi


def test_the_game_gets_a_usual_komi_where_none_is_stated() -> None:
    assert read_sgf(b"(;SZ[9])").komi == 7
    assert read_sgf(b"(;SZ[13])").komi == 7.5
    assert read_sgf(b"(;SZ[9]RU[Japanese])").komi == 6.5
    assert read_sgf(b"(;SZ[9]HA[2]AB[cc][gg])").komi == 0.5
    assert read_sgf(b"(;SZ[9])", komi=5.5).komi == 5.5
    assert read_sgf(b"(;SZ[9]KM[7])", komi=5.5, rules="aga").rules.name == "aga"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        ("japanese", "japanese"),
        ("JPN", "japanese"),
        ("AGA", "aga"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("tromp_taylor", "tromp-taylor"),
        ("Korean", "korean"),
        ("KOR", "korean"),
        ("Ing", None),
        ("", None),
    ],
)
def test_rules_by_many_names(text: str, name: str | None) -> None:
    rules = read_record(f"(;SZ[9]RU[{text}])".encode()).rules
    assert (rules.name if rules else None) == name


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("B+R", "B+R"),
        ("W+Resign", "W+R"),
        ("b+resign", "B+R"),
        ("W+T", "W+T"),
        ("B+Forfeit", "B+F"),
        ("B+12.50", "B+12.5"),
        ("W+3,5", "W+3.5"),
        ("B+", "B+"),
        ("Draw", "0"),
        ("0", "0"),
        ("Void", None),
        ("?", None),
        ("", None),
    ],
)
def test_results_in_one_form(text: str, result: str | None) -> None:
    assert read_record(f"(;SZ[9]RE[{text}])".encode()).result == result


def test_stones_set_up_in_the_middle_of_a_game_are_no_handicap() -> None:
    assert read_sgf(b"(;SZ[19];B[pd];W[dd];AB[kk]PL[W])").komi == read_sgf(b"(;SZ[19];B[pd];W[dd])").komi
    assert read_sgf(b"(;SZ[19]AB[pd][dp]PL[W];W[dd])").komi == 0.5


def test_handicap_stones_are_a_handicap() -> None:
    game = read_sgf(b"(;SZ[9]HA[2]AB[gc][cg];W[ee];B[dd])")
    assert (game.handicap, game.start_to_play) == (2, WHITE)
    assert game.start_board.stones(BLACK) == [24, 56]
    assert read_sgf(b"(;SZ[9]HA[2];AB[gc][cg];W[ee])").handicap == 2
    assert read_sgf(b"(;SZ[9]HA[2];W[ee])").handicap == 0  # HA alone places nothing


def test_compressed_point_lists() -> None:
    game = read_sgf(b"(;SZ[4]AB[aa:ba][cc]AW[da:db]PL[W])")
    assert game.diagram() == "X X . O\n. . . O\n. . X .\n. . . ."
    assert game.to_play == WHITE


def test_setup_in_the_middle_begins_anew() -> None:
    game = read_sgf(b"(;SZ[4];B[aa];W[dd];AE[aa]AB[bb]AW[cc];B[ab])")
    assert game.diagram() == ". . . .\nX X . .\n. . O .\n. . . O"
    assert game.moves == [(BLACK, 4)]


def test_the_player_to_move_follows_from_the_first_move() -> None:
    assert read_sgf(b"(;SZ[9]AB[cc]AW[gg];W[ee])").start_to_play == WHITE
    assert read_sgf(b"(;SZ[9]AB[cc]AW[gg])").start_to_play == BLACK
    assert read_sgf(b"(;SZ[9]PL[W])").to_play == WHITE


def test_only_the_main_line_is_played() -> None:
    game = read_sgf(b"(;SZ[9];B[ee](;W[dd];B[cc])(;W[ff]))(;SZ[9];B[aa])")
    assert game.moves == [(BLACK, 40), (WHITE, 30), (BLACK, 20)]


def test_a_resigned_game_is_over() -> None:
    game = read_sgf(b"(;SZ[9]RE[B+R];B[ee])")
    assert game.is_over
    assert game.result() == "B+R"


# In Shift-JIS and Big5 the second byte of these characters is a backslash, which hides the bracket behind it.
@pytest.mark.parametrize(
    ("declared", "codec", "name"),
    [
        ("UTF-8", "utf-8", "柯洁 ]ü"),
        ("GB18030", "gb18030", "柯洁九段"),
        ("GB2312", "gb18030", "聂卫平"),
        ("Shift_JIS", "shift_jis", "表示ソ"),
        ("shift-jis", "cp932", "本因坊ソ"),
        ("Big5", "big5", "成功許"),
        ("ISO-8859-1", "latin-1", "Müller"),
        ("EUC-KR", "euc-kr", "이세돌"),
    ],
)
def test_encodings_declared_in_ca(declared: str, codec: str, name: str) -> None:
    escaped = name.replace("]", "\\]")
    data = f"(;CA[{declared}]SZ[9]PB[{escaped}];B[ee]C[{escaped}];W[dd])".encode(codec)
    record = read_record(data)
    assert record.black == name
    assert record.game.moves == [(BLACK, 40), (WHITE, 30)]
    assert record.tree.children[0].comment == name
    assert read_record(write_tree(record.tree)).black == name


@pytest.mark.parametrize(
    ("codec", "texts"),
    [
        (
            "gb18030",
            ["聂卫平", "柯洁", "古力", "李世石", "常昊 九段", "马晓春", "白中盘胜", "第3届春兰杯决赛", "黑胜1又3/4子"],
        ),
        ("cp932", ["本因坊秀策", "井山裕太", "趙治勲", "小林光一", "黒番中押し勝ち", "名人戦第1局", "イ・セドル"]),
        ("cp949", ["이창호", "이세돌", "박정환", "조훈현 9단", "흑 불계승", "신진서", "최정"]),
        ("cp950", ["周俊勳", "張栩", "黑中盤勝", "許皓鋐"]),
        (
            "latin-1",
            ["Müller", "André Moussa", "Škoda é à ü", "Łukasz".encode("cp1252", "replace").decode("latin-1"), "Bjørn"],
        ),
    ],
)
def test_encodings_are_guessed(codec: str, texts: list[str]) -> None:
    for text in texts:
        written = text.encode(codec, "replace")
        assert read_record(b"(;SZ[9]PB[" + written + b"];B[ee]C[" + written + b"])").black == written.decode(codec)


def test_a_collection_holds_all_its_games() -> None:
    data = b"(;SZ[9]PB[Ann];B[ee]) text between (;SZ[13]PB[Bob])(;SZ[1000]PB[Nobody])(;PB[Cid])"
    assert [(root.text("PB"), root.size) for root in read_collection(data)] == [("Ann", 9), ("Bob", 13), ("Cid", 19)]
    assert [root.text("PB") for root in read_collection(data + b"(;B[aa")] == ["Ann"]
    with pytest.raises(SgfError):
        read_collection(b"nothing")


def test_encodings_not_declared() -> None:
    assert read_record("(;SZ[9]PB[柯洁])".encode()).black == "柯洁"
    assert read_record("(;SZ[9]PB[Müller])".encode("latin-1")).black == "Müller"
    assert read_record("(;SZ[9]PB[柯洁])".encode("utf-8-sig")).black == "柯洁"
    assert read_record("(;SZ[9]PB[柯洁])".encode("utf-16")).black == "柯洁"
    assert read_record("(;CA[klingon]SZ[9]PB[柯洁])".encode()).black == "柯洁"


def games() -> list[Game]:
    plain = Game(9, komi=7, rules="chinese")
    for vertex in ("E5", "D4", "pass", "C3"):
        plain.play(vertex)
    out_of_turn = Game(13, komi=-3.5, rules=Rules(ko="simple", suicide=True, scoring="territory"))
    out_of_turn.play("A1")
    out_of_turn.play("B1", Color.BLACK)
    handicap = Game(19, komi=0.5, rules="japanese")
    handicap.place_handicap(5)
    handicap.play("R10")
    drawn = game_on(". X O .\nX . X O\n. X O .\n. . . .", "aga", WHITE, komi=2.25)
    drawn.play("B3")
    resigned = Game(9)
    resigned.play("E5")
    resigned.resign(BLACK)
    counted = Game(5, komi=0.5)
    for vertex in ("C3", "pass", "pass"):
        counted.play(vertex)
    return [plain, out_of_turn, handicap, drawn, resigned, counted, Game(25)]


def test_trees_are_written_as_sgfmill_writes_them() -> None:
    text = "(;SZ[9]CA[UTF-8]FF[4]AB[aa][bb]GM[1]C[%s](;B[cc];W[];B[dd]"
    text += "(;W[ee])(;W[ff]C[\\\\\\]\u6d32](;B[])))(;AE[aa]ZZ[]))"
    root = read_tree((text % ("long " * 30)).encode())

    def raw(node: Node) -> dict[str, list[bytes]]:
        return {name: [value.encode() for value in values] for name, values in node.properties.items()}

    coarse = sgf_grammar.make_coarse_game_tree(root, lambda node: node.children, raw)
    assert write_tree(root) == sgf_grammar.serialise_game_tree(coarse)
    assert write_tree(root).startswith(b"(;FF[4]AB[aa][bb]")


@pytest.mark.parametrize("game", games(), ids=range(len(games())))
def test_writing_then_reading_gives_the_same_game(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    tesuji.write_sgf(game, path, black="Ö", white="a]b\\c", comment="two\nlines: [x]")
    record = read_record(path)
    for same in (record.game, read_sgf(path.read_bytes())):
        assert same.moves == game.moves
        assert same.hash == game.hash
        assert (same.size, same.komi, same.rules) == (game.size, game.komi, game.rules)
        assert (same.to_play, same.start_to_play, same.handicap) == (
            game.to_play,
            game.start_to_play,
            game.handicap,
        )
        assert same.start_board == game.start_board
        assert (same.result(), same.is_over) == (game.result(), game.is_over)
    assert (record.black, record.white, record.tree.comment) == ("Ö", "a]b\\c", "two\nlines: [x]")
    assert record.result == game.result()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_whose_turn_it_is_survives_without_a_move(to_play: Color, tmp_path: Path) -> None:
    game = Game(9)
    game.setup(black=["E5"], to_play=to_play)
    write_sgf(game, tmp_path / "turn.sgf")
    assert read_sgf(tmp_path / "turn.sgf").to_play == to_play


def test_a_stated_result_replaces_the_count() -> None:
    game = Game(9)
    assert read_record(write_tree(tree_of(game, result="W+3.5"))).result == "W+3.5"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no SGF data"),
        (b"hello", "no SGF data"),
        (bytes(range(256)) * 100, "SGF"),
        (b"(;SZ[9];B[ee];W[d", "unexpected end"),
        (b"(;SZ[9];B[ee];W[dd]", "unexpected end"),
        (b"(;SZ[9];B[ee]W", "unexpected end"),
        (b"(;SZ[9];B)", "property with no values"),
        (b"(;SZ[0])", "size 0"),
        (b"(;SZ[1])", "size 1;"),
        (b"(;SZ[26])", "size 26"),
        (b"(;SZ[19:13])", "square"),
        (b"(;SZ[nine])", "board size 'nine'"),
        (b"(;SZ[])", "board size"),
        (b"(;SZ[" + b"9" * 5000 + b"])", "board size"),
        (b"(;GM[2]SZ[9])", "not Go"),
        (b"(;SZ[9];B[ee];W[ee])", "move 2, White E5: occupied"),
        (b"(;SZ[9];B[zz])", "'zz' is not a point of a 9x9 board"),
        (b"(;SZ[9];B[e])", "'e' is not a point"),
        (b"(;SZ[9]AB[cc:aa])", "rectangle"),
        (b"(;SZ[9]AB[tt])", "not a point"),
        (b"(;SZ[2]AB[aa][ab][ba][bb])", "no liberty"),
    ],
)
def test_a_broken_file_gets_an_error_naming_file_and_fault(data: bytes, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.sgf"
    path.write_bytes(data)
    with pytest.raises(SgfError, match=fault) as error:
        read_sgf(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(SgfError, match=fault):
        read_sgf(data)


def test_a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        read_sgf(tmp_path / "nothing.sgf")


@pytest.mark.parametrize("unit", [b"[", b"(", b"(;", b"[]", b"(;B[aa]", b"]", b")", b"\\", b";"])
def test_fifty_megabytes_of_brackets_are_refused_quickly(unit: bytes) -> None:
    data = b"(;" + unit * (50_000_000 // len(unit))
    begin = time.process_time()
    with pytest.raises(SgfError):
        read_sgf(data)
    assert time.process_time() - begin < 10


def test_a_deep_tree_is_no_trouble() -> None:
    depth = 20_000
    root = read_tree(b"(;SZ[9]" + b"(;C[x]" * depth + b")" * depth + b")")
    assert len(root.main_line()) == depth + 1
    assert len(read_tree(write_tree(root)).main_line()) == depth + 1


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_sgf(Game(9), tmp_path / "no" / "folder.sgf")
    assert list(tmp_path.iterdir()) == []


def test_the_game_at_any_node() -> None:
    root = read_tree(b"(;SZ[9]KM[5.5]RU[AGA];B[ee](;W[dd];B[cc])(;W[ff]C[or here]))")
    variation = root.children[0].children[1]
    game = game_at(variation)
    assert game.moves == [(BLACK, 40), (WHITE, 50)]
    assert (game.komi, game.rules.name) == (5.5, "aga")
