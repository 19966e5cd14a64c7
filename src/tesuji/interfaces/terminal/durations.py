"""Lengths of time as people write them on the command line."""

import re

from tesuji.base.errors import InputError

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def seconds_in(text: str, option: str) -> float:
    """`30s`, `1.5m`, `2h` or plain seconds; `option` names it in the error."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(s|m|min|h|)", text.strip().lower())
    if not found or not float(found[1]):
        raise InputError(f"{option} {text[:40]}: write it as 30s, 2m or 1h")
    return float(found[1]) * _SECONDS[found[2]]
