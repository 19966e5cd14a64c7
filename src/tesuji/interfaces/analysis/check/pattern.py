"""What an answer must look like, written as JSON with words in angle brackets where any value of a kind will do.

An object fits if every key of the pattern fits; a list of one entry fits if every element fits that entry and there is
one at least. Words: `<number>`, `<share>` (0 to 1), `<whole>`, `<text>`, `<truth>`, `<list>`, `<list 81>`, `<vertex>`,
`<absent>`, and `<has TEXT>` for a string with this text in it.
"""

import json
import re
from typing import Any

from tesuji.interfaces.gtp.check.process import EngineError

_VERTEX = re.compile(r"[A-HJ-Z]{1,2}[0-9]{1,2}|pass")


def mismatch(pattern: Any, value: Any, where: str = "") -> str:
    """Why a value does not fit, and where; empty where it fits."""
    if isinstance(pattern, dict):
        return _object(pattern, value, where)
    if isinstance(pattern, list):
        return _list(pattern, value, where)
    if isinstance(pattern, str) and pattern.startswith("<") and pattern.endswith(">"):
        return "" if _is(pattern[1:-1], value) else f"{where or 'answer'} is {shown(value)}, not {pattern}"
    return "" if pattern == value else f"{where or 'answer'} is {shown(value)}, not {shown(pattern)}"


def shown(value: Any) -> str:
    """A value short enough to be quoted."""
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "..."


def _object(pattern: dict[str, Any], value: Any, where: str) -> str:
    if not isinstance(value, dict):
        return f"{where or 'answer'} is {shown(value)}, not an object"
    for key, wanted in pattern.items():
        place = f"{where}.{key}" if where else key
        if wanted == "<absent>":
            if key in value:
                return f"{place} should not be there"
        elif key not in value:
            return f"no {place}"
        elif problem := mismatch(wanted, value[key], place):
            return problem
    return ""


def _list(pattern: list[Any], value: Any, where: str) -> str:
    if not isinstance(value, list):
        return f"{where} is {shown(value)}, not a list"
    if len(pattern) != 1 or not isinstance(pattern[0], dict | str):
        return "" if pattern == value else f"{where} is {shown(value)}, not {shown(pattern)}"
    if not value:
        return f"{where} is empty"
    problems = (mismatch(pattern[0], each, f"{where}[{index}]") for index, each in enumerate(value))
    return next((problem for problem in problems if problem), "")


def _is(word: str, value: Any) -> bool:
    kind, _, more = word.partition(" ")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "list":
        return isinstance(value, list) and (not more or len(value) == int(more))
    if kind == "has":
        return isinstance(value, str) and more in value
    return {
        "number": is_number,
        "share": is_number and 0 <= value <= 1,
        "whole": is_number and value == int(value),
        "text": isinstance(value, str),
        "truth": isinstance(value, bool),
        "vertex": isinstance(value, str) and bool(_VERTEX.fullmatch(value)),
        "any": True,
    }.get(kind, False)


def read_answer(line: str) -> dict[str, Any]:
    """An answer of the engine. Raises `EngineError` for a line that is none."""
    try:
        answer = json.loads(line)
    except ValueError:
        raise EngineError(f"a line that is not JSON: {line[:80]!r}") from None
    if not isinstance(answer, dict):
        raise EngineError(f"a line that is no object: {line[:80]!r}")
    return answer
