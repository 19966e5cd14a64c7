"""Words of the page: every language complete, every string used, and none written beside the tables."""

import ast
import pickle
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import tesuji
from tests.interfaces.web_parts import heard
from tesuji import BLACK, WHITE
from tesuji.go.errors import PointError, RecordedMoveError
from tesuji.go.rules import NAMES
from tesuji.go.sgf.text import SgfError
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.levels import LEVELS
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.views import komi_curve_svg
from tesuji.interfaces.web.page.networks_dialog import facts_html
from tesuji.interfaces.web.words.words import WordedError, Words, english, in_english, languages, words_for

WEB = Path(tesuji.__file__).parent / "interfaces" / "web"
SOURCES = sorted(WEB.rglob("*.py"))
SCRIPTS = sorted((WEB / "page" / "static").glob("*.js"))
FOR_PROGRAMS = {"api.py", "api_models.py", "keys.py", "run.py", "sgf_notes.py", "store.py", "security.py"}
"""What these say goes to programs, files and the terminal."""
OTHERS = [words for code, words in languages().items() if code != "en"]


def forms(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def braces(entry: str | dict[str, str]) -> set[str]:
    return {name for text in forms(entry) for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_languages_promised_are_there() -> None:
    assert set(languages()) >= {"en", "ja", "zh", "ko", "fr", "de"}


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: words.code)
def test_a_language_has_every_string_and_no_other(words: Words) -> None:
    ours, theirs = english().entries, words.entries
    assert sorted(set(ours) - set(theirs)) == [], f"missing in {words.code}.toml"
    assert sorted(set(theirs) - set(ours)) == [], f"unknown in {words.code}.toml"
    assert [key for key in ours if braces(ours[key]) != braces(theirs[key])] == []
    assert [key for key in ours if isinstance(ours[key], dict) != isinstance(theirs[key], dict)] == []


@pytest.mark.parametrize("words", languages().values(), ids=lambda words: words.code)
def test_strings_are_whole(words: Words) -> None:
    for key, entry in words.entries.items():
        if isinstance(entry, dict):
            assert set(entry) == {"one", "other"}, key
        for text in forms(entry):
            assert text.strip() == text != "", key
            assert '"' not in text, key  # a label stands in quotes; the marks of the language do not harm


@pytest.mark.parametrize("code", ["ja", "zh"])
def test_signs_are_as_wide_as_the_letters_beside_them(code: str) -> None:
    letters = r"[\u3040-\u30ff\u4e00-\u9fff}]"
    beside = re.compile(rf"{letters} ?([,;:!(]|\?(?!token))|[)!?]{letters}")
    narrow = {key: entry for key, entry in languages()[code].entries.items() if any(map(beside.search, forms(entry)))}
    assert narrow == {}


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: words.code)
def test_a_language_is_not_english_under_another_name(words: Words) -> None:
    same = [
        key
        for key, entry in english().entries.items()
        if entry == words.entries[key] and re.search("[a-z]{4}", str(entry))
    ]
    assert len(same) < 0.1 * len(words.entries), same


def keys_used() -> Iterator[re.Pattern[str]]:
    """Keys in the code, those with a part filled in as patterns."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
                yield re.compile(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(one.value)) if isinstance(one, ast.Constant) else r"[\w-]+" for one in node.values
                ]
                yield re.compile("".join(parts))
    yield re.compile(r"illegal\.\w+")
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        yield from (re.compile(f"browser.{name}") for name in re.findall(r"""(?:tesujiWord|say)\(\\?["'](\w+)""", text))


def test_every_string_is_used() -> None:
    sections = {key.partition(".")[0] for key in english().entries}
    used = [one for one in keys_used() if one.pattern.replace("\\", "").partition(".")[0] in sections]
    unused = [key for key in english().entries if not any(one.fullmatch(key) for one in used)]
    assert unused == []


def test_every_string_that_is_used_is_in_the_table() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name_of(node.func) in {"words", "_words", "WordedError"} and node.args:
                keys = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                if not isinstance(node.args[0], ast.JoinedStr | ast.Name | ast.Attribute | ast.Subscript):
                    asked = [str(key) for key in keys if "." in str(key)]
                    assert [key for key in asked if key not in english().entries] == [], path
    for path in SCRIPTS:
        for name in re.findall(r"""(?:tesujiWord|say)\(\\?["'](\w+)""", path.read_text(encoding="utf-8")):
            assert f"browser.{name}" in english().entries, path


