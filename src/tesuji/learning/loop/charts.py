"""Small pictures for a page, as SVG text: curves over rounds, and boards with their move numbers."""

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tesuji._core import PackedRecord
from tesuji.base.quantities import round_values
from tesuji.go.drawing import draw_board

Series = Sequence[tuple[float, float]]
_COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e6bbf")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 420, 220, 52, 28, 26
_LETTER = 6  # of a name in the corner, about


def curves(
    title: str, series: Mapping[str, Series], unit: str = "", errors: Mapping[float, float] | None = None
) -> str:
    """Lines over rounds, with a scale on the left; points that are no numbers are left out.

    `errors` are those of the first series, by round: drawn as bars.
    """
    finite = {name: [(x, y) for x, y in points if math.isfinite(y)] for name, points in series.items()}
    known = {name: points for name, points in finite.items() if points}
    if not known:
        return ""
    bars = [(x, y, (errors or {}).get(x, 0.0)) for x, y in next(iter(known.values()))]
    ends = [(x, end) for x, y, error in bars for end in (y - error, y + error)]
    scale = _Scale.around([point for points in known.values() for point in points] + ends)
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(title)}">',
        f'<text class="title" x="{_LEFT}" y="15">{html.escape(title)}</text>',
        *_grid(scale, unit),
    ]
    for x, y, error in bars:
        if error:
            (across, top), (_, bottom) = scale.place(x, y + error), scale.place(x, y - error)
            parts.append(f'<path class="error" d="M{across} {top}V{bottom}" stroke="{_COLORS[0]}" opacity="0.45"/>')
    for index, (name, points) in enumerate(known.items()):
        color = _COLORS[index % len(_COLORS)]
        places = [scale.place(*point) for point in points]
        line = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="2.2" fill="{color}"/>' for x, y in places]
        if len(known) > 1:
            spot = _WIDTH - 12 - sum(_LETTER * (len(other) + 2) for other in list(known)[index + 1 :])
            style = f'style="fill:{color}" text-anchor="end"'
            parts.append(f'<text class="tick" x="{spot}" y="15" {style}>{html.escape(name)}</text>')
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True)
class _Scale:
    """Which rounds and which values the picture shows."""

    first: float
    last: float
    ticks: Sequence[float]

    @classmethod
    def around(cls, points: Series) -> "_Scale":
        """Room for all these points, and some where they are one."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return cls(min(xs), max(max(xs), min(xs) + 1), round_values(min(ys), max(ys)))

    def place(self, x: float, y: float) -> tuple[float, float]:
        right = _LEFT + (x - self.first) / (self.last - self.first) * (_WIDTH - _LEFT - 12)
        low, high = self.ticks[0], self.ticks[-1]
        down = _TOP + (high - y) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return round(right, 1), round(down, 1)


def _grid(scale: _Scale, unit: str) -> Iterator[str]:
    """Lines across with their values, the first and the last round."""
    for value in scale.ticks:
        _, y = scale.place(scale.first, value)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 12}" y1="{y}" y2="{y}"/>'
        yield f'<text class="tick" x="{_LEFT - 5}" y="{y + 4}" text-anchor="end">{_number(value)}{unit}</text>'
    for x in (scale.first, scale.last):
        across, _ = scale.place(x, scale.ticks[0])
        yield f'<text class="tick" x="{across}" y="{_HEIGHT - 8}" text-anchor="middle">{x:g}</text>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.6g}"


def board(record: PackedRecord) -> str:
    """The final position, with the number of the last move at each point."""
    return draw_board(record.game(), numbers=True, coordinates=False)
