"""The documentation site is built without a warning and asks nobody else for anything."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow

# What a browser fetches by itself; a plain link is followed only when it is clicked.
FETCHED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*\"[^>]*>")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    import tesuji

    paths = os.pathsep.join([str(Path(tesuji.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning" not in done.stdout + done.stderr
    return folder / "build" / "site"


def test_it_fetches_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert FETCHED.findall(re.sub(r"<link rel=\"canonical\"[^>]*>", "", text)) == [], page.name
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style.name


class Page(HTMLParser):
    """Where a built page leads, and what may be named on it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in {"href", "src"} and value:
                self.links.append(value)
            elif key in {"id", "name"} and value:
                self.names.add(value)


def test_no_link_of_a_built_page_is_dead(site: Path) -> None:
    """Those of the reference and of the navigation among them, which no Markdown file has."""
    # 404.html is what a server at the root of its host shows.
    pages = {file.resolve(): Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            assert target.exists(), f"{file.name}: {link}"
            if parts.fragment and target in pages and not parts.fragment.startswith("__"):
                assert unquote(parts.fragment) in pages[target].names, f"{file.name}: {link}"


def test_pages_ask_for_no_part_that_is_fetched_when_needed(site: Path) -> None:
    """The theme's script fetches these from elsewhere where a page has a diagram, a light box or a runnable cell."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"class=\"(?:[^\"]* )?(mermaid|glightbox|pyodide)\b", text), page.name


def test_the_reference_is_made_of_the_docstrings(site: Path) -> None:
    text = re.sub(r"<[^>]+>", "", (site / "api.html").read_text(encoding="utf-8"))
    assert "Is the chain at point lost in a ladder when to_play moves first?" in text
    assert "Takes the last move, or a resignation, back." in text  # of the compiled core
