"""The frame of GTP, arguments and analysis lines: text in, text out, no engine."""

import json

import numpy as np
import pytest

from tesuji import BLACK, PASS, WHITE, Game, Rules
from tesuji.interfaces.engine.kata_rules import kata_rules
from tesuji.interfaces.gtp.analysis_request import AnalysisRequest, MoveList, parse_analysis
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.commands.kata import parse_rules
from tesuji.interfaces.gtp.engine import Engine
from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.parameters import Parameters
from tesuji.interfaces.gtp.picture import board_picture
from tesuji.interfaces.gtp.protocol import GtpError, commands_of, failure, parse, success
from tesuji.interfaces.gtp.report import cgos_line, kata_line, lz_line, shown_moves
from tesuji.search.options import SearchOptions
from tesuji.search.result import RootMove, SearchResult


@pytest.mark.parametrize(
    ("line", "id", "name", "words"),
    [
        ("play b D4", "", "play", ["b", "D4"]),
        ("17 play b D4\r", "17", "play", ["b", "D4"]),
        ("  17\tplay\tb  D4 # a remark", "17", "play", ["b", "D4"]),
        ("na\x00me\x07", "", "name", []),
        ("# only a comment", "", "", []),
        ("", "", "", []),
        ("123456789012345678901234567890 name", "123456789012345678901234567890", "name", []),
        ("12", "12", "", []),
        ("1a name", "", "1a", ["name"]),
        ("-1 name", "", "-1", ["name"]),
    ],
)
def test_a_line_is_an_id_a_command_and_words(line: str, id: str, name: str, words: list[str]) -> None:
    request = parse(line)
    assert (request.id, request.name, request.words) == (id, name, words)


def test_an_answer_ends_with_an_empty_line_and_contains_none() -> None:
    assert success("5", "D4") == "=5 D4\n\n"
    assert success("", "") == "=\n\n"
    assert success("1", "a\n\n  \nb\n") == "=1 a\nb\n\n"
    assert success("", "\nA B\n. .") == "=\nA B\n. .\n\n"


def test_a_refusal_is_one_line() -> None:
    assert failure("7", "illegal move\nat D4\r\n\n") == "?7 illegal move at D4\n\n"
    assert failure("", "") == "? error\n\n"


def test_every_command_the_clients_need_is_offered() -> None:
    needed = """protocol_version name version known_command list_commands quit boardsize clear_board komi fixed_handicap
        place_free_handicap set_free_handicap play genmove undo time_settings time_left final_score final_status_list
        loadsgf reg_genmove showboard gg-undo printsgf set_position rectangular_boardsize get_komi kgs-time_settings
        kgs-rules kgs-genmove_cleanup kgs-game_over kata-list_time_settings kata-time_settings kata-get-rules
        kata-set-rules lz-analyze lz-genmove_analyze kata-analyze kata-genmove_analyze kata-search_analyze kata-raw-nn
        kata-get-param kata-set-param stop clear_cache cputime gomill-cpu_time gomill-explain_last_move
        gomill-describe_engine gogui-analyze_commands gogui-interrupt cgos-genmove_analyze"""
    assert set(needed.split()) <= set(commands_of(Engine))


@pytest.mark.parametrize("name", ["analyze", "kgs-chat"])
def test_what_would_mislead_a_client_is_not_offered(name: str) -> None:
    assert name not in commands_of(Engine)


def test_arguments_are_read_in_any_case() -> None:
    arguments = Arguments(["White", "d4", "PASS", "7.5", "12"])
    assert arguments.color() == WHITE
    assert arguments.move(9) == 48
    assert arguments.move(9) == PASS
    assert arguments.number("komi") == 7.5
    assert arguments.integer("count") == 12
    assert not arguments


