"""Finds model files by name: those inside the package, the user's own, and plain paths."""

from pathlib import Path

from tesuji.base import machine
from tesuji.base.settings import did_you_mean

BUILTIN = Path(__file__).parent / "builtin"
HUMAN = "human-9x9"
"""The network that imitates people of any rank."""
KERAS = {".h5", ".hdf5", ".keras"}


def names() -> list[str]:
    """Every model that can be loaded by its name alone."""
    return sorted({path.stem for folder in (BUILTIN, machine.data_folder()) for path in folder.glob("*.onnx")})


def split_rank(name: str | Path) -> tuple[str, str]:
    """A network and the rank it is told: `human-9x9@12k` is human-9x9 and 12k; empty where none is told."""
    network, sign, rank = str(name).rpartition("@")
    if not sign or "/" in rank or "\\" in rank or Path(name).expanduser().is_file():
        return str(name), ""
    return network, rank


def find(name: str | Path) -> Path:
    """The file of a model by name or path, without its rank. Raises `FileNotFoundError` with the nearest name."""
    path = Path(split_rank(name)[0]).expanduser()
    if path.is_file():
        return path
    plain = str(path)
    if path.parent == Path(".") and not plain.startswith("."):
        for folder in (BUILTIN, machine.data_folder()):
            for candidate in (folder / f"{plain}.onnx", folder / plain):
                if candidate.is_file():
                    return candidate
    if path.suffix == ".onnx" or len(path.parts) > 1:
        raise FileNotFoundError(f"no model file '{name}'")
    known = names()
    otherwise = f"there are {', '.join(known) or 'none yet'}, or the path of a file"
    raise FileNotFoundError(f"no model '{plain[:60]}'{did_you_mean(plain, known, otherwise)}")
