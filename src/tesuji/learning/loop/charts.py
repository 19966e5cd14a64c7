"""Small pictures for a page, as SVG text: curves over rounds, and boards with their move numbers."""

import html
import math
from collections.abc import Mapping, Sequence

from tesuji._core import PackedRecord
from tesuji.go.drawing import draw_board

Series = Sequence[tuple[float, float]]
_COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e6bbf")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 420, 220, 52, 28, 26


def curves(
    title: str, series: Mapping[str, Series], unit: str = "", errors: Mapping[float, float] | None = None
) -> str:
    """Lines over rounds, with a scale on the left; points that are no numbers are left out.

    `errors` are those of the first series, by round: drawn as bars.
    """
    finite = {name: [(x, y) for x, y in points if math.isfinite(y)] for name, points in series.items()}
    known = {name: points for name, points in finite.items() if points}
    xs = [x for points in known.values() for x, _ in points]
    if not xs:
        return ""
    bars = [(x, y, (errors or {}).get(x, 0.0)) for x, y in next(iter(known.values()))]
    ys = [y for points in known.values() for _, y in points]
    ys += [end for _, y, error in bars for end in (y - error, y + error)]
    low, high = min(ys), max(ys)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    first, last = min(xs), max(max(xs), min(xs) + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        right = _LEFT + (x - first) / (last - first) * (_WIDTH - _LEFT - 12)
        down = _TOP + (high - y) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return round(right, 1), round(down, 1)

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    parts.append(f'<text class="title" x="{_LEFT}" y="15">{html.escape(title)}</text>')
    for step in range(5):
        value = low + (high - low) * step / 4
        _, y = place(first, value)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 12}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{_LEFT - 5}" y="{y + 4}" text-anchor="end">{_number(value)}{unit}</text>')
    for x in sorted({first, last}):
        parts.append(f'<text class="tick" x="{place(x, low)[0]}" y="{_HEIGHT - 8}" text-anchor="middle">{x:g}</text>')
    for x, y, error in bars:
        if error:
            (across, top), (_, bottom) = place(x, y + error), place(x, y - error)
            parts.append(f'<path class="error" d="M{across} {top}V{bottom}" stroke="{_COLORS[0]}" opacity="0.45"/>')
    for index, (name, points) in enumerate(known.items()):
        color = _COLORS[index % len(_COLORS)]
        line = " ".join(f"{x},{y}" for x, y in (place(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="2.2" fill="{color}"/>' for x, y in (place(*p) for p in points)]
        if len(known) > 1:
            spot = _WIDTH - 12 - 120 * (len(known) - 1 - index)
            style = f'style="fill:{color}" text-anchor="end"'
            parts.append(f'<text class="tick" x="{spot}" y="15" {style}>{html.escape(name)}</text>')
    return "".join([*parts, "</svg>"])


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def board(record: PackedRecord) -> str:
    """The final position, with the number of the last move at each point."""
    return draw_board(record.game(), numbers=True, coordinates=False)
