"""The pages people read: their fenced blocks, headings and links."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    page: Path
    line: int
    """Where its text begins, counted from 1."""
    language: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = text_of(page)
    return [Block(page, text.count("\n", 0, found.start(3)) + 1, found[2], found[3]) for found in FENCE.finditer(text)]


def prose(page: Path) -> str:
    """The page without its fenced blocks and code spans."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text_of(page)))


def links(page: Path) -> list[str]:
    """Targets of links and pictures."""
    return re.findall(r"\]\(([^()\s]+)\)", prose(page)) + re.findall(r"<img[^>]* src=\"([^\"]+)\"", prose(page))


def anchor_of(heading: str) -> str:
    """What a link calls this heading, on GitHub and on the site alike."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """What `#...` may name on a page."""
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)}