def test_levels_and_rules_have_names_everywhere() -> None:
    for words in languages().values():
        assert all(one.title(words) and one.about(words) for one in LEVELS)
        assert all(words(f"rules.{name}") for name in NAMES)


def test_a_level_that_reads_says_how_much() -> None:
    for words in languages().values():
        assert all(str(one.visits) in one.about(words) for one in LEVELS if one.visits)


def name_of(function: ast.expr) -> str:
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


QUIET = {
    "props",
    "classes",
    "style",
    "InputError",
    "ValueError",
    "OSError",
    "SgfError",
    "warning",
    "exception",
    "Literal",
}
"""Calls whose strings no visitor reads; labels inside `props` are looked for apart."""
LABEL = re.compile(r"""(?:aria-label|placeholder|label|title)=["'][^"'{]*[A-Za-z]""")
SPEECH = re.compile(r"[A-Z]?[a-z]+ [a-z]{2,}|^[A-Z][a-z]{2,}$|^[A-Z][a-z]+ ")
NAMES_OF_THINGS = {
    "Tesuji",
    "GNU Go 3.8",
    "Finding",
    "Session",
    "Setup",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
}
NAMES_OF_THINGS |= {"Backspace", "PageUp", "PageDown", "Home", "End", "Enter", "Escape", "Delete", "Bearer "}


def literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings of the code that might be read by a visitor."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.Raise | ast.Assert | ast.Subscript):
            continue
        if isinstance(node, ast.Call) and name_of(node.func) in QUIET:
            yield from (one for one in ast.walk(node) if isinstance(one, ast.Constant) and LABEL.search(str(one.value)))
            yield from literals(node.func)
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None  # a type may be written as a string
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_speech(node.value):
            yield node
        yield from literals(node)


def is_speech(text: str) -> bool:
    return text not in NAMES_OF_THINGS and text.lstrip()[:1] != "<" and bool(SPEECH.search(text) or LABEL.search(text))


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.name not in FOR_PROGRAMS], ids=lambda path: path.name
)
def test_no_string_for_visitors_stands_in_the_code(path: Path) -> None:
    found = [
        f"{path.name}:{one.lineno}: {one.value!r}" for one in literals(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == [], "write them into words/en.toml"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_string_for_visitors_stands_in_the_scripts(path: Path) -> None:
    text = re.sub(r"(?m)(^|\s)//.*$|/\*.*?\*/", "", path.read_text(encoding="utf-8"))
    between_tags = re.findall(r">([^<>{}`]*[A-Za-z]{3,}[^<>{}`]*)</", text)
    labels = re.findall(r"""(?<![:\w-])(?:aria-label|title|placeholder)="[^"]*[A-Za-z][^"]*\"""", text)
    spoken = re.findall(r"""["'`]([A-Z][a-z]+ [a-z][^"'`]*)["'`]""", text)
    assert between_tags + labels + spoken == []


@pytest.mark.parametrize(
    ("chosen", "accepted", "code"),
    [
        ("", "", "en"),
        ("", "de-DE,de;q=0.9,en;q=0.8", "de"),
        ("", "en;q=0.2,ko;q=0.9", "ko"),
        ("", "pt-BR,zh-CN;q=0.9", "zh"),
        ("", "xx,,;;q=zzz, fr ;q=0.1", "fr"),
        ("", "fr;q=0", "en"),
        ("ja", "de", "ja"),
        ("nowhere", "de", "de"),
    ],
)
def test_the_language_is_chosen_or_the_browsers(chosen: str, accepted: str, code: str) -> None:
    assert words_for(chosen, accepted).code == code


def test_numbers_and_forms_follow_the_language() -> None:
    words = english()
    assert words.result("B+1") == "Black wins by 1 point"
    assert words.number(3.14159, 1) == "3.1"
    for code, said in (("de", "Weiß gewinnt mit 3,5 Punkten"), ("fr", "Blanc gagne de 3,5 points")):
        assert languages()[code].result("W+3.5") == said


def test_scores_and_counts_have_the_decimal_mark_of_the_language() -> None:
    german = languages()["de"]
    assert (german.score(-2.53), english().score(4)) == ("W+2,5", "B+4.0")
    assert [german.short_count(count) for count in (999, 4711, 250_000)] == ["999", "4,7k", "250k"]


def test_the_curve_of_komi_has_percent_as_the_language_writes_them() -> None:
    for words in languages().values():
        assert f">{words.percent(0.5)}</text>" in komi_curve_svg([(5.0, 0.6), (7.0, 0.4)], 6.0, words)


def test_a_fault_is_told_in_the_visitors_language() -> None:
    session = Session(Setup(size=5, black=Setup().black, white=Setup().black))
    said = heard(session, "de")
    session.play(12)
    session.play(12)
    session.words = words_for("de")
    assert session.words("illegal.occupied") in said[0]
    with pytest.raises(WordedError, match="boards have 2 to 25") as fault:
        Setup(size=1)
    assert session.words.fault(fault.value) == session.words("new_game.bad_size", size=1)
    assert session.words.color(BLACK) != session.words.color(WHITE)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (b"hello", "open.unsound"),
        (b"(;GM[3]SZ[9])", "open.not_go"),
        (b"(;SZ[9:13];B[aa])", "open.board"),
        (b"(;SZ[40];B[aa])", "open.board"),
    ],
)
def test_why_a_record_cannot_be_opened_is_told_in_the_visitors_language(record: bytes, key: str) -> None:
    with pytest.raises(SgfError) as fault:
        Record.from_sgf(record)
    for words in languages().values():
        assert words.fault(fault.value) == words(key)
    assert pickle.loads(pickle.dumps(fault.value)).kind == fault.value.kind


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (b"(;SZ[9];B[aa];W[aa])", RecordedMoveError(2, WHITE, "A9", "occupied")),
        (b"(;SZ[9];B[zz])", PointError("zz", 9)),
    ],
)
def test_a_bad_move_in_a_record_is_told_in_the_visitors_language(record: bytes, fault: Exception) -> None:
    with pytest.raises(type(fault), match=str(fault)) as found:
        Record.from_sgf(record)
    told = {words.fault(found.value) for words in languages().values()}
    assert len(told) == len(languages())
    for words in languages().values():
        assert words.fault(pickle.loads(pickle.dumps(found.value))) in told
        assert in_english(fault) not in words.fault(fault) or words.code == "en"


