"""What a command found, for programs: JSON or CSV on standard output, numbers without units or rounding."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tesuji.base.errors import InputError
from tesuji.interfaces.terminal.strange_text import shown


def check_form(as_json: bool, as_csv: bool) -> None:
    """Refuses both at once, before any work."""
    if as_json and as_csv:
        raise InputError("--json or --csv, not both")


def print_json(found: object) -> None:
    """One JSON document; a number that is none is null, as JSON has no word for it."""
    print(shown(json.dumps(_plain(found), ensure_ascii=False, indent=1)))


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """A heading and one line for each row; rows may lack columns."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    print(shown(text.getvalue()), end="")


def _cell(value: object) -> object:
    """Nothing for what is not known; tables and lists within a cell as JSON, which a program can read again."""
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(_plain(value), ensure_ascii=False)
    return "" if value is None else value


def _plain(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, str | int) else str(value)
