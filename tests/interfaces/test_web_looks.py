"""Colours that can be read: every pair of text and ground on the page has a contrast of 4.5 or more."""

import re
from pathlib import Path

import pytest

import tesuji

STATIC = Path(tesuji.__file__).parent / "interfaces" / "web" / "page" / "static"
STYLE = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "looks.css"))
TEXT = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "wash"),
    ("soft", "paper"),
    ("soft", "card"),
    ("soft", "wash"),
    ("bad", "card"),
    ("blue", "card"),
    ("accent", "paper"),
    ("on-accent", "accent"),
    ("on-accent", "bad"),
]


def variables(selector: str) -> dict[str, str]:
    """The colours that a rule names."""
    found: dict[str, str] = {}
    for body in re.findall(rf"(?m)^\s*(?:.*\}}\s*)?{re.escape(selector)} \{{([^}}]*)\}}", STYLE):
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", body))
    return found


def luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [":root", ".body--dark"])
def test_text_can_be_read(theme: str) -> None:
    colors = variables(":root") | variables(theme)
    weak = {pair: contrast(colors[pair[0]], colors[pair[1]]) for pair in TEXT}
    assert {pair: round(value, 2) for pair, value in weak.items() if value < 4.5} == {}
    assert contrast(colors["focus"], colors["paper"]) >= 3
    assert contrast(colors["focus"], colors["card"]) >= 3


@pytest.mark.parametrize("board", [".goban", ".goban.plain", ".goban.night"])
def test_marks_and_coordinates_can_be_read_on_every_board(board: str) -> None:
    colors = variables(board)
    assert contrast(colors["board-ink"], colors["board"]) >= 4.5
    assert contrast(colors["board-line"], colors["board"]) >= 3


def test_candidates_can_be_read() -> None:
    for rank in range(4):
        ground = re.search(rf"\.rank-{rank} circle \{{ fill: (#[0-9a-f]{{6}})", STYLE)
        text = re.search(rf"\.rank-{rank} text \{{ fill: (#[0-9a-f]{{3,6}})", STYLE)
        assert ground
        assert text
        ink = "#ffffff" if text[1] == "#fff" else text[1]
        assert contrast(ground[1], ink) >= 4.5, rank
