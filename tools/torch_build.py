"""`make test` and all that needs PyTorch: takes the build for processors where there is no GPU.

On Linux the index gives PyTorch with everything for NVIDIA cards, several gigabytes; the build for processors lies
elsewhere, where `uv` finds it by itself. What pip would take is looked at first: nothing is to do where it is small
already (other systems, mirrors), where there is a card, or where PyTorch is installed. Without uv's success pip takes
what it finds, as it would have anyway.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement  # in an environment just made there is no other

ROOT = Path(__file__).parent.parent
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# uv would try for minutes where there is no way out; pip is the better one then.
PATIENCE = {"UV_HTTP_TIMEOUT": "20", "UV_HTTP_RETRIES": "1"}


def requirement() -> str:
    """The versions of PyTorch that the package asks for: pyproject.toml says it."""
    found = re.search(r'"(torch[<>=][^"]*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert found, "pyproject.toml names no torch"
    return found[1]


def is_for_cards(needs: Iterable[str]) -> bool:
    """Whether a build with these requirements brings the libraries of NVIDIA cards along, here."""
    parsed = [Requirement(need) for need in needs]
    here = [need.name for need in parsed if need.marker is None or need.marker.evaluate({"extra": ""})]
    return any(re.match(r"nvidia|cuda", name) for name in here)


def offered() -> list[str]:
    """What the build that pip would install requires."""
    asked = ["install", "--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", "-", requirement()]
    said = subprocess.run([*PIP, *asked], capture_output=True, text=True, check=False)
    if said.returncode:
        return []  # pip will say it better when it is asked in earnest
    (torch,) = json.loads(said.stdout)["install"]
    needs: list[str] = torch["metadata"].get("requires_dist", [])
    return needs


def has_card() -> bool:
    """Whether there is a GPU for which the large build would be of use."""
    return shutil.which("nvidia-smi") is not None or Path("/dev/nvidia0").exists()


def main() -> int:
    """Installs the small build where it is the right one; never fails."""
    if importlib.util.find_spec("torch") or has_card() or not is_for_cards(offered()):
        return 0
    print("No GPU here: fetching PyTorch for processors, about 200 MB instead of gigabytes", flush=True)
    take = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable, "--torch-backend", "cpu"]
    steps = ([*PIP, "install", "--quiet", "uv>=0.7.14"], [*take, requirement()])
    if not all(subprocess.run(step, env=os.environ | PATIENCE, check=False).returncode == 0 for step in steps):
        print("It cannot be had from here; taking what pip finds, with everything for GPUs", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
