"""A table of a paper as it is printed: CSV with a header, labels in the first column, empty cells where it has none."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tesuji.base.errors import InputError

RECIPES = Path(__file__).parent / "recipes"
Key = tuple[str, str]
"""The labels of a cell's row and column."""


@dataclass(frozen=True)
class PaperTable:
    """Labels and cells; a cell holds the text of the paper."""

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[Key, str]

    def number(self, row: str, column: str) -> float | None:
        """The number in a cell; None where nothing or a word stands."""
        try:
            return float(self.cells.get((row, column), "").replace(",", ""))
        except ValueError:
            return None

    def numbers(self) -> Iterator[tuple[Key, float]]:
        """Every cell that holds a number."""
        for key in self.cells:
            number = self.number(*key)
            if number is not None:
                yield key, number


def read_table(path: Path) -> PaperTable:
    """The table of a CSV file. Raises `ValueError` where a line has more or fewer cells than the header."""
    with path.open(newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line]
    if not lines:
        raise InputError(f"{path.name} holds no table")
    (corner, *columns), *rest = lines
    cells: dict[Key, str] = {}
    for label, *values in rest:
        if len(values) != len(columns):
            raise InputError(f"{path.name}: row '{label}' has {len(values)} cells, the header {len(columns)}")
        cells |= {
            (label, column): value.strip() for column, value in zip(columns, values, strict=True) if value.strip()
        }
    return PaperTable(corner, tuple(line[0] for line in rest), tuple(columns), cells)


def paper_accuracies() -> dict[tuple[int, int], float]:
    """Table 6 of the 2021 paper: (depth, width) -> accuracy in percent."""
    table = read_table(RECIPES / "2021-table-6.csv")
    return {(int(depth), int(width)): accuracy for (width, depth), accuracy in table.numbers()}
