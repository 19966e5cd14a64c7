"""A visitor's games on disk: one SGF file each, kept as they are played, found again by players, date or collection."""

import contextlib
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.go.results import parse_result
from tesuji.go.sgf.files import read_tree, write_tree
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.seats import SEATS
from tesuji.interfaces.web.words.words import Words

MOST_GAMES = 2000  # of one visitor; the oldest make room
MOST_BYTES = 512 << 20  # of all visitors together, who cost nothing to become; here, too, the oldest make room
_LEFT = 0.9  # of that, where they made room, so that the whole is seldom looked through
_BLOCK = 4096  # what the smallest file takes of a disk
COLLECTION = "XCO"
"""Our own property of a root: the collection that a visitor put the game into."""
_VALUE = rb"\[[^\\\]]*(?:\\.[^\\\]]*)*\]"  # of a property, whatever is escaped in it
_ROOT = re.compile(rb"\s*\(\s*;[^\[;()]*(?:%b[^\[;()]*)*" % _VALUE, re.DOTALL)
_MAIN_LINE = re.compile(rb"[^\[)]*(?:%b[^\[)]*)*" % _VALUE, re.DOTALL)  # the first to end: others begin behind it
_KEY, _NAME = re.compile(r"[A-Za-z0-9_-]{16,64}"), re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class KeptGame:
    """What the list shows of a game."""

    name: str
    """Of its file, without the ending."""
    black: str
    white: str
    result: str
    date: str
    size: int
    moves: int
    collection: str
    running: bool
    """Whether somebody can go on with it; a record without a result is nobody's to finish."""

    @classmethod
    def of(cls, name: str, record: bytes) -> "KeptGame":
        """What a record says of itself: its root is read, no more, for a list may have thousands of large ones."""
        root, line = read_tree(_found(_ROOT, record) + b")"), _found(_MAIN_LINE, record)
        return cls(
            name=name,
            black=root.text("PB")[:60],
            white=root.text("PW")[:60],
            result=parse_result(root.text("RE")) or "",
            date=root.text("DT")[:10],
            size=root.size,
            moves=re.sub(_VALUE, b"", line, flags=re.DOTALL).count(b";") - 1,
            collection=root.text(COLLECTION)[:60],
            running=SEATS in root.properties and not root.text("RE"),
        )

    def players(self, words: Words) -> str:
        """`Ann – Bob`."""
        return f"{self.black or words('color.black')} – {self.white or words('color.white')}"

    def facts(self, words: Words) -> list[str]:
        """All else that the list says of it."""
        ended = words.result(self.result) if self.result else words("games.unfinished") if self.running else ""
        all_of_it = (self.date, f"{self.size} × {self.size}", words("games.moves", count=self.moves), ended)
        return [fact for fact in (*all_of_it, self.collection) if fact]

    def fits(self, wanted: Iterable[str], words: Words) -> bool:
        """Whether every word of a search is found in what the list says, or in what players write for it."""
        written = (self.players(words), *self.facts(words), self.result, f"{self.size}x{self.size}")
        whole = " ".join(written).lower()
        return all(word.lower() in whole for word in wanted)


class Archive:
    """A folder with a folder of games for each visitor."""

    def __init__(self, folder: Path, in_play: Callable[[], Collection[tuple[str, str]]] = tuple) -> None:
        """`in_play` tells the games, by visitor and name, that never make room."""
        self.folder = folder
        self._in_play = in_play
        self._known: dict[Path, tuple[float, KeptGame]] = {}
        self._bytes = 0
        """Of all games, or more: what was thrown away is not noticed before the next `prune`."""
        self.prune()

    def _of(self, visitor: str) -> Path:
        if not _KEY.fullmatch(visitor):
            raise InputError("not the key of a visitor")
        return self.folder / visitor

    def _path(self, visitor: str, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise InputError("not the name of a kept game")
        return self._of(visitor) / f"{name}.sgf"

    def keep(self, visitor: str, name: str, root: Node) -> None:
        """Writes a game, in place of what was kept of it before."""
        path = self._path(visitor, name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        before = _taken(path.stat().st_size) if path.exists() else 0
        data = write_tree(root)
        write_atomically(path, data)
        if not before:
            for old in self._files(visitor)[MOST_GAMES:]:
                self._throw_away(old)
        self._bytes += _taken(len(data)) - before
        if self._bytes > MOST_BYTES:
            self.prune()

    def prune(self) -> None:
        """Keeps all games together within their bound: where they are beyond it, the oldest go, none that is played."""
        found: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("*/*.sgf"):
            if not _NAME.fullmatch(path.stem):
                continue  # put there by hand: not ours to throw away
            with contextlib.suppress(OSError):  # another server has just removed it
                told = path.stat()
                found.append((told.st_mtime, _taken(told.st_size), path))
        self._bytes = sum(size for _, size, _ in found)
        if self._bytes <= MOST_BYTES:
            return
        played = set(self._in_play())
        for _, size, path in sorted(found):
            if self._bytes <= MOST_BYTES * _LEFT:
                break
            if (path.parent.name, path.stem) not in played:
                self._throw_away(path)
                self._bytes -= size

    def _throw_away(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._known.pop(path, None)
        with contextlib.suppress(OSError):  # others are in it
            path.parent.rmdir()

    def _files(self, visitor: str) -> list[Path]:
        """The newest first."""
        found = [(path.stat().st_mtime, path) for path in self._of(visitor).glob("*.sgf") if _NAME.fullmatch(path.stem)]
        return [path for _, path in sorted(found, reverse=True)]

    def games(self, visitor: str) -> list[KeptGame]:
        """A visitor's games, the newest first; files that cannot be read are left out."""
        kept = [self._known_game(path) for path in self._files(visitor)]
        return [game for game in kept if game is not None]

    def _known_game(self, path: Path) -> KeptGame | None:
        changed = path.stat().st_mtime
        if path not in self._known or self._known[path][0] != changed:
            try:
                self._known[path] = (changed, KeptGame.of(path.stem, path.read_bytes()))
            except (InputError, OSError):
                return None
        return self._known[path][1]

    def read(self, visitor: str, name: str) -> bytes:
        """A kept game as it was written. Raises `OSError` where there is none."""
        return self._path(visitor, name).read_bytes()

    def remove(self, visitor: str, name: str) -> None:
        """Throws a game away."""
        self._throw_away(self._path(visitor, name))

    def collect(self, visitor: str, name: str, collection: str) -> None:
        """Puts a game into a collection; the empty name takes it out."""
        root = read_tree(self._path(visitor, name))
        root.set_text(COLLECTION, collection.strip()[:60])
        self.keep(visitor, name, root)


def _found(pattern: re.Pattern[bytes], record: bytes) -> bytes:
    match = pattern.match(record)
    return match[0] if match else b""


def _taken(size: int) -> int:
    """What a file of this length takes of a disk."""
    return max(1, -(-size // _BLOCK)) * _BLOCK
