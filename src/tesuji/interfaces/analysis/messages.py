"""Lines of the protocol: errors, warnings and answers, keys in order and numbers as short as KataGo's."""

import json
import math
from collections.abc import Iterable
from typing import Any

from tesuji.base.errors import InputError


class QueryError(InputError):
    """A query that cannot be answered, with the field that is wrong; without a field, the line itself is."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def line_of(content: dict[str, Any]) -> str:
    """One line, without its end."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def error_line(message: str, query_id: str | None = None, field: str = "") -> str:
    """An error, of the line or of a query."""
    about = {} if query_id is None else {"id": query_id, "field": field} if field else {"id": query_id}
    return line_of({"error": message, **about})


def warning_line(message: str, query_id: str, field: str) -> str:
    """A warning: the query goes on."""
    return line_of({"warning": message, "id": query_id, "field": field})


def number(value: float) -> float:
    """Nine digits are enough, and JSON knows no infinity."""
    return float(f"{value:.9g}") if math.isfinite(value) else 0.0


def numbers(values: Iterable[float]) -> list[float]:
    """The same for a list; fewer digits, for there are many."""
    return [float(f"{value:.6g}") if math.isfinite(value) else 0.0 for value in values]
