"""Every string that a visitor reads, in the visitor's language: one file `words/<code>.toml` for each language.

A new string: write it into `en.toml` under a section and a name of its own, use it as `words("section.name")`, with
what stands in braces given by name: `words("walk.place", number=3, total=9)`. Then write it into the other files; the
test `tests/interfaces/test_web_words.py` names what is missing, unused, or fills other braces. `session.words` holds
the language of the visitor; JavaScript says `tesujiWord("name", { size: 3 })` and sees the section `browser` alone.
Where a count decides about the form, the entry is a table, `{ one = "{count} point", other = "{count} points" }`, used
as `words("section.points", count=2)`. Floats come out with the decimal mark of the language; `words.number` rounds
them. Keys are written out where they are used, or as `f"section.{name}"`, so that the test finds them.
A new language: a new file with all strings; nothing else.
"""

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tesuji import BLACK, PASS, Color
from tesuji.base.errors import InputError
from tesuji.base.toml import read_toml
from tesuji.go.coordinates import vertex_text
from tesuji.go.errors import IllegalMoveError, PointError, RecordedMoveError
from tesuji.go.results import VOID, parse_result, score_text, winner_of
from tesuji.go.sgf.text import SgfError

FOLDER = Path(__file__).parent
LONGEST_QUOTE = 12  # letters of a file in a sentence of ours
_HOW = {"R": "result.by_resignation", "T": "result.on_time", "F": "result.by_forfeit", "": "result.wins"}


class Words:
    """The strings of one language."""

    def __init__(self, code: str, table: dict[str, Any]) -> None:
        about = table["language"]
        self.code = code
        self.name: str = about["name"]
        """What its speakers call the language."""
        self.tag: str = about["tag"]
        """As the web names it: `zh-CN`."""
        self.decimal: str = about["decimal"]
        """Between the whole and the parts of a number."""
        self._comma: str = about.get("comma", ", ")
        self._one_below: float = about.get("one_below", 0)
        self.entries: dict[str, str | dict[str, str]] = {
            f"{section}.{name}": text
            for section, texts in table.items()
            if section != "language"
            for name, text in texts.items()
        }

    def __call__(self, key: str, /, **values: Any) -> str:
        """The string of this key, its braces filled."""
        text = self.entries[key]
        if isinstance(text, dict):
            text = text["one" if self._is_one(values["count"]) else "other"]
        said = {name: self.number(value) if isinstance(value, float) else value for name, value in values.items()}
        return text.format(**said) if said else text

    def _is_one(self, count: float) -> bool:
        return count == 1 or abs(count) < self._one_below

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as people write it here, rounded to `digits` after the decimal mark."""
        return (f"{value:g}" if digits is None else f"{value:.{digits}f}").replace(".", self.decimal)

    def percent(self, share: float, digits: int = 0) -> str:
        """`63 %`."""
        return self("number.percent", share=self.number(100 * share, digits))

    def short_count(self, count: int) -> str:
        """1234 -> `1.2k`."""
        if count < 1000:
            return str(count)
        return f"{self.number(count / 1000, 1 if count < 100_000 else 0)}k"

    def score(self, black_score: float) -> str:
        """Who leads by how much, as results are written: `W+2.5`."""
        return score_text(black_score, decimals=1).replace(".", self.decimal)

    def listed(self, parts: Iterable[str]) -> str:
        """What is not empty, one after the other: `C3, D4`."""
        return self._comma.join(part for part in parts if part)

    def told(self, sentences: Iterable[str]) -> str:
        """Sentences that are not empty, one after the other: without a space where a full stop brings its own."""
        return ("" if self._comma == "、" else " ").join(one for one in sentences if one)

    def color(self, color: Color) -> str:
        """Black or White."""
        return self("color.black" if color == BLACK else "color.white")

    def move(self, move: int, size: int) -> str:
        """A point as players write it, or the word for a pass."""
        return self("game.pass") if move == PASS else vertex_text(move, size)

    def result(self, result: str) -> str:
        """`W+3.5` -> `White wins by 3.5 points`."""
        if result.strip().lower() == VOID.lower():
            return self("result.void")
        known = parse_result(result) or ""
        if known == "0":
            return self("result.draw")
        winner = winner_of(known)
        if winner is None:
            return self("result.unknown")
        color, margin = self.color(winner), known.partition("+")[2]
        if margin in _HOW:
            return self(_HOW[margin], color=color)
        return self("result.by_points", color=color, count=float(margin))

    def fault(self, fault: Exception) -> str:
        """Why something cannot be done, as far as there are words for it here; else as the fault itself says."""
        if isinstance(fault, WordedError):
            return self(fault.key, **fault.values)
        if isinstance(fault, SgfError) and fault.kind:
            return self(f"open.{fault.kind}")
        if isinstance(fault, IllegalMoveError):
            return self._rule(fault.reason)
        if isinstance(fault, RecordedMoveError):
            move = self("game.pass") if fault.move == "pass" else fault.move
            told = {"color": self.color(fault.color), "move": move, "reason": self._rule(fault.reason)}
            return self("open.illegal_move", number=fault.number, **told)
        if isinstance(fault, PointError):
            return self("open.no_point", letters=fault.letters[:LONGEST_QUOTE], size=fault.size)
        return in_english(fault)

    def _rule(self, reason: str) -> str:
        """The rule that forbids a move."""
        key = "illegal." + reason.replace(" ", "_")
        return self(key) if key in self.entries else reason

    def for_the_browser(self) -> str:
        """The section `browser` as JSON."""
        mine = {name.partition(".")[2]: text for name, text in self.entries.items() if name.startswith("browser.")}
        return json.dumps({"tag": self.tag, "decimal": self.decimal, **mine})


def sentence(text: str) -> str:
    """A part of a sentence where it stands alone."""
    return f"{text[:1].upper()}{text[1:]}"


def in_english(fault: Exception) -> str:
    """What a fault says by itself, in one line: for programs, and where there are no other words."""
    return str(fault).splitlines()[0] if str(fault) else type(fault).__name__


Said = Callable[[Words], str]
"""Something said, to be put into the words of each who hears it."""


def why(fault: Exception) -> Said:
    """The reason that a fault gives."""
    return lambda words: words.fault(fault)


class WordedError(InputError):
    """Input that cannot be used, for a reason that stands in the table: English to programs, worded for visitors."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(english()(key, **values))
        self.key, self.values = key, values


@cache
def languages() -> dict[str, Words]:
    """Every language there is a file for, by code, English first."""
    found = {path.stem: Words(path.stem, read_toml(path)) for path in sorted(FOLDER.glob("*.toml"))}
    return {"en": found["en"], **found}


def english() -> Words:
    """The words where nobody chose others."""
    return languages()["en"]


def words_for(chosen: str, accepted: str = "") -> Words:
    """The language the visitor chose, else the best of what the browser accepts (`Accept-Language`), else English."""
    known = languages()
    if chosen in known:
        return known[chosen]
    wishes = []
    for place, wish in enumerate(accepted[:500].split(",")):
        tag, _, quality = wish.partition(";")
        wishes.append((-_weight(quality), place, tag.strip().lower().partition("-")[0]))
    return next((known[code] for weight, _, code in sorted(wishes) if code in known and weight < 0), english())


def _weight(quality: str) -> float:
    name, _, value = quality.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
