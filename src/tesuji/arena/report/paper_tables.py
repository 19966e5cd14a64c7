"""Standings in the layouts of the papers' tables, with the papers' sigma/sqrt(n), as Markdown."""

import re
from collections.abc import Callable, Sequence

from tesuji.arena.report.standings import Line, Standings
from tesuji.arena.statistics import Tally
from tesuji.base.settings import check_names


def paper_table(name: str, state: Standings, reference: str = "") -> str:
    """The standings as this table of the papers; `reference` is the common opponent of Tables 10 and 11."""
    check_layout(name)
    return LAYOUTS[name](state, reference)


def check_layout(name: str) -> None:
    """Refuses a layout that does not exist, before any game is played for it; empty is none."""
    if name:
        check_names([name], LAYOUTS, "table layout")


def _round_robin(state: Standings, reference: str) -> str:
    lines = sorted(state.lines, key=lambda line: -line.tally.rate)
    rows = [[line.player, *_rate(line.tally, games=True)] for line in lines]
    return _markdown(["Network", "Games", "Winrate", "σ/√n"], rows)


def _as_black(state: Standings, reference: str) -> str:
    rows = [[line.player, *_rate(line.as_black, games=True)] for line in _candidates(state, reference)]
    return _markdown(["Network", "Games", "Winrate", "σ/√n"], rows)


def _as_black_by_shape(state: Standings, reference: str) -> str:
    rows = [
        [line.player, width_over_depth(line.player), *_rate(line.as_black, games=False)]
        for line in _candidates(state, reference)
    ]
    return _markdown(["Network", "w/d", "Winrate", "σ/√n"], rows)


def _winners(state: Standings, reference: str) -> str:
    """Who wins as Black (rows) against White (columns): B or W, with the games where there are several."""
    players = [line.player for line in reversed(state.lines)]
    rows = [
        [black, *("-" if black == white else _winner(state.as_black.get((black, white))) for white in players)]
        for black in players
    ]
    return _markdown(["Black \\ White", *players], rows)


def _winner(tally: Tally | None) -> str:
    if tally is None or not tally.games:
        return ""
    winner = "B" if tally.rate > 0.5 else "W" if tally.rate < 0.5 else "="
    black = f"{tally.wins + tally.draws / 2:g}"
    return winner if tally.games == 1 else f"{winner} {black}-{tally.games - float(black):g}"


def _candidates(state: Standings, reference: str) -> list[Line]:
    """All who played Black against the reference; the reference has no line of its own."""
    lines = [line for line in state.lines if line.player != reference and line.as_black.games]
    return sorted(lines, key=lambda line: -line.as_black.rate)


def width_over_depth(name: str) -> str:
    """Trunk over blocks of a network whose name tells both; a dash where it does not (residual networks)."""
    found = re.search(r"\b(?:se|mobile)\.(\d+)\.(\d+)\.(\d+)", name)
    if not found:
        return "-"
    depth, *widths = map(int, found.groups())
    return f"{min(widths) / depth:.2f}"


def _rate(tally: Tally, games: bool) -> list[str]:
    return [*([str(tally.games)] if games else []), f"{tally.rate:.3f}", f"{tally.sigma:.3f}"]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def text(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "|".join("-" * (width + 1) + ("-" if i == 0 else ":") for i, width in enumerate(widths)) + "|"
    return "\n".join([text(head), rule, *map(text, rows)])


LAYOUTS: dict[str, Callable[[Standings, str], str]] = {
    "table-9": _round_robin,
    "table-10": _as_black,
    "table-11": _as_black_by_shape,
    "table-2-2020": _round_robin,
    "table-1-9x9": _winners,
}
