"""Rows of plain names and numbers as a pandas frame, where pandas is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def frame_of(rows: Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    """Rows as a pandas frame. Raises `ImportError` where pandas is not installed."""
    try:
        import pandas
    except ImportError as fault:
        raise ImportError("a frame needs pandas: pip install pandas; to_rows() works without", name="pandas") from fault
    return pandas.DataFrame(list(rows))
