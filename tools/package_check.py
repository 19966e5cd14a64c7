"""`make package`: builds the source distribution, a wheel from nothing but that, and looks whether it is whole.

The wheel is built in an environment of its own and installed into a fresh one, where the command and the built-in
networks must work; docs/install.md must tell their sizes. Needs the package `build`; writes to build/package.
"""

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tesuji"
# What stands beside the sources without being one of them.
LEFT_OUT = {".pyc", ".so", ".pyd"}
TRY = """
import tesuji
game = tesuji.Game(9)
game.play("E5")
for name in ("default-9x9", "default-19x19"):
    evaluate = tesuji.load(name)
    evaluate(tesuji.encode([tesuji.Game(evaluate.info.size or 19)], evaluate.planes), komi=[7.5])
print("rules, networks and core work in", tesuji.__file__)
"""


def wanted_files() -> set[str]:
    """Every file the package consists of, as `tesuji/...`; the stub of the core is made by the build."""
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in LEFT_OUT}
    return {f"tesuji/{path.relative_to(PACKAGE).as_posix()}" for path in files} | {"tesuji/_core.pyi"}


def missing_files(present: set[str]) -> list[str]:
    """What a list of installed files lacks."""
    core = any(name.startswith("tesuji/_core.") and not name.endswith(".pyi") for name in present)
    return sorted(wanted_files() - present) + ([] if core else ["tesuji/_core (the compiled core)"])


def build(folder: Path) -> tuple[Path, Path]:
    """Source distribution and wheel; the wheel sees only what the source distribution holds."""
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)], check=True)
    source = max(folder.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as apart:
        with tarfile.open(source) as archive:
            archive.extractall(apart, filter="data")
        inside = next(Path(apart).iterdir())
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(inside)], check=True)
    return source, max(folder.glob("*.whl"), key=lambda path: path.stat().st_mtime)


def try_it(wheel: Path) -> None:
    """Installs the wheel into a fresh environment and uses it there."""
    with tempfile.TemporaryDirectory() as apart:
        home = Path(apart)
        venv.create(home, with_pip=True)
        bin_folder = home / ("Scripts" if sys.platform == "win32" else "bin")
        python = str(bin_folder / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        subprocess.run([python, "-c", TRY], check=True, cwd=apart)
        for words in (["--version"], ["board", "--help"]):
            subprocess.run([str(bin_folder / "tesuji"), *words], check=True, cwd=apart, stdout=subprocess.DEVNULL)


def wrong_sizes(sizes: dict[str, float], page: str) -> list[str]:
    """What the page on installing says of a size in MB that is no longer true, by more than a twentieth."""
    wrong = []
    for name, size in sizes.items():
        found = re.search(rf"{name} (?:of Tesuji itself is )?([0-9.]+) MB", page)
        if not found or abs(float(found[1]) - size) > size / 20:
            wrong.append(f"docs/install.md gives the {name} {found[1] if found else 'no'} MB; it has {size:.1f}")
    return wrong


def main() -> int:
    """Says what is missing, or the sizes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("wheel", nargs="?", type=Path, help="a wheel to look at, instead of building one")
    arguments.add_argument("--files", action="store_true", help="look at its files only; do not install it")
    asked = arguments.parse_args()
    given = asked.wheel
    if given is None:
        folder = ROOT / "build" / "package"
        folder.mkdir(parents=True, exist_ok=True)
        source, given = build(folder)
        print(f"{source.name}: {source.stat().st_size / 1e6:.1f} MB")
        sizes = {"wheel": given.stat().st_size / 1e6, "source": source.stat().st_size / 1e6}
        if wrong := wrong_sizes(sizes, (ROOT / "docs" / "install.md").read_text(encoding="utf-8")):
            print("; ".join(wrong), file=sys.stderr)
            return 1
    with zipfile.ZipFile(given) as archive:
        missing = missing_files(set(archive.namelist()))
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if missing:
        print(f"{given.name} lacks {', '.join(missing)}", file=sys.stderr)
        return 1
    if not asked.files:
        try_it(given)
    print(f"{given.name}: {given.stat().st_size / 1e6:.1f} MB, {unpacked / 1e6:.1f} MB installed; no file missing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
