"""SGF is read twice, for people with all its variations and for packing with speed: both must read the same game."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from tesuji import BLACK, PASS, WHITE, Color, Game, GameSet, Rules
from tesuji.go.rules import rules_to_sgf
from tesuji.go.sgf.files import SgfError, read_record
from tesuji.training.data.packing import pack


@dataclass(frozen=True)
class Facts:
    """What a reader understood."""

    komi: float | None
    rules: Rules | None
    result: str | None
    moves: list[tuple[int, int]]
    black: list[int]
    white: list[int]
    to_play: Color

    @classmethod
    def of(cls, game: Game, komi: float | None, rules: Rules | None, result: str | None) -> "Facts":
        stones = [sorted(game.board.stones(color)) for color in (BLACK, WHITE)]
        moves = [(int(color), move) for color, move in game.moves]
        return cls(komi, rules, result, moves, stones[0], stones[1], game.to_play)


def by_python(text: str) -> Facts | None:
    try:
        record = read_record(text.encode())
    except SgfError:
        return None
    return Facts.of(record.game, record.komi, record.rules, record.result)


def by_core(text: str, folder: Path) -> Facts | None:
    (folder / "one.sgf").write_text(text)
    try:
        pack([folder / "one.sgf"], folder / "one.games", threads=1)
    except ValueError:
        return None
    record = GameSet(folder / "one.games").record(0)
    return Facts.of(record.game(), record.komi, record.rules, record.result or None)


KOMI = {
    "": None, "6.5": 6.5, "6,5": 6.5, "+6.5": 6.5, " -2.5 ": -2.5, ".5": 0.5, "6.": 6, "0": 0, "1000": 1000,
    "1001": None, "abc": None, "nan": None, "inf": None, "1e1": None, "1_0": None, "+-5": None, "6 1/2": None,
    "6½": None, "6.5 points": None, "9" * 400: None,
}  # fmt: skip
NAMED_RULES = {
    "Chinese": "chinese", "Japanese rules": "japanese", "ChineseRules": "chinese", "AGA 2008": "aga",
    "nz": "new-zealand", "New Zealand": "new-zealand", "tromp_taylor": "tromp-taylor", "Ing": None, "": None,
    "rules": None, "ko=fast suicide=no scoring=area": None, "ko=simple": None,
}  # fmt: skip
ALL_RULES = [
    Rules(ko=ko, suicide=suicide, scoring=scoring)
    for ko, suicide, scoring in product(("simple", "positional", "situational"), (True, False), ("area", "territory"))
]
CASES: list[tuple[str, str, object]] = [
    *((f"KM[{text}];B[ee]", "komi", komi) for text, komi in KOMI.items()),
    *((f"RU[{text}];B[ee]", "rules", name and Rules.named(name)) for text, name in NAMED_RULES.items()),
    *((f"RU[{rules_to_sgf(rules)}];B[ee]", "rules", rules) for rules in ALL_RULES),
    ("RU[ ko=simple suicide=yes scoring=area ]", "rules", Rules(ko="simple", suicide=True, scoring="area")),
    ("AB[];B[ee]", "moves", [(1, 40)]),
    ("AB[ ]AW[]AE[]", "to_play", BLACK),
    ("AB[][ee]", "black", [40]),
    ("AB[ ee ]AW[aa:bb]", "white", [0, 1, 9, 10]),
    (";B[ee];W[cc]AB[];B[dd]", "moves", [(1, 40), (2, 20), (1, 30)]),
    (";B[ee];AE[];W[cc]", "moves", [(1, 40), (2, 20)]),
    (";B[ ];W[ ee ]", "moves", [(1, PASS), (2, 40)]),
    ("AB[ee]", "to_play", WHITE),
    ("AB[ee]AW[cc]", "to_play", BLACK),
    *((f"AB[ee]PL[{text}]", "to_play", BLACK) for text in ("B", "black", " b", "1")),
    *((f"AW[ee]PL[{text}]", "to_play", WHITE) for text in ("W", "white", " w", "2")),
    ("RE[b+3,5]", "result", "B+3.5"),
    *((f"AB[{text}]", "", None) for text in ("cc:aa", "ca:ac", "aa:", ":aa", "tt", "a", "EE")),
]


@pytest.mark.parametrize(("text", "fact", "expected"), CASES, ids=[text[:40] for text, _, _ in CASES])
def test_both_readers_agree(text: str, fact: str, expected: object, tmp_path: Path) -> None:
    text = f"(;SZ[9]{text})"
    understood = by_python(text)
    assert by_core(text, tmp_path) == understood
    if fact:
        assert understood is not None
        assert getattr(understood, fact) == expected
    else:
        assert understood is None
