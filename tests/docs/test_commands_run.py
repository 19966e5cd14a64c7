"""The commands of the docs, one page after the other, really run: with small files and small budgets."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.workshop import all_commands, outputs, provide, smaller

pytestmark = pytest.mark.slow

# Not run: servers and clusters, which have tests of their own, and trainings of the papers' networks.
LEFT_OUT = (r"^play\b", r"--ray\b", r"--serve\b", r"^reproduce .*(2021-figure|2021-table-9|--data)", r"~/")
FILES = r"[\w./*-]+\.(?:games|onnx|safetensors|sgf|sgfs\.xz|sgfs|bin\.gz|zip|h5|toml|data)\b"
PAGES = sorted({where.split(":")[0] for where, _ in all_commands()})


@pytest.mark.timeout(3600)  # minutes of work; a busy machine takes its time
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    made: set[str] = set()
    for where, words in all_commands():
        if where.split(":")[0] != page or not _can_run(words):
            continue
        made |= outputs(words)
        _provide_all(tmp_path, words, made)
        _run(tmp_path, smaller(words))


def _can_run(words: list[str]) -> bool:
    text = " ".join(words)
    if "gnugo" in text and not (shutil.which("gnugo") or Path("/usr/games/gnugo").exists()):
        return False
    return not any(re.search(pattern, text) for pattern in LEFT_OUT)


def _provide_all(folder: Path, words: list[str], made: set[str]) -> None:
    """Files and folders that the command names and no earlier one made."""
    for word in words:
        for name in re.findall(FILES, word):
            if name not in made:
                provide(folder / name.replace("*", "some"))
        if word in {"games/", "my-games/", "handed-in", "handed-in/"}:
            numbers, suffix = ("12", ".onnx") if "handed" in word else ("1234", ".sgf")
            for number in numbers:
                provide(folder / word / f"{number}{suffix}")


def _run(folder: Path, words: list[str]) -> None:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(part for part in sys.path if part),
        "TESUJI_HOME": str(folder / "home"),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tesuji", *_globbed(folder, words)], cwd=folder, env=environment, input="quit\n",
        capture_output=True, text=True, check=False, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, f"tesuji {' '.join(words)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"


def _globbed(folder: Path, words: list[str]) -> list[str]:
    """Patterns as a shell expands them; a star alone stood in quotes."""
    found = []
    for word in words:
        is_pattern = "*" in word and word != "*"
        matches = sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if is_pattern else []
        found += matches or [word]
    return found
