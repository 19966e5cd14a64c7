"""No link of README and docs leads nowhere, and the reference names all that is public."""

import re
from pathlib import Path

import pytest

import tesuji
from tests.docs.pages import PAGES, ROOT, anchors, links, text_of
from tesuji.experiments.recipe import recipes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name} links to {link}, which is not there"
        if anchor:
            assert anchor in anchors(target), f"{page.name} links to {link}; {target.name} has no such heading"


def test_a_dead_link_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](nowhere.md)\n")
    with pytest.raises(AssertionError, match="not there"):
        test_links_lead_somewhere(page)
    page = tmp_path / "other.md"
    page.write_text("# Here, too\n[fine](#here-too) [b](#there)\n")
    with pytest.raises(AssertionError, match="no such heading"):
        test_links_lead_somewhere(page)


def test_files_and_modules_that_are_named_exist() -> None:
    """In code spans: `cpp/records/pack.h`, `python -m benchmarks.soak`."""
    for page in PAGES:
        if page.name in {"CHANGELOG.md", "results.md"}:  # they tell of earlier days
            continue
        spans = re.findall(r"`([^`\n]+)`", text_of(page))
        named = [span for span in spans if re.fullmatch(r"(?:src|cpp|docs|tests|tools|benchmarks)/[\w./-]*\w", span)]
        modules = re.findall(r"python -m ((?:tests|benchmarks)\.[\w.]+\w)", text_of(page))
        named += [module.replace(".", "/") for module in modules]
        for name in named:
            there = [ROOT / name, ROOT / f"{name}.py"]
            if page.name == "architecture.md":  # below a heading that names the folder
                there.append(ROOT / "tests" / name)
            assert any(path.exists() for path in there), f"{page.name} names {name}, which is not there"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        files = [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if "://" not in link]
        waiting += [file for file in files if file.suffix == ".md" and file.is_file()]
    first = {(ROOT / link.partition("#")[0]).resolve() for link in links(ROOT / "README.md")}
    assert set(PAGES) - reached <= {ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"}
    assert {ROOT / "docs" / name for name in ("learning.md", "scaling.md", "reproduce.md", "data.md")} <= first


def test_the_papers_are_named_and_linked() -> None:
    told = text_of(ROOT / "docs" / "reproduce.md")
    for title in ("Spatial Average Pooling", "Mobile Networks", "Improving Model and Search"):
        assert re.search(rf"\[{title} for Computer Go\]\(https://", told), title
    first = " ".join(re.findall(r"^\| ([^|]*) \|", told, re.MULTILINE))
    assert {name.split("-")[0] for name in recipes()} <= set(re.findall(r"\w+", first)), "a paper without a line"
    assert "Learning to Play Go" in told or "Learning to Play Go" in text_of(ROOT / "docs" / "start" / "researchers.md")


def test_the_reference_names_everything_public() -> None:
    shown = re.findall(r"^::: tesuji\.(\w+)", text_of(ROOT / "docs" / "api.md"), re.MULTILINE)
    assert len(shown) == len(set(shown)), "docs/api.md shows a name twice"
    wanted = set(tesuji.__all__) - {"BLACK", "WHITE", "PASS"}  # told in words
    assert set(shown) == wanted, "give every name of tesuji.__all__ a line `::: tesuji.NAME` in docs/api.md"


def test_every_page_stands_in_the_navigation() -> None:
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]))
    there = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert named == there, "mkdocs.yml lists every page of docs/ under nav, and no other"


def test_the_errors_it_explains_exist() -> None:
    table = text_of(ROOT / "docs" / "faq.md").split("| message |")[1].split("\n\n")[0]
    messages = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    assert len(messages) > 10
    folders = [ROOT / "src", ROOT / "tools", ROOT / "cpp"]
    sources = [path for folder in folders for kind in ("*.py", "*.cpp", "*.h") for path in folder.rglob(kind)]
    source = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for message in messages:
        assert message in source, f"docs/faq.md explains '{message}', which no file says any more"
