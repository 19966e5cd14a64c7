"""Win probability against komi as a small drawing: the 2018 paper's outputs, for any network that has them."""

from collections.abc import Sequence

WIDTH, HEIGHT, LEFT, BOTTOM = 340, 120, 34, 20


def komi_curve_svg(curve: Sequence[tuple[float, float]], komi: float) -> str:
    """Black's win probability at each komi as SVG, with the game's own komi marked."""
    points = [(at, share) for at, share in curve if abs(at - komi) <= 20]
    if len(points) < 2:
        return ""
    low, high = points[0][0], points[-1][0]

    def x(at: float) -> float:
        return LEFT + (at - low) / (high - low) * (WIDTH - LEFT - 8)

    def y(share: float) -> float:
        return 6 + (1 - share) * (HEIGHT - BOTTOM - 6)

    line = "".join(f"{'L' if index else 'M'}{x(at):.1f} {y(share):.1f}" for index, (at, share) in enumerate(points))
    rows = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(share)}" y2="{y(share)}" class="graph-grid"/>'
        f'<text x="{LEFT - 5}" y="{y(share) + 3.5}" class="graph-tick" style="text-anchor:end">{share:.0%}</text>'
        for share in (0, 0.5, 1)
    )
    step = 10 if high - low > 25 else 5
    ticks = "".join(
        f'<text x="{x(at):.1f}" y="{HEIGHT - 5}" class="graph-tick">{at}</text>'
        for at in range(int(low // step * step), int(high) + 1, step)
        if at >= low
    )
    now = f'<line x1="{x(komi):.1f}" x2="{x(komi):.1f}" y1="4" y2="{HEIGHT - BOTTOM + 2}" class="graph-now"/>'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="width:100%;display:block" role="img" '
        f'aria-label="Black\'s win probability against komi">{rows}{ticks}{now}'
        f'<path d="{line}" class="graph-score"/></svg>'
    )
