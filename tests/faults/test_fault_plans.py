"""Every writer killed at every operation it makes on its files, then resumed: nothing lost, nothing twice."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.writers import WRITERS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("the harness needs Linux and a C compiler")
    made = tmp_path_factory.mktemp("faults") / "stop_at.so"
    source = Path(__file__).parent / "stop_at.c"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"], check=True)
    return made


SLOW = {"checkpoints", "shards", "packed"}
NAMES = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in WRITERS]


@pytest.mark.parametrize("name", NAMES)
def test_killed_at_every_operation(name: str, library: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.faults.run", name]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    plans = int(done.stdout.split(":")[1].split()[0])
    assert plans >= 8, done.stdout