@pytest.mark.parametrize(
    ("read", "word"),
    [
        ("color", "purple"),
        ("color", ""),
        ("move", "I5"),
        ("move", "K10"),
        ("move", "a"),
        ("point", "pass"),
        ("number", "nan"),
        ("number", "inf"),
        ("number", "1e99"),
        ("number", "seven"),
        ("integer", "9.5"),
        ("integer", "9" * 5000),
        ("integer", "0x9"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(read: str, word: str) -> None:
    arguments = Arguments([word] if word else [])
    argument = {"color": (), "move": (9,), "point": (9,), "number": ("komi",), "integer": ("size",)}[read]
    with pytest.raises(GtpError):
        getattr(arguments, read)(*argument)


def analysis(text: str) -> object:
    return parse_analysis(Arguments(text.split()), 9)


@pytest.mark.parametrize("text", ["b 50", "50 b", "interval 50 b", "B interval 50", "black 50"])
def test_analysis_arguments_come_in_any_order(text: str) -> None:
    request = parse_analysis(Arguments(text.split()), 9)
    assert (request.color, request.interval) == (BLACK, 0.5)


def test_analysis_arguments_may_be_absent() -> None:
    request = parse_analysis(Arguments([]), 9)
    assert request.color is None
    assert request.interval is None


def test_analysis_restrictions_are_kept_as_asked() -> None:
    text = "10 avoid b D4,pass 1 allow w E5 3 minmoves 3 maxmoves 7"
    request = parse_analysis(Arguments(text.split()), 9)
    assert request.restrictions == [
        MoveList(BLACK, frozenset({48, PASS}), allow=False, depth=1),
        MoveList(WHITE, frozenset({40}), allow=True, depth=3),
    ]
    assert (request.min_moves, request.max_moves) == (3, 7)


@pytest.mark.parametrize("text", ["sideways", "avoid b", "avoid b Z9 1", "ownership maybe", "maxmoves 0", "interval x"])
def test_analysis_arguments_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(GtpError):
        analysis(text)


def found() -> tuple[SearchResult, list[RootMove]]:
    position = Game(9)
    position.to_play = WHITE
    moves = (
        RootMove(48, 100, 0.46561, 0.0839, 0.01, 0.6, None, (48, 40, PASS)),
        RootMove(PASS, 19, 0.25, 1.0, 2.5, None),
    )
    owned = np.zeros((9, 9), np.float32)
    owned[0, 0], owned[8, 8] = -1, 1
    result = SearchResult(
        position=position,
        move=48,
        moves=moves,
        value=0.4656,
        root_visits=120,
        descents=120,
        evaluations=120,
        seconds=1.0,
        depth=3,
        nodes=120,
        memory=0,
        memory_full=False,
        black_score=0.61,
        black_ownership=owned,
        network_value=0.5,
    )
    return result, shown_moves(result, AnalysisRequest())


def test_leela_zeros_lines_are_whole_numbers() -> None:
    assert lz_line(*found()) == (
        "info move D4 visits 100 winrate 4656 prior 839 lcb 4558 order 0 pv D4 E5 pass "
        "info move pass visits 19 winrate 2500 prior 10000 lcb 0 order 1 pv pass"
    )


def test_katagos_lines_end_with_the_variation_unless_more_is_asked() -> None:
    line = kata_line(*found())
    assert line.endswith("order 1 pv pass")
    assert "winrate 0.46561 scoreMean -0.6 scoreStdev 0 scoreLead -0.6" in line
    assert "ownership" not in line
    assert "rootInfo" not in line


def test_ownership_and_root_follow_when_asked() -> None:
    line = kata_line(*found(), ownership=True, root_info=True)
    assert " rootInfo visits 120 " in line
    numbers = line.partition(" ownership ")[2].split()
    assert len(numbers) == 81
    assert (numbers[0], numbers[-1]) == ("1", "-1")


def test_cgos_reads_one_line_of_json() -> None:
    line = cgos_line(*found())
    assert "\n" not in line
    content = json.loads(line)
    assert set(content) == {"moves", "winrate", "score", "visits", "ownership"}
    assert content["moves"][0] == {
        "move": "D4",
        "winrate": 0.46561,
        "score": -0.6,
        "prior": 0.0839,
        "visits": 100,
        "pv": "E5 pass",
    }
    assert (content["ownership"][0], content["ownership"][1], content["ownership"][-1]) == ("+", "f", "A")


@pytest.mark.parametrize("name", ["tromp-taylor", "chinese", "japanese", "korean", "aga", "new-zealand"])
def test_rules_go_to_katagos_words_and_back(name: str) -> None:
    rules = Rules.named(name)
    words = json.dumps(kata_rules(rules).as_json())
    assert parse_rules(words, Rules()).plays_like(rules)
    assert parse_rules(words, rules) == rules  # Korean stays Korean
    assert parse_rules(name, Rules()) == rules


@pytest.mark.parametrize("text", ["", "go", "{", "[1]", '{"ko":"EIGHT"}', '{"hasButton":true}', '{"tax":"ALL"}'])
def test_rules_we_do_not_play_are_refused(text: str) -> None:
    with pytest.raises(GtpError):
        parse_rules(text, Rules())


def test_parameters_are_set_by_katagos_names() -> None:
    parameters = Parameters.of(GtpOptions(search=SearchOptions(visits=100)))
    parameters.set("maxTime", "2.5")
    parameters.set("ponderingEnabled", "true")
    assert [parameters.text(name) for name in ("maxVisits", "maxTime", "ponderingEnabled")] == ["100", "2.5", "true"]
    for name, value in [("maxVisits", "-1"), ("maxTime", "nan"), ("ponderingEnabled", "2"), ("noSuch", "1")]:
        with pytest.raises(GtpError):
            parameters.set(name, value)


def test_the_board_in_text_marks_the_last_move() -> None:
    game = Game(size=5)
    game.play("C3")
    game.play("A1")
    picture = board_picture(game)
    assert picture.startswith("\n   A B C D E\n 5 . . . . . 5\n")
    assert " 3 . . X . . 3\n" in picture
    assert " 1(O). . . . 1\n" in picture
    assert "Last move: White A1" in picture
