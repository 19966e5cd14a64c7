"""Everything about a tournament as files: a page that needs nothing else, tables for spreadsheets, the games."""

import csv
import html
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from tesuji._core import BLACK, WHITE, Game
from tesuji.arena.play.results import GameResult
from tesuji.arena.report.standings import Line, Standings
from tesuji.arena.statistics import elo_of
from tesuji.base.files import write_atomically
from tesuji.base.quantities import counted
from tesuji.go.sgf.files import read_record

_ROW = 26
_LETTER = 7.2  # width of one
_WIDTH = 460
_CONFIDENCE = 1.96
PAGE = "report.html"
MOST_REPLAYS = 2000
"""Games that can be replayed in the page; all of them are in `games.sgfs`."""


@dataclass(frozen=True)
class Report:
    """What goes into the files."""

    title: str
    standings: Standings
    games: Sequence[GameResult]
    conditions: Mapping[str, Any]
    players: Mapping[str, Mapping[str, Any]]
    notes: Sequence[str] = field(default_factory=tuple)
    """Lines for the reader: a sequential test's verdict, who was refused, what was damaged."""

    def write(self, folder: Path) -> Path:
        """Writes `report.html`, `standings.csv`, `games.csv` and `games.sgfs`; returns the page."""
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "standings.csv", standings_csv(self.standings))
        write_atomically(folder / "games.csv", games_csv(self.games))
        write_atomically(folder / "games.sgfs", "".join(game.sgf.replace("\n", " ") + "\n" for game in self.games))
        page = folder / PAGE
        write_atomically(page, self.html())
        return page

    def html(self) -> str:
        """The page."""
        template = resources.files("tesuji.arena.report").joinpath("page_template.html").read_text(encoding="utf-8")
        parts = {
            "TITLE": html.escape(self.title),
            "SUMMARY": _summary(self),
            "LEADERBOARD": _leaderboard(self.standings),
            "PLOT": rating_plot(self.standings),
            "MATRIX": _matrix(self.standings),
            "PLAYERS": _players(self.players),
            "DATA": _replay_data(self.games),
            "BLACK": str(int(BLACK)),
        }
        # In one pass: what a player's name contains is never taken for a part of the template.
        return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], template)


def standings_csv(state: Standings) -> str:
    rows = [line.row() for line in state.lines]
    return _csv(list(rows[0]) if rows else [], [list(row.values()) for row in rows])


def games_csv(games: Sequence[GameResult]) -> str:
    head = ["black", "white", "result", "how", "moves", "round", "pair", "opening"]
    return _csv(head, [[getattr(game, name) for name in head] for game in games])


def _csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def _summary(report: Report) -> str:
    state, conditions = report.standings, report.conditions
    size, komi, rules = (conditions.get(name) for name in ("size", "komi", "rules"))
    lines = [
        f"{counted(state.games, 'game')} on {size}x{size}, komi {komi}, {str(rules).title()} rules, "
        f"{state.average_length:.0f} moves on average.",
        f"Black won {state.black.rate:.1%} ± {state.black.sigma:.1%}.",
    ]
    if state.ratings and state.ratings.black_advantage.error:
        black = state.ratings.black_advantage
        lines.append(f"The colour is worth {_signed(black.elo)} ± {black.error:.0f} Elo to Black.")
    lines += state.remarks()
    endings = ", ".join(f"{count} {how}" for how, count in state.endings.most_common())
    lines.append(f"Endings: {endings or 'none yet'}.")
    return "".join(f"<p>{html.escape(line)}</p>" for line in [*lines, *report.notes])


# Heading, and what it says on hovering; what matters most comes first, for narrow screens.
_COLUMNS = (
    ("", ""),
    ("player", ""),
    ("win rate", "points per game ± σ/√n, its standard error"),
    ("Elo", "Bradley-Terry, mean of the field 0, ± one standard error"),
    ("games", ""),
    ("won-drawn-lost", "without draws: won-lost"),
    ("95 %", "Wilson's interval of the win rate"),
    ("above next", "likelihood of being stronger than the next player"),
    ("as Black", ""),
    ("as White", ""),
    ("s/move", ""),
    ("descents/s", ""),
    ("forfeits", "games lost by what the player did rather than on the board"),
)


def _leaderboard(state: Standings) -> str:
    columns = _COLUMNS if any(line.forfeits for line in state.lines) else _COLUMNS[:-1]
    head = "".join(f"<th title='{html.escape(title, True)}'>{text}</th>" for text, title in columns)
    count = len(state.lines)
    rows = []
    for number, line in enumerate(state.lines, 1):
        cells = _cells(number, line, number == count)[: len(columns)]
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<table class=leaderboard><tr>{head}</tr>{''.join(rows)}</table>"


def _cells(number: int, line: Line, last: bool) -> list[str]:
    low, high = line.tally.wilson()
    return [
        str(number),
        html.escape(line.player),
        f"{line.tally.rate:.1%} ± {100 * line.tally.sigma:.1f}",
        f"{_signed(line.rating.elo)} ± {line.rating.error:.0f}",
        str(line.tally.games),
        str(line.tally),
        f"{low:.0%} to {high:.0%}",
        "" if last else f"{line.superiority:.1%}",
        f"{line.as_black.rate:.0%}",
        f"{line.as_white.rate:.0%}",
        f"{line.seconds_per_move:.2g}",
        f"{line.descents_per_second:,.0f}",
        str(line.forfeits or ""),
    ]


