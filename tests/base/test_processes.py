"""A script that starts workers is run once, though nothing in it guards against being run again."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from concurrent.futures import ProcessPoolExecutor
from tesuji.base.processes import SPAWN

print("run")
one = SPAWN.Process(target=sys.exit, args=(3,))
one.start()
one.join()
with ProcessPoolExecutor(1, SPAWN) as pool:
    print(one.exitcode, pool.submit(abs, -2).result(), __file__ == sys.argv[0], __spec__)
"""


def test_a_script_without_a_guard_is_run_once(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=100)
    assert done.stdout.splitlines() == ["run", "3 2 True None"], done.stderr
