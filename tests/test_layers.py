"""Imports point down the layers only. Read from the source text, so that no optional package is needed."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tesuji"

# docs/architecture.md describes the layers. Networks and search share a layer and do not know each other.
LAYERS = {
    "_core": 0,
    "base": 1,
    "go": 2,
    "ladder": 2,
    "features": 3,
    "networks": 4,
    "search": 4,
    "training": 5,
    "golois": 6,
    "arena": 6,
    "learning": 7,
    "reviews": 7,
    "experiments": 8,
    "interfaces": 9,
    "__main__": 10,
}
WITHOUT_TORCH = {"go", "ladder", "features", "search"}
MODULES = {
    ".".join(("tesuji", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}


def part_of(module: str) -> str:
    """The part of the package a module belongs to: `tesuji.go.sgf.files` -> `go`."""
    return module.split(".")[1] if "." in module else ""


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def lazy_names() -> dict[str, str]:
    """`tesuji.NAME` -> the module that defines it, as the package's own table says."""
    for node in parsed("tesuji").body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "_LAZY":
            assert node.value is not None
            return dict(ast.literal_eval(node.value))
    raise AssertionError("no table _LAZY in tesuji/__init__.py")


def imports(module: str) -> Iterator[str]:
    """Every module that `module` imports, wherever in the file; names of the package count as what defines them."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            yield from (resolve(base, alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tesuji":
            yield resolve("tesuji", node.attr)


def resolve(base: str, name: str) -> str:
    if f"{base}.{name}" in MODULES:
        return f"{base}.{name}"
    if base == "tesuji":
        return lazy_names().get(name, "tesuji._core")
    return base


def test_every_part_of_the_package_has_a_layer() -> None:
    unknown = {part_of(module) for module in MODULES} - set(LAYERS) - {""}
    assert not unknown, f"give these a layer in {Path(__file__).name}: {sorted(unknown)}"


@pytest.mark.parametrize("module", [module for module in MODULES if module != "tesuji"])
def test_imports_point_down(module: str) -> None:
    own = part_of(module)
    for imported in imports(module):
        if imported.split(".")[0] != "tesuji" or imported == "tesuji":
            continue
        other = part_of(imported)
        assert other == own or LAYERS[other] < LAYERS[own], f"{module} imports {imported}, which is not below it"


def test_the_package_itself_loads_only_the_core() -> None:
    for node in parsed("tesuji").body:
        if isinstance(node, ast.ImportFrom):
            assert node.module in {
                "typing",
                "collections.abc",
                "tesuji._core",
                "tesuji.base.errors",
                "tesuji.go.errors",
            }, f"import tesuji loads {node.module}"


@pytest.mark.parametrize("module", [module for module in MODULES if part_of(module) in WITHOUT_TORCH])
def test_playing_needs_no_torch(module: str) -> None:
    assert not {name.split(".")[0] for name in imports(module)} & {"torch", "keras", "tensorflow"}


@pytest.mark.parametrize("module", [module for module in MODULES if part_of(module) not in {"interfaces", "__main__"}])
def test_only_interfaces_print(module: str) -> None:
    calls = [node for node in ast.walk(parsed(module)) if isinstance(node, ast.Call)]
    assert not [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


@pytest.mark.parametrize("module", list(MODULES))
def test_files_can_be_read_in_one_sitting(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("module", list(MODULES))
def test_functions_fit_a_screen(module: str) -> None:
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[ast.get_docstring(node) is not None and len(node.body) > 1]
            assert (node.end_lineno or 0) - first.lineno < 50, f"{module}.{node.name} is long; what are its parts?"


def test_the_architecture_names_files_that_exist() -> None:
    root = SOURCE.parent.parent
    text = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = {path.name for folder in ("src", "tests", "tools", "benchmarks") for path in (root / folder).rglob("*.py")}
    named = {name.rpartition("/")[2] for name in re.findall(r"`([\w./]+\.py)`", text)}
    assert sorted(named - there) == []


def test_a_wrong_import_would_be_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    from ..search import tree\n")
    monkeypatch.setitem(MODULES, "tesuji.networks.bad", bad)
    assert "tesuji.search" in [name.removesuffix(".tree") for name in imports("tesuji.networks.bad")]
    with pytest.raises(AssertionError, match="not below"):
        test_imports_point_down("tesuji.networks.bad")
