"""What a packed file holds, in numbers and as a picture."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import GamePool, PackedFile
from tesuji.base.extras import need

_WINNERS = ("unknown", "Black", "White", "draw")
_ENDINGS = ("", "by count", "by resignation", "on time", "by forfeit")


@dataclass(frozen=True)
class Summary:
    """The index of a packed file as columns."""

    path: Path
    columns: dict[str, NDArray[Any]]

    def lines(self) -> Iterator[tuple[str, str]]:
        """(what, numbers), as one would read them aloud."""
        games, moves = len(self.columns["game"]), int(self.columns["moves"].sum())
        yield "games", f"{games:,}"
        yield "moves", f"{moves:,} ({os.path.getsize(self.path) / max(moves, 1):.2f} bytes each)"
        if targets := int(self.columns["targets"].sum()):
            yield "positions with targets", f"{targets:,}"
        yield "sizes", _counted(self.columns["size"], lambda size: f"{size}x{size}")
        yield "komi", _counted(self.columns["komi"], lambda komi: "unknown" if np.isnan(komi) else f"{komi:g}")
        ways = self.columns["winner"].astype(int) * 8 + self.columns["ending"]
        yield "results", _counted(ways, _result_words, most=10)
        yield "finished boards", f"{int(self.columns['counts'].sum()):,} (they give ownership)"
        if (self.columns["handicap"] > 0).any():
            yield "handicap", _counted(self.columns["handicap"], lambda stones: f"{stones}")
        if games:
            low, middle, high = np.percentile(self.columns["moves"], (5, 50, 95))
            yield "length", f"median {middle:.0f} moves, 5 % below {low:.0f}, 5 % above {high:.0f}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain numbers, for JSON: how often each size, komi, result and handicap occurs."""
        ways = self.columns["winner"].astype(int) * 8 + self.columns["ending"]
        columns = self.columns
        return {
            "file": str(self.path),
            "bytes": os.path.getsize(self.path),
            "games": len(columns["game"]),
            "moves": int(columns["moves"].sum()),
            "positions_with_targets": int(columns["targets"].sum()),
            "finished_boards": int(columns["counts"].sum()),
            "sizes": _all_counted(columns["size"], str),
            "komi": _all_counted(columns["komi"], lambda komi: "unknown" if np.isnan(komi) else f"{komi:g}"),
            "results": _all_counted(ways, _result_words),
            "handicap": _all_counted(columns["handicap"], str),
            "moves_percentiles": dict(
                zip(("5", "50", "95"), np.percentile(columns["moves"], (5, 50, 95)).tolist(), strict=True)
            )
            if len(columns["game"])
            else {},
        }

    def draw(self, output: str | os.PathLike[str]) -> None:
        """Lengths, komi and results as a picture. Raises `ImportError` without matplotlib."""
        need("matplotlib", "a picture")
        from matplotlib.figure import Figure

        figure = Figure(figsize=(11, 3.5), layout="constrained")
        lengths, komi, results = figure.subplots(1, 3)
        for size in np.unique(self.columns["size"]):
            chosen = self.columns["moves"][self.columns["size"] == size]
            lengths.hist(chosen, bins=60, histtype="step", label=f"{size}x{size}")
        lengths.set(title="moves", ylabel="games")
        lengths.legend(frameon=False)
        _bars(komi, self.columns["komi"], lambda value: "?" if np.isnan(value) else f"{value:g}")
        komi.set(title="komi")
        _bars(results, self.columns["winner"], lambda winner: _WINNERS[int(winner)])
        results.set(title="winner")
        figure.suptitle(f"{self.path.name}: {len(self.columns['game']):,} games")
        figure.savefig(output)


def summary(path: str | os.PathLike[str]) -> Summary:
    """Reads and checks a whole packed file. Raises `ValueError` if a byte of it is damaged."""
    file = PackedFile(os.fspath(path))
    file.check()
    return Summary(Path(path), GamePool([file], []).table())


def _most_frequent(values: NDArray[Any], most: int) -> tuple[list[tuple[Any, int]], int]:
    """The most frequent values with their counts, and how many are left."""
    found, counts = np.unique(values, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [(found[i], int(counts[i])) for i in order[:most]], int(counts[order[most:]].sum())


def _all_counted(values: NDArray[Any], name: Any) -> dict[str, int]:
    return {name(value): count for value, count in _most_frequent(values, len(values))[0]}


def _result_words(way: int) -> str:
    return f"{_WINNERS[way // 8]} {_ENDINGS[way % 8]}".strip()


def _counted(values: NDArray[Any], name: Any, most: int = 8) -> str:
    frequent, others = _most_frequent(values, most)
    parts = [f"{name(value)}: {count:,}" for value, count in frequent]
    return ", ".join(parts + ([f"others: {others:,}"] if others else []))


def _bars(axes: Any, values: NDArray[Any], name: Any) -> None:
    frequent, others = _most_frequent(values, 8)
    names = [name(value) for value, _ in frequent] + (["others"] if others else [])
    axes.bar(names, [count for _, count in frequent] + ([others] if others else []))
