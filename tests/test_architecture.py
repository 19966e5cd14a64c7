"""docs/architecture.md names every file of the core and of the package, and its order is the order of use.

A file uses only what stands above it in the list or in the same row; files of one row may use each other. In C++ the
folders stand one upon the other and headers keep the order of the list; a `.cpp` may know all headers of its folder.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.test_layers import MODULES, imports, part_of

ROOT = Path(__file__).parent.parent
CORE, PACKAGE = ROOT / "cpp", ROOT / "src" / "tesuji"

# What the files of each folder may include beside their own.
MAY_INCLUDE = {
    "base": set[str](),
    "go": {"base"},
    "planes": {"base", "go"},
    "records": {"base", "go", "planes"},
    "samples": {"base", "go", "planes", "records"},
    "tree": {"base", "go", "planes"},
    "bindings": {"base", "go", "planes", "records", "samples", "tree"},
    "drivers": {"base", "go", "planes", "records", "samples", "tree"},
}
SOURCES = sorted(path for path in CORE.rglob("*") if path.suffix in {".h", ".cpp"})


@dataclass(frozen=True)
class Listed:
    """The files of one part of the document: each with the number of its row."""

    rows: dict[str, int]
    unknown: list[str]
    """Names that no file has."""


@cache
def listed(title: str, files: frozenset[str]) -> Listed:
    """What the tables under this heading name. A name without a folder has that of the name before it in its row, or
    that of the last heading `**`folder/`**`; a folder at the end of a row stands for all its files."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}")[1].split("\n## ")[0]
    rows: dict[str, int] = {}
    unknown: list[str] = []
    heading = ""
    for number, line in enumerate(section.splitlines()):
        if found := re.match(r"\| \*\*`(\w+)/`\*\*", line):
            heading = found[1]
        elif line.startswith("| `"):
            folder = heading
            for name in re.findall(r"`([^`]+)`", line.split("|")[1]):
                here = _files_of(name, folder, files)
                rows.update(dict.fromkeys(here - set(rows), number))
                unknown += [name] if not here else []
                folder = name.rpartition("/")[0] if "/" in name.rstrip("/") else folder
    return Listed(rows, unknown)


def _files_of(name: str, folder: str, files: frozenset[str]) -> set[str]:
    """The files a name stands for, as written or below the folder."""
    for whole in (name, f"{folder}/{name}"):
        inside = {each for each in files if whole.endswith("/") and each.startswith(whole)}
        here = {whole} & files or inside
        if here:
            return here
    return set()


def core_listed() -> Listed:
    names = frozenset(str(path.relative_to(CORE).with_suffix("")) for path in SOURCES)
    return listed("The core", names)


def package_listed() -> Listed:
    return listed(
        "The package", frozenset(str(path.relative_to(PACKAGE)) for path in files_of_the_package()) | {"_core"}
    )


def files_of_the_package() -> list[Path]:
    """All that is written by hand; an `__init__.py` is the folder that the list names."""
    kinds = {".py", ".js", ".css", ".html"}
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in kinds and path.name != "__init__.py")


def test_every_file_of_the_core_is_listed_and_every_listed_one_exists() -> None:
    core = core_listed()
    assert core.unknown == []
    assert sorted({str(path.relative_to(CORE).with_suffix("")) for path in SOURCES} - set(core.rows)) == []


def test_every_file_of_the_package_is_listed_and_every_listed_one_exists() -> None:
    package = package_listed()
    assert [name for name in package.unknown if not (PACKAGE / name).is_dir()] == []  # folders of data have a line too
    there = {str(path.relative_to(PACKAGE)) for path in files_of_the_package()}
    assert sorted(there - set(package.rows)) == []


def included(path: Path) -> list[str]:
    """Our own headers that a file includes, from the root of the core and without their ending."""
    names = re.findall(r'^#include "([^"]+)\.h"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [name if "/" in name else f"{path.parent.name}/{name}" for name in names]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CORE)))
def test_includes_point_down(path: Path) -> None:
    name, folder = f"{path.parent.name}/{path.stem}", path.parent.name
    rows = core_listed().rows
    for other in included(path):
        its_folder = other.split("/")[0]
        assert its_folder == folder or its_folder in MAY_INCLUDE[folder], f"{name} includes {other}, not below it"
        if its_folder == folder and path.suffix == ".h":
            assert rows[other] <= rows[name], f"{name}.h includes {other}.h, which is listed below it"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CORE)))
def test_only_the_bindings_know_python(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.parent.name == "bindings" or ("nanobind" not in text and "Python.h" not in text)


def module_of(file: str) -> str:
    return ".".join(("tesuji", *Path(file).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("file", sorted(file for file in package_listed().rows if file.endswith(".py")))
def test_a_file_uses_what_stands_above_it(file: str) -> None:
    rows = {module_of(name): row for name, row in package_listed().rows.items() if name.endswith(".py")}
    own = module_of(file)
    for other in imports(own):
        if other in rows and other in MODULES and part_of(other) == part_of(own) and not own.startswith(f"{other}."):
            assert rows[other] <= rows[own], f"{own} uses {other}, which is listed below it"


def test_a_wrong_order_would_be_seen(tmp_path: Path) -> None:
    bad = tmp_path / "go" / "board.h"
    bad.parent.mkdir()
    bad.write_text('#include "tree/tree.h"\n')
    with pytest.raises(AssertionError, match="not below it"):
        test_includes_point_down(bad)
    bad.write_text('#include "go/game.h"\n')
    with pytest.raises(AssertionError, match="listed below it"):
        test_includes_point_down(bad)
