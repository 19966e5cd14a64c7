"""SGF is read twice, for people with all its variations and for packing with speed: both must read the same game."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from tesuji import BLACK, PASS, WHITE, Color, Game, GameSet, Rules
from tesuji.go.sgf.files import SgfError, read_record
from tesuji.training.data.packing import pack


@dataclass(frozen=True)
class Facts:
    """What a reader understood."""

    komi: float | None
    played_komi: float
    """What the game is played with: the usual one where none is stated."""
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
        return cls(komi, game.komi, rules, result, moves, stones[0], stones[1], game.to_play)


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
    *((f"RU[{rules.sgf}];B[ee]", "rules", rules) for rules in ALL_RULES),
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
    ("RU[Korean]", "rules", Rules.named("korean")),
    ("KM[6.5]KM[7.5]", "komi", 6.5),
    ("KM[6.5][7.5]", "komi", 6.5),
    ("KM[6.5];B[ee]KM[7.5]", "komi", 6.5),
    ("KM[?];B[ee]KM[7.5]", "komi", None),
    (";B[ee]KM[5.5]", "komi", 5.5),
    ("RE[W+R]RE[B+R]", "result", "W+R"),
    ("RE[?];B[ee]RE[B+2]", "result", None),
    ("RU[Japanese]RU[Chinese]", "rules", Rules.named("japanese")),
    ("RE[B\\+3.5]", "result", "B+3.5"),
    ("RU[Japa\\nese]", "rules", Rules.named("japanese")),
    ("KM[6\\.5]", "komi", 6.5),
    ("AB[ee]AW[ee]", "", None),
    ("AE[ee]AB[ee]", "black", [40]),
    ("AB[ee]AE[ee]", "black", [40]),
    ("AB[ee];AE[ee]", "black", []),
    ("AB[ee];AW[ee]", "white", [40]),
    (";B[ee]SZ[19];W[cc]", "moves", [(1, 40), (2, 20)]),
    (";W[cc]B[ee]", "moves", [(1, 40), (2, 20)]),
    (";B[ee]AB[cc]", "black", [20, 40]),
    ("HA[2]AB[ee][cc]", "played_komi", 0.5),
    ("AB[ee][cc];W[dd]", "played_komi", 0.5),
    ("HA[0]", "played_komi", 7.0),
    ("HA[1];B[ee]", "played_komi", 7.0),
    ("HA[3]", "played_komi", 0.5),
    ("HA[two]", "played_komi", 7.0),
    ("RU[Japanese]", "played_komi", 6.5),
    ("RU[Korean]HA[2]AB[ee][cc]", "played_komi", 0.5),
    ("AB[ee]AW[cc]PL[B]", "played_komi", 7.0),
    *((f"AB[{text}]", "", None) for text in ("cc:aa", "ca:ac", "aa:", ":aa", "tt", "a", "EE")),
]


# How people write the side, what stands between, and the margin or the way it ended -> what we write after `B+`.
SIDES = {"B": "B", "b": "B", "Black": "B", "W": "W", "w": "W", "WHITE": "W"}
JOINTS = ("+", " + ", "+ ", " +")
MARGINS = {
    "3.5": "3.5", "3,5": "3.5", "3.50": "3.5", "12": "12", "12.": "12", ".5": "0.5", "0.5 points": "0.5",
    "3.5 points": "3.5", "1 point": "1", "2pts": "2", "4 moku": "4", "2.5 (moves beyond 250 unknown)": "2.5",
    "2.5 {so it says}": "2.5", "0": None, "0.0": None, "0,0 points": None,
    "R": "R", "r": "R", "Resign": "R", "resignation": "R", "T": "T", "Time": "T",
    "F": "F", "Forfeit": "F", "forfeit ": "F",
    "": "", "?": "", "-3.5": "", "+3.5": "", "3 1/2": "", "3½": "", "3 zi": "", "nan": "", "inf": "", "1e3": "",
    "9" * 50: "", "something": "",
}  # fmt: skip
RESULTS: dict[str, str | None] = {
    **{
        f"{side}{joint}{text}": "0" if margin is None else f"{letter}+{margin}"
        for (side, letter), joint, (text, margin) in product(SIDES.items(), JOINTS, MARGINS.items())
    },
    **dict.fromkeys(("0", "0.0", " 0 ", "Draw", "draw", "DRAW", "jigo", "Jigo", "JIGO", "Tie"), "0"),
    **dict.fromkeys(("", "?", "Void", "void", "Unknown", "B", "W", "3.5", "BW+3", "Bob+3.5", "+3.5", "B-3")),
}


def test_both_readers_agree_on_every_form_of_a_result(tmp_path: Path) -> None:
    games = [f"(;SZ[9]RE[{text}];B[ee])" for text in RESULTS]
    assert len(games) > 800
    (tmp_path / "all.sgf").write_text("".join(games))
    pack([tmp_path / "all.sgf"], tmp_path / "all.games", threads=1, drop_duplicates=False)
    packed = GameSet(tmp_path / "all.games")
    by_bulk = {text: packed.record(number).result or None for number, text in enumerate(RESULTS)}
    by_tree = {text: read_record(game.encode()).result for text, game in zip(RESULTS, games, strict=True)}
    assert by_bulk == RESULTS
    assert by_tree == RESULTS


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
