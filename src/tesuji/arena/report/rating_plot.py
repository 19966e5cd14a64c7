"""Ratings with their error bars as a small SVG picture, for the report."""

import html

from tesuji.arena.report.standings import Standings

_ROW = 26
_LETTER = 7.2  # width of one
_WIDTH = 460
_CONFIDENCE = 1.96


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
        parts.append(f"<text class=axis x='{x(mark):.1f}' y='{height - 10}'>{_signed(mark)}</text>")
    for row, line in enumerate(state.lines):
        y = _ROW * row + 18
        a, b = (x(line.rating.elo + sign * _CONFIDENCE * line.rating.error) for sign in (-1, 1))
        parts.append(f"<text class=name x='{left - 12:.0f}' y='{y + 4}'>{html.escape(names[row])}</text>")
        parts.append(f"<line class=bar x1='{a:.1f}' x2='{b:.1f}' y1='{y}' y2='{y}'/>")
        title = f"{line.rating.elo:+.0f} ± {line.rating.error:.0f} Elo"
        parts.append(f"<circle cx='{x(line.rating.elo):.1f}' cy='{y}' r=5><title>{title}</title></circle>")
    return "".join([*parts, "</svg>"])


def _signed(mark: int) -> str:
    return f"{mark:+d}".replace("-", "−") if mark else "0"


def _marks(low: float, high: float) -> list[int]:
    """Round numbers on the axis, about six of them."""
    span = max(high - low, 1.0)
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**9) if span / s <= 7)
    first = int(-(-low // step)) * step
    return list(range(first, int(high) + 1, step))
