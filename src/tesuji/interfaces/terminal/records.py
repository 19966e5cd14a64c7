"""Games that a command is pointed at: SGF files, collections of several games, folders, archives of any kind."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from tesuji.base.errors import InputError
from tesuji.go.sgf.files import GameRecord, read_collection, read_record, write_tree
from tesuji.training.data.record_sources import RecordSources, kind_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """One record and where it was."""

    name: str
    """Unlike all others, fit for a file."""
    record: GameRecord
    asked_for: bool
    """Whether the file was named itself, and holds this game alone."""


def read_games(paths: Sequence[Path], most: int) -> list[Found]:
    """At most so many games; those of folders, collections and archives that cannot be read are told and left out."""
    found: list[Found] = []
    names: set[str] = set()
    for name, data, asked_for in _texts(paths):
        if len(found) >= most:
            log.warning("the first %d games are taken; --most takes more", most)
            break
        try:
            record = read_record(data)
            if not record.game.moves:
                raise InputError(f"{name}: there are no moves to review")
        except InputError as fault:
            if asked_for:
                raise
            log.warning("left out: %s", str(fault).splitlines()[0].replace("SGF data: ", f"{name}: ", 1))
            continue
        name = _fit(name)
        while name in names or name == "index":
            name += "_"
        names.add(name)
        found.append(Found(name, record, asked_for))
    return found


def _fit(name: str) -> str:
    return re.sub(r"[^\w.+ ()\[\]-]", "_", name)[:120].strip(". ") or "game"


def _texts(paths: Sequence[Path]) -> Iterator[tuple[str, Path | bytes, bool]]:
    """Name and content of each game, and whether it was asked for by its own name."""
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.is_file() and kind_of(file.name) not in {None, "teacher", "games.data"}:
                    yield from _of_file(file, asked_for=False)
        elif path.is_file():
            yield from _of_file(path, asked_for=True)
        else:
            raise InputError(f"no file or folder '{path}'")


def _of_file(path: Path, asked_for: bool) -> Iterator[tuple[str, Path | bytes, bool]]:
    if kind_of(path.name) in {None, "trees"}:
        games = _split(path)
        if len(games) < 2:
            yield path.stem, path, asked_for  # by its path, so that faults name it
        else:
            yield from ((f"{path.stem}-{number}", game, False) for number, game in enumerate(games, 1))
        return
    number = 0
    for piece in RecordSources([path]):
        if piece.kind == "fault":
            log.warning("left out: %s: %s", piece.name, bytes(piece.data).decode("utf-8", "replace"))
        elif piece.kind in {"lines", "trees"}:
            stem = PurePath(piece.name).name.split(".")[0]
            data = bytes(piece.data)
            games = data.splitlines() if piece.kind == "lines" else _split(data) or [data]
            for game in games:
                if game.strip():
                    number += 1
                    single = piece.kind == "trees" and len(games) == 1
                    yield stem if single else f"{stem}-{number}", game, False


def _split(source: Path | bytes) -> list[bytes]:
    """The games of a collection, each as a file of its own; none where there is one alone or nothing can be read."""
    try:
        trees = read_collection(source)
    except InputError:
        return []
    return [write_tree(tree) for tree in trees] if len(trees) > 1 else []