def test_a_bad_move_names_number_colour_and_rule() -> None:
    german = languages()["de"]
    assert german.fault(RecordedMoveError(2, WHITE, "A9", "occupied")) == "Zug 2, Weiß A9: besetzt"
    assert german.fault(RecordedMoveError(3, BLACK, "pass", "ko")) == f"Zug 3, Schwarz {german('game.pass')}: Ko"
    assert len(german.fault(PointError("z" * 1000, 9))) < 80


def test_lists_have_the_comma_of_the_language() -> None:
    said = {code: words.listed(["C3", "", "D4"]) for code, words in languages().items()}
    assert said["de"] == "C3, D4"
    assert said["ja"] == said["zh"] == "C3、D4"


def test_what_is_known_of_a_network_is_told_in_the_visitors_language(network_file: Path) -> None:
    networks = Networks(str(network_file))
    facts = networks.facts(networks.names()[0])
    german = languages()["de"]
    assert german("networks.any_board", size=facts.size) in facts_html(facts, 100, german)


def test_players_are_called_in_the_visitors_language() -> None:
    session = Session()
    session.speak(words_for("ja"))
    assert [session.record.root.text(name) for name in ("PB", "PW")] == ["あなた", "Tesuji\uff08強い\uff09"]
    session.record.root.set_text("PB", "Ann")  # a name somebody wrote stays
    session.speak(words_for("fr"))
    assert [session.record.root.text(name) for name in ("PB", "PW")] == ["Ann", "Tesuji (Fort)"]


def test_one_prisoner_is_one_prisoner() -> None:
    told = {"color": "X", "territory": 3}
    said = {code: words("count.territory", count=1, **told) for code, words in languages().items()}
    assert said["en"] == "X: 3 + 1 prisoner"
    assert said["de"] == "X: 3 + 1 Gefangener"
    assert said["fr"] == "X : 3 + 1 prisonnier"
    assert english()("count.area_komi", count=2, komi=7.5, **told) == "X: 2 stones + 3 territory + 7.5 komi"
