"""Results of games: read from the many forms people write, written in one.

That form is `B+3.5`, `W+R` (resigned), `B+T` (time), `W+F` (forfeit), `B+` (margin unknown), `0` for a draw and `Void`
for a game that the rules leave without a result. The core reads and writes it; both readers of SGF, the arena, GTP and
the page ask here.
"""

from tesuji._core import BLACK, WHITE, Color, result_from_text, score_text

__all__ = [
    "VOID",
    "black_lead",
    "forfeited",
    "out_of_time",
    "parse_result",
    "resigned",
    "same_result",
    "score_text",
    "winner_of",
]

VOID = "Void"
"""The same position for the third time under simple ko; read from a file, it tells no winner."""
_LETTERS = {BLACK: "B", WHITE: "W"}


def parse_result(text: str) -> str | None:
    """The result a text states, in our form; None where it states none."""
    return result_from_text(text) or None


def resigned(loser: Color) -> str:
    """The result when this side gives up."""
    return f"{_LETTERS[loser.opponent]}+R"


def out_of_time(loser: Color) -> str:
    """The result when the clock of this side runs out."""
    return f"{_LETTERS[loser.opponent]}+T"


def forfeited(loser: Color) -> str:
    """The result when this side loses for what it did."""
    return f"{_LETTERS[loser.opponent]}+F"


def winner_of(result: str | None) -> Color | None:
    """Who won; None for a draw or where that is unknown."""
    letter = result_from_text(result or "")[:1]
    return next((color for color, its in _LETTERS.items() if its == letter), None)


def black_lead(result: str | None) -> float | None:
    """Black's lead in points, negative where White won; None where nobody counted."""
    known = result_from_text(result or "")
    if known == "0":
        return 0.0
    side, _, margin = known.partition("+")
    if not margin[:1].isdigit():
        return None
    return float(margin) if side == "B" else -float(margin)


def same_result(one: str, other: str) -> bool:
    """Whether two texts state the same result, however they are written."""
    return result_from_text(one) == result_from_text(other)
