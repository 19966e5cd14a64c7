"""How files and people write rule sets, komi and the result of a game."""

import math
import re

from tesuji._core import Rules

_SGF_NAMES = {
    "tromp-taylor": "Tromp-Taylor",
    "chinese": "Chinese",
    "japanese": "Japanese",
    "korean": "Korean",
    "aga": "AGA",
    "new-zealand": "NZ",
}
_ALIASES = {
    "tt": "tromp-taylor",
    "tromptaylor": "tromp-taylor",
    "cn": "chinese",
    "chn": "chinese",
    "jp": "japanese",
    "jpn": "japanese",
    "kr": "korean",
    "nz": "new-zealand",
    "newzealand": "new-zealand",
}
_SPELLED_OUT = re.compile(r"ko=(simple|positional|situational) suicide=(yes|no) scoring=(area|territory)")
_KOMI = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)")
_RESULT = re.compile(r"([BW])\+(.*)")


def rules_from_sgf(text: str) -> Rules | None:
    """The rules an SGF file names in RU, or None where it names none that we know."""
    spelled_out = _SPELLED_OUT.fullmatch(text.strip())
    if spelled_out:
        ko, suicide, scoring = spelled_out.groups()
        return Rules(ko=ko, suicide=suicide == "yes", scoring=scoring)
    letters = "".join(re.findall("[A-Za-z]", text)).lower().removesuffix("rules")
    name = _ALIASES.get(letters, letters)
    return Rules.named(name) if name in _SGF_NAMES else None


def rules_to_sgf(rules: Rules) -> str:
    """The text of RU for these rules; rules without a name are spelled out."""
    if rules.name in _SGF_NAMES:
        return _SGF_NAMES[rules.name]
    return f"ko={rules.ko} suicide={'yes' if rules.suicide else 'no'} scoring={rules.scoring}"


def komi_from_sgf(text: str) -> float | None:
    """The komi an SGF file states in KM, or None where that is no number of points: a file is worth reading without."""
    stated = text.strip().replace(",", ".")
    komi = float(stated) if _KOMI.fullmatch(stated) else math.inf
    return komi if abs(komi) <= 1000 else None


def result_from_sgf(text: str) -> str | None:
    """RE in one form: `B+3.5`, `B+R` (resigned), `B+T` (time), `B+F` (forfeit), `B+` (margin unknown), `0`, or None."""
    text = text.strip()
    if text.lower() in {"0", "draw", "jigo"}:
        return "0"
    stated = _RESULT.fullmatch(text.upper())
    if not stated:
        return None
    winner, margin = stated[1], stated[2].strip().replace(",", ".")
    if margin[:1] in {"R", "T", "F"}:
        return f"{winner}+{margin[0]}"
    try:
        points = abs(float(margin))
    except ValueError:
        return f"{winner}+"
    if points == 0:
        return "0"
    return f"{winner}+{points:g}" if math.isfinite(points) else f"{winner}+"
