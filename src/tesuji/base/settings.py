"""Settings as frozen dataclasses: from a table or from text, with the nearest name where one is wrong."""

import dataclasses
import difflib
import types
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Options = TypeVar("Options")

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WANTED: dict[type, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def changed(options: Options, settings: Mapping[str, object], what: str) -> Options:
    """A copy of `options` with these settings, given as TOML gives them or as text.

    Raises `ValueError` naming `what` for a key that does not exist or a value that cannot be.
    """
    hints = get_type_hints(type(options))
    check_names(settings, hints, f"{what} setting")
    given: dict[str, Any] = {key: typed(key, value, hints[key], what) for key, value in settings.items()}
    return dataclasses.replace(options, **given)  # type: ignore[type-var]


def check_names(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raises `ValueError` for the first name that is not among the known ones, with the nearest that is."""
    there = list(known)
    for name in names:
        if name not in there:
            raise ValueError(f"no {what} '{name}'{did_you_mean(name, there)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """How a line ends that refuses a name: with the nearest known one, or with all of them."""
    there = list(known)
    near = difflib.get_close_matches(name, there, n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(there)}"


def typed(key: str, value: object, kind: Any, what: str) -> object:
    """The value in the type of its field, from text or from TOML; `ValueError` says what it must be."""
    if get_origin(kind) in (Union, types.UnionType):
        if value is None or value in ("none", "None", ""):
            return None
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is tuple:
        items = value.split(",") if isinstance(value, str) else value
        listed = items if isinstance(items, list | tuple) else [items]
        return tuple(_scalar(key, item, get_args(kind)[0], what) for item in listed if item != "")
    return _scalar(key, value, kind, what)


def _scalar(key: str, value: object, kind: type, what: str) -> object:
    try:
        if kind is bool:
            return _TRUTHS[str(value).lower()]
        if kind is str:
            return str(value)
        if isinstance(value, bool):
            raise ValueError
        number = float(str(value).replace("_", ""))
        if kind is int and number != int(number):
            raise ValueError
        return kind(number)
    except (KeyError, ValueError, OverflowError):
        raise ValueError(f"{what} setting {key} is {value!r}; it must be {_WANTED[kind]}") from None


def table(options: Any) -> dict[str, Any]:
    """Every field as plain values, for JSON or TOML."""
    plain = dataclasses.asdict(options)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}
