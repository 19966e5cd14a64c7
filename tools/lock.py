"""Writes `requirements.lock`: every package that development and CI install, with the hashes of its files.

`python tools/lock.py` needs uv. The lock serves all systems and versions of Python we support and names no registry;
`pip install --require-hashes -r requirements.lock` refuses whatever has been changed since.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
HEAD = "# What development and CI install, by hash. Written by `make lock`; do not edit.\n"


def main() -> int:
    """Asks uv, and takes out of its answer what names a registry."""
    uv = shutil.which("uv")
    if uv is None:
        print("make lock needs uv: pip install uv", file=sys.stderr)
        return 1
    command = [uv, "pip", "compile", "pyproject.toml", "--extra", "dev", "--universal", "--generate-hashes"]
    command += ["--no-emit-index-url", "--no-header", "--no-annotate", "--python-version", "3.10", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return done.returncode
    lines = [line for line in done.stdout.splitlines(keepends=True) if not re.match(r"(--|#)", line)]
    text = HEAD + "".join(lines)
    if "://" in text:
        print("the lock would name an address; install from an index only", file=sys.stderr)
        return 1
    LOCK.write_text(text, encoding="utf-8")
    print(f"{LOCK.name}: {sum('==' in line for line in lines)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
