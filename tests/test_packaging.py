"""What the package says of itself: one version, one name, files the workflows rely on."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import tesuji

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


def test_what_may_break_us_has_an_upper_bound(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"].values()
    listed = [*project["project"]["dependencies"], *(text for extra in extras for text in extra)]
    bounded = {re.split(r"[<>=\[; ]", text)[0] for text in listed if "<" in text.split(";")[0]}
    assert {"nicegui", "torch", "onnxruntime", "numpy", "keras", "ray"} <= bounded


def test_the_lock_pins_every_dependency_by_hash_and_names_no_registry(project: dict[str, Any]) -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    pinned = re.findall(r"^([a-z0-9_.-]+)==\S+.*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(pinned) == len(re.findall(r"^[a-z]", text, re.MULTILINE))
    extras = project["project"]["optional-dependencies"]
    wanted = {re.split(r"[\[<>=;~! ]", one)[0] for part in extras.values() for one in part}
    wanted |= {re.split(r"[\[<>=;~! ]", one)[0] for one in project["project"]["dependencies"]}
    assert {name.lower() for name in wanted} - {project["project"]["name"]} <= set(pinned)
