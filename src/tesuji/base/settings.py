"""Settings as frozen dataclasses: from a table or from text, with the nearest name where one is wrong.

A dataclass may hold others: their settings are called `part.name`, or stand in a table of the part's name.
"""

import dataclasses
import difflib
import types
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from tesuji.base.errors import InputError

Options = TypeVar("Options")

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WANTED: dict[type, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None when nothing comes near."""
    names = list(known)
    # `lr` for learning_rate and `visits` for search.visits look less alike than they are.
    short = [one for one in names if name == _initials(one) or one.endswith(f".{name}")]
    return next(iter(short or difflib.get_close_matches(name, names, n=1, cutoff=0.6)), None)


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a line ends that refuses a name: with the nearest known one, else with `otherwise` or all of them."""
    there = list(known)
    near = nearest(name, there)
    return f"; did you mean '{near}'?" if near else f"; {otherwise or 'there are ' + ', '.join(there)}"


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split("_") if word)


def changed(options: Options, settings: Mapping[str, object], what: str) -> Options:
    """A copy of `options` with these settings, given as TOML gives them or as text.

    Raises `InputError` naming `what` for a key that does not exist or a value that cannot be.
    """
    hints = get_type_hints(type(options))
    given: dict[str, Any] = {}
    inner: dict[str, dict[str, object]] = {}
    for key, value in settings.items():
        part, dot, name = key.partition(".")
        if dot and dataclasses.is_dataclass(hints.get(part)):
            inner.setdefault(part, {})[name] = value
            continue
        if key not in hints:
            raise InputError(f"no {what} setting '{key}'{did_you_mean(key, setting_names(type(options)))}")
        if not dataclasses.is_dataclass(hints[key]):
            given[key] = typed(key, value, hints[key], what)
        elif isinstance(value, Mapping):
            inner.setdefault(key, {}).update(value)
        else:
            raise InputError(f"{what} setting {key} is {_shown(value)}; it is a table, or write {key}.NAME")
    for part, values in inner.items():
        given[part] = changed(getattr(options, part), values, f"{what} {part}")
    return dataclasses.replace(options, **given)  # type: ignore[type-var]


def setting_names(kind: type) -> list[str]:
    """Every setting of a dataclass; those of dataclasses inside it as `part.name`."""
    found = []
    for name, hint in get_type_hints(kind).items():
        inner = setting_names(hint) if isinstance(hint, type) and dataclasses.is_dataclass(hint) else []
        found += [f"{name}.{one}" for one in inner] or [name]
    return found


def check_names(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raises `InputError` for the first name that is not among the known ones, with the nearest that is."""
    there = list(known)
    for name in names:
        if name not in there:
            raise InputError(f"no {what} '{name}'{did_you_mean(name, there)}")


def typed(key: str, value: object, kind: Any, what: str) -> object:
    """The value in the type of its field, from text or from TOML; `InputError` says what it must be."""
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
        raise InputError(f"{what} setting {key} is {_shown(value)}; it must be {_WANTED[kind]}") from None


def _shown(value: object) -> str:
    """A value as a message may hold it: Python itself refuses to write numbers of thousands of digits."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "larger than anybody needs"
    return text if len(text) <= 200 else text[:200] + "..."


def table(options: Any) -> dict[str, Any]:
    """Every field as plain values, for JSON or TOML; a dataclass inside becomes a table inside."""
    plain = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    for key, value in plain.items():
        if dataclasses.is_dataclass(value):
            plain[key] = table(value)
        elif isinstance(value, tuple):
            plain[key] = list(value)
    return plain
