"""What the package says of itself: one version, one name, files the workflows rely on."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from packaging.requirements import Requirement

import tesuji
from tesuji.interfaces.cli import load
from tools.package_check import missing_files, wanted_files, wrong_sizes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/**/*.py"), ROOT / "pyproject.toml"]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place(project: dict[str, Any]) -> None:
    assert project["project"]["dynamic"] == ["version"]
    source = ROOT / project["tool"]["scikit-build"]["metadata"]["version"]["input"]
    assert re.findall(r'^__version__ = "(.+)"$', source.read_text(encoding="utf-8"), re.MULTILINE) == [
        tesuji.__version__
    ]


def test_extras_are_installed_by_the_name_of_the_distribution(project: dict[str, Any]) -> None:
    assert project["project"]["name"] == "tesuji-go"
    extras = set(project["project"]["optional-dependencies"])
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"['\"`]tesuji\[[a-z]", text), f"{path.name} names another project's package"
        for named in re.findall(r"tesuji-go\[([a-z,]+)\]", text):
            assert set(named.split(",")) <= extras


def test_the_extra_for_keras_brings_something_to_run_it_on(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"]
    assert "tesuji-go[train]" in extras["keras"]
    assert any(text.startswith("torch") for text in extras["train"])


def test_what_may_break_us_has_an_upper_bound(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"].values()
    listed = [*project["project"]["dependencies"], *(text for extra in extras for text in extra)]
    bounded = {re.split(r"[<>=\[; ]", text)[0] for text in listed if "<" in text.split(";")[0]}
    assert {"nicegui", "torch", "onnxruntime", "numpy", "keras", "ray"} <= bounded


@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="workflows are no part of the source distribution")
def test_every_python_that_is_promised_is_tested_and_gets_wheels(project: dict[str, Any]) -> None:
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    matrix = re.search(r"python: \[(.+)\]", workflow)
    assert matrix
    tested = re.findall(r"3\.\d+", matrix[1])
    built = re.findall(r"cp3(\d+)-", project["tool"]["cibuildwheel"]["build"])
    assert tested == [f"3.{minor}" for minor in built]
    assert project["project"]["requires-python"] == f">={tested[0]}"


def test_no_wheel_is_made_where_onnxruntime_has_none(project: dict[str, Any]) -> None:
    """onnxruntime 1.24 was the first for Python 3.14, and the first without wheels for Intel's Macs."""
    assert "cp314-macosx_x86_64" in project["tool"]["cibuildwheel"]["skip"].split()
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert "Macs with Intel processors play and review, on Python 3.10 to 3.13" in page


@pytest.mark.skipif(not (ROOT / ".github").is_dir(), reason="workflows are no part of the source distribution")
def test_the_weekly_run_tries_new_packages_on_a_python_that_has_them() -> None:
    weekly = (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8")
    assert "3.x" not in weekly, "the newest Python has no PyTorch for months: nothing would be tried at all"


def test_the_lock_pins_every_dependency_by_hash_and_names_no_registry() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    by_hash = re.findall(r"^[a-z0-9_.-]+==\S+.*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(by_hash) == len(re.findall(r"^[a-z]", text, re.MULTILINE))


def test_the_lock_pins_what_the_project_allows(project: dict[str, Any]) -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9_.-]+)==([^\s;]+)", text, re.MULTILINE):
        pinned.setdefault(name, []).append(version)  # several where versions of Python differ
    extras = project["project"]["optional-dependencies"]
    listed = [*project["project"]["dependencies"], *(one for name in extras if name != "fuzz" for one in extras[name])]
    for wanted in map(Requirement, listed):
        if wanted.name != project["project"]["name"]:
            versions = pinned.get(wanted.name.lower(), [])
            assert versions, wanted.name
            assert all(wanted.specifier.contains(version) for version in versions), (str(wanted), versions)


def test_no_file_of_the_package_is_missing_where_it_is_installed() -> None:
    """Beside the sources this is true by itself; `make test` installs the package as a wheel."""
    installed = Path(tesuji.__file__).parent
    assert missing_files({f"tesuji/{path.relative_to(installed).as_posix()}" for path in installed.rglob("*")}) == []


def test_a_missing_file_would_be_seen() -> None:
    files = wanted_files() | {"tesuji/_core.cpython-312-x86_64-linux-gnu.so"}
    assert {"tesuji/py.typed", "tesuji/_core.pyi", "tesuji/interfaces/web/page/static/board.js"} <= files
    assert missing_files(files) == []
    assert missing_files(files - {"tesuji/py.typed"}) == ["tesuji/py.typed"]
    assert missing_files(wanted_files()) == ["tesuji/_core (the compiled core)"]


def test_sizes_that_are_no_longer_true_would_be_seen() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    stated = re.search(r"a wheel of Tesuji itself is ([0-9.]+) MB, its source ([0-9.]+) MB", page)
    assert stated
    wheel, source = map(float, stated.groups())
    assert wrong_sizes({"wheel": wheel, "source": source + 0.3}, page) == []
    assert wrong_sizes({"wheel": wheel + 2, "source": source}, page) == [
        f"docs/install.md gives the wheel {wheel} MB; it has {wheel + 2:.1f}"
    ]
    assert wrong_sizes({"wheel": 1.0}, "nothing") == ["docs/install.md gives the wheel no MB; it has 1.0"]


def test_the_dockerfile_copies_what_there_is_and_starts_what_there_is(project: dict[str, Any]) -> None:
    """It cannot be run here."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"]
    for line in re.findall(r"^COPY (?!--from)(.+) /source\S*$", text, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists()
            assert name in kept, f".dockerignore leaves {name} out"
    assert set(re.findall(r"\[(\w+)\]\"$", text, re.MULTILINE)) == {"web", "cluster"}
    assert {"web", "cluster"} <= set(project["project"]["optional-dependencies"])
    command = json.loads(re.findall(r"^CMD (\[.+\])$", text, re.MULTILINE)[-1])
    typer.main.get_command(load(command[0])).make_context("play", command[1:])
