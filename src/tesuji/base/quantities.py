"""Numbers, counts and lengths of time as people read and write them: one form in tables, bars, reports and pages."""

import math
import re

from tesuji.base.errors import InputError

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def number(value: float, digits: int | None = None) -> str:
    """Digits in groups of three: `1,234,567`; two decimals below ten, where a whole number would hide a half."""
    if digits is None:
        digits = 2 if 0 < value < 10 and value != int(value) else 0
    return f"{value:,.{digits}f}"


def counted(count: int, thing: str) -> str:
    """`1 game`, `2 games`, `1,200 games`."""
    plural = f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2] not in "aeiou" else f"{thing}s"
    return f"{number(count)} {thing if count == 1 else plural}"


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 05 min`; a dash where it is not known."""
    if seconds != seconds or seconds == float("inf"):
        return "-"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def round_values(low: float, high: float) -> list[float]:
    """Values for the lines of a scale, round and equally far apart, that take in everything from low to high."""
    if not high > low:  # one number in the middle, with 0 at an end
        low, high = (min(0.0, 2 * low), max(0.0, 2 * low)) if low else (-0.5, 0.5)
    rough = (high - low) / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = unit * next((times for times in (1, 2, 2.5, 5) if times * unit >= rough * 0.999), 10)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def seconds_in(text: str, option: str) -> float:
    """`30s`, `1.5m`, `2h` or plain seconds; `option` names it in the error."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(s|m|min|h|)", text.strip().lower())
    if not found or not float(found[1]):
        raise InputError(f"{option} {text[:40]}: write it as 30s, 2m or 1h")
    return float(found[1]) * _SECONDS[found[2]]
