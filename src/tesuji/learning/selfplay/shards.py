"""A folder of self-play games: packed shards that appear whole, from which no finished game is ever lost.

A shard is called after the numbers of its games, `0000120-0000163.games`. Finished games are written at once, as small
shards; small ones are joined into larger ones. Where a kill leaves both, the names tell that one holds the other.
"""

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji._core import PackedFile, PackedRecord
from tesuji.base.errors import InputError
from tesuji.base.files import append_whole, open_alone, write_atomically
from tesuji.learning.selfplay.played_game import PlayedGame
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack_games

ROWS = "games.jsonl"
SETTINGS = "settings.json"
_NAME = re.compile(r"(\d+)-(\d+)\.games")


@dataclass(frozen=True, order=True)
class Shard:
    """One packed file and the numbers of its games."""

    first: int
    last: int
    path: Path

    @property
    def games(self) -> int:
        return self.last - self.first + 1


def shards(folder: Path) -> list[Shard]:
    """The shards of a folder in order, those held by a larger one left out."""
    found = []
    for path in folder.glob("*.games"):
        match = _NAME.fullmatch(path.name)
        if match:
            found.append(Shard(int(match[1]), int(match[2]), path))
    kept: list[Shard] = []
    for shard in sorted(found, key=lambda shard: (shard.first, -shard.last)):
        if not kept or shard.last > kept[-1].last:
            kept.append(shard)
    return kept


def rows(folder: Path) -> list[dict[str, Any]]:
    """What was noted of every game; lines that a kill has cut are left out."""
    path = folder / ROWS
    if not path.is_file():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


class ShardFolder:
    """The folder as its one writer sees it. Use it as a context: it is locked while open."""

    def __init__(self, folder: Path, joined: int = 500, said: Callable[[str], None] = lambda line: None) -> None:
        """`joined` is how many games a large shard holds. Raises `ValueError` when somebody else writes here."""
        self.folder, self.joined = folder, joined
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = locked(folder / ".lock", f"'{folder}' is being written by another self-play")
        for name in folder.glob("*.part"):
            name.unlink(missing_ok=True)  # of a writer that was killed
        self._set_damaged_aside(said)
        self._remove_held()
        self._forget_unwritten()

    def __enter__(self) -> "ShardFolder":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def keep_to(self, kind: Mapping[str, object]) -> None:
        """Notes what kind of games the folder holds. Raises `InputError` when it holds another kind already."""
        path = self.folder / SETTINGS
        if path.is_file() and self.games:
            try:
                before = dict(json.loads(path.read_text(encoding="utf-8")))
            except (ValueError, TypeError) as fault:
                raise InputError(f"{path} cannot be read: {fault}") from None
            for name in sorted(before.keys() & kind.keys()):
                if before[name] != kind[name]:
                    told = "the file has changed" if name.endswith("sha256") else f"{before[name]}, not {kind[name]}"
                    raise InputError(
                        f"'{self.folder}' holds games of other settings ({name}: {told}); choose another folder"
                    )
        write_atomically(path, json.dumps(kind, indent=1) + "\n")

    @property
    def games(self) -> int:
        """Games stored."""
        return sum(shard.games for shard in shards(self.folder))

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Stores finished games; when this returns they survive a kill. Raises `OSError` on a full disk."""
        if not games:
            return
        noted = self._rows.stat().st_size if self._rows.exists() else 0
        try:
            append_whole(self._rows, "".join(json.dumps(game.row()) + "\n" for game in games))
            self._write(self._next(), [game.record() for game in games])
        except OSError as fault:
            if self._rows.exists():
                os.truncate(self._rows, noted)
            raise OSError(f"{self.folder}: {fault.strerror or fault}; all games before are kept") from fault
        if sum(shard.games for shard in self._small()) >= self.joined:
            self.join()

    def join(self) -> None:
        """Makes one shard of the small ones at the end; where the disk has no room for it, they serve as well."""
        small = self._small()
        if len(small) < 2:
            return
        with contextlib.suppress(OSError):
            self._write(small[0].first, [record for shard in small for record in GameSet(shard.path)])
            self._remove_held()

    def _write(self, first: int, records: Sequence[PackedRecord]) -> None:
        pack_games(records, self.folder / f"{first:07d}-{first + len(records) - 1:07d}.games")

    def _next(self) -> int:
        found = shards(self.folder)
        return found[-1].last + 1 if found else 0

    def _small(self) -> list[Shard]:
        """The shards after the last large one."""
        small: list[Shard] = []
        for shard in reversed(shards(self.folder)):
            if shard.games >= self.joined or (small and small[0].first != shard.last + 1):
                break
            small.insert(0, shard)
        return small

    def _remove_held(self) -> None:
        kept = {shard.path for shard in shards(self.folder)}
        for path in self.folder.glob("*.games"):
            if _NAME.fullmatch(path.name) and path not in kept:
                path.unlink()

    @property
    def _rows(self) -> Path:
        return self.folder / ROWS

    def _forget_unwritten(self) -> None:
        """Games are noted just before they are written: a kill between the two leaves a note without its game."""
        if self._rows.exists():
            lines = self._rows.read_bytes().splitlines(keepends=True)[: self._next()]
            os.truncate(self._rows, sum(len(line) for line in lines if line.endswith(b"\n")))

    def _set_damaged_aside(self, said: Callable[[str], None]) -> None:
        """A shard that cannot be read is renamed before anything relies on it; its small parts may still be there."""
        for path in self.folder.glob("*.games"):
            if not _NAME.fullmatch(path.name):
                continue
            try:
                PackedFile(str(path)).check()
            except (ValueError, OSError) as fault:
                path.rename(path.with_suffix(".damaged"))
                said(f"{fault}; set aside as {path.with_suffix('.damaged').name}, its games are played anew")


def locked(path: Path, refusal: str) -> int:
    """The descriptor of a file this process alone holds; `ValueError` when another one does."""
    try:
        return open_alone(path)
    except BlockingIOError:
        raise InputError(f"{refusal}; wait for it, or choose another folder") from None