def _signed(value: float) -> str:
    """With a sign, and a minus that is one."""
    return f"{value:+.0f}".replace("-", "−")


def _matrix(state: Standings) -> str:
    names = [line.player for line in state.lines]
    head = "".join(f"<th title='{html.escape(name, True)}'>{i}</th>" for i, name in enumerate(names, 1))
    rows = []
    for i, first in enumerate(names, 1):
        cells = "".join(_matrix_cell(state, first, second) for second in names)
        rows.append(f"<tr><th>{i}</th><td class=name>{html.escape(first)}</td>{cells}</tr>")
    return f"<table class=matrix><tr><th></th><th></th>{head}</tr>{''.join(rows)}</table>"


def _matrix_cell(state: Standings, first: str, second: str) -> str:
    tally = state.matrix.get((first, second))
    if first == second or tally is None:
        return "<td class=none></td>"
    hue = int(120 * tally.rate)  # red, yellow, green
    low, high = tally.wilson()
    title = f"{tally}, 95 %: {low:.1%} to {high:.1%}"
    if 0 < tally.rate < 1:
        title += f", {elo_of(tally.rate):+.0f} Elo"
    return f"<td style='background:hsl({hue},55%,80%)' title='{title}'>{tally.rate:.0%}</td>"


def _players(players: Mapping[str, Mapping[str, Any]]) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(name)}</td><td>"
        + html.escape(" ".join(f"{key}={value}" for key, value in description.items()))
        + "</td></tr>"
        for name, description in players.items()
    )
    return f"<table>{rows}</table>"


def _replay_data(games: Sequence[GameResult]) -> str:
    """Games for the page's board: stones appear and disappear as listed, so the page needs no rules of its own."""
    data = [_replay(game) for game in games[-MOST_REPLAYS:]]
    # `</` would end the script element wherever a player is called so.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _replay(game: GameResult) -> dict[str, Any]:
    moves: list[list[int]] = []
    size = 9
    if game.sgf:
        record = read_record(game.sgf.encode())
        size = record.game.size
        replayed = record.game.copy()
        while replayed.moves:
            replayed.undo()
        for color, move in record.game.moves:
            before = _stones(replayed)
            replayed.play(move, color)
            gone = sorted(before - _stones(replayed))
            moves.append([int(color), move, *gone])
    return {
        "b": game.black,
        "w": game.white,
        "r": game.result,
        "how": game.how,
        "o": game.opening,
        "n": size,
        "m": moves,
        "sgf": game.sgf,
    }


def _stones(game: Game) -> set[int]:
    board = game.board
    return {*board.stones(BLACK), *board.stones(WHITE)}


def rating_plot(state: Standings) -> str:
    """One line per player, strongest first: the rating and its 95 % interval."""
    if not state.lines:
        return ""
    ends = [line.rating.elo + sign * _CONFIDENCE * line.rating.error for line in state.lines for sign in (-1, 1)]
    names = [line.player if len(line.player) <= 34 else line.player[:33] + "…" for line in state.lines]
    left = _LETTER * max(len(name) for name in names) + 24
    low, high = min(ends), max(ends)
    span = max(high - low, 1.0)

    def x(elo: float) -> float:
        return left + (elo - low) / span * _WIDTH

    height = _ROW * (len(state.lines) + 1) + 10
    parts = [
        f"<svg class=plot viewBox='0 0 {left + _WIDTH + 30:.0f} {height}' role=img "
        "aria-label='ratings with 95 % intervals'>"
    ]
    for mark in _marks(low, high):
        parts.append(f"<line class=grid x1='{x(mark):.1f}' x2='{x(mark):.1f}' y1=4 y2='{height - 26}'/>")
        parts.append(f"<text class=axis x='{x(mark):.1f}' y='{height - 10}'>{_signed(mark) if mark else 0}</text>")
    for row, line in enumerate(state.lines):
        y = _ROW * row + 18
        a, b = (x(line.rating.elo + sign * _CONFIDENCE * line.rating.error) for sign in (-1, 1))
        parts.append(f"<text class=name x='{left - 12:.0f}' y='{y + 4}'>{html.escape(names[row])}</text>")
        parts.append(f"<line class=bar x1='{a:.1f}' x2='{b:.1f}' y1='{y}' y2='{y}'/>")
        title = f"{line.rating.elo:+.0f} ± {line.rating.error:.0f} Elo"
        parts.append(f"<circle cx='{x(line.rating.elo):.1f}' cy='{y}' r=5><title>{title}</title></circle>")
    return "".join([*parts, "</svg>"])


def _marks(low: float, high: float) -> list[int]:
    """Round numbers on the axis, about six of them."""
    span = max(high - low, 1.0)
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**9) if span / s <= 7)
    first = int(-(-low // step)) * step
    return list(range(first, int(high) + 1, step))
