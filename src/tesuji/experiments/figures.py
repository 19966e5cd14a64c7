"""Figures of experiments as SVG text: lines and points with axes and a legend."""

import html
import math
from collections.abc import Callable, Mapping, Sequence

from tesuji.base.quantities import round_values
from tesuji.experiments.outcome import plain

Series = Sequence[tuple[float, float]]
_COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e6bbf", "#d68910", "#148f9c", "#7f8c8d", "#a04000")
_WIDTH, _HEIGHT, _LEFT, _TOP = 560, 330, 62, 28


def curves(title: str, series: Mapping[str, Series], x: str, y: str) -> str:
    """A line for each series."""
    return scatter(title, series, x, y, joined=list(series))


def scatter(title: str, series: Mapping[str, Series], x: str, y: str, joined: Sequence[str] = ()) -> str:
    """Points of each series in its colour; those of `joined` series stand on a line. Empty without points."""
    known = {
        name: [(a, b) for a, b in points if math.isfinite(a) and math.isfinite(b)] for name, points in series.items()
    }
    known = {name: points for name, points in known.items() if points}
    if not known:
        return ""
    across = _scale([a for points in known.values() for a, _ in points], _LEFT, _WIDTH - 16)
    down = _scale([b for points in known.values() for _, b in points], _HEIGHT - 44, _TOP)
    height = _HEIGHT + 16 * ((len(known) + 1) // 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        f'font-size="11" role="img" aria-label="{html.escape(title)}">',
        f'<text x="{_LEFT}" y="16" font-weight="600" fill="currentColor">{html.escape(title)}</text>',
        *_axes(across, down, x, y),
    ]
    for index, (name, points) in enumerate(known.items()):
        color = _COLORS[index % len(_COLORS)]
        placed = [(round(across.place(a), 1), round(down.place(b), 1)) for a, b in points]
        if name in joined:
            line = " ".join(f"{a},{b}" for a, b in placed)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{a}" cy="{b}" r="2.6" fill="{color}"/>' for a, b in placed]
        spot, row = _LEFT + (index % 2) * 250, _HEIGHT + 16 * (index // 2) + 4
        parts.append(f'<rect x="{spot}" y="{row - 8}" width="9" height="9" fill="{color}"/>')
        parts.append(f'<text x="{spot + 14}" y="{row}" fill="currentColor">{html.escape(name)}</text>')
    return "".join([*parts, "</svg>"])


class _Scale:
    """Numbers of one axis as places on the page."""

    def __init__(self, ticks: Sequence[float], first: float, last: float) -> None:
        self.ticks = ticks
        low, high = ticks[0], ticks[-1]
        self.place: Callable[[float], float] = lambda n: first + (n - low) / (high - low) * (last - first)


def _scale(numbers: Sequence[float], first: float, last: float) -> _Scale:
    return _Scale(round_values(min(numbers), max(numbers)), first, last)


def _axes(across: _Scale, down: _Scale, x: str, y: str) -> list[str]:
    parts, bottom = [], _HEIGHT - 44
    for tick in down.ticks:
        at = down.place(tick)
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - 16}" y1="{at:.1f}" y2="{at:.1f}" stroke="#8884"/>')
        parts.append(
            f'<text x="{_LEFT - 5}" y="{at + 4:.1f}" text-anchor="end" fill="currentColor">{plain(tick)}</text>'
        )
    for tick in across.ticks:
        at = across.place(tick)
        parts.append(
            f'<text x="{at:.1f}" y="{bottom + 15}" text-anchor="middle" fill="currentColor">{plain(tick)}</text>'
        )
    middle = (_LEFT + _WIDTH - 16) / 2
    parts.append(
        f'<text x="{middle}" y="{bottom + 30}" text-anchor="middle" fill="currentColor">{html.escape(x)}</text>'
    )
    parts.append(f'<text x="{_WIDTH - 16}" y="16" text-anchor="end" fill="currentColor">{html.escape(y)}</text>')
    return parts
