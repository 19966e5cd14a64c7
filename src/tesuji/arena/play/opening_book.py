"""The openings of a tournament: as many as it needs, kept beside its results so that a resumed one has the same."""

import json
import re
from pathlib import Path

from tesuji.arena.play import openings as opening_sources
from tesuji.arena.play.openings import EMPTY, Opening
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.hall import Hall
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically


class OpeningBook:
    """The openings of one tournament."""

    def __init__(self, settings: Settings, hall: Hall) -> None:
        self.settings, self.hall = settings, hall
        self.notes: list[str] = []
        """What the reader of the results should know about them."""

    def openings(self, file: Path | None = None) -> list[Opening]:
        """As many as the tournament needs, or as there are."""
        count = self.settings.games if self.settings.colors != "both" else max(1, self.settings.games // 2)
        kept = self._read(file) if file else []
        if len(kept) >= count:
            return kept[:count]
        fresh = self._make(count)
        listed = list(opening_sources.distinct([*kept, *fresh]))[:count] if fresh != [EMPTY] else fresh
        moves = [list(opening.moves) for opening in listed]
        if file and moves != [list(opening.moves) for opening in kept]:
            file.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"openings": self.settings.openings, "moves": moves})
            write_atomically(file, text + "\n")
        return listed

    def _read(self, file: Path) -> list[Opening]:
        if not file.exists():
            return []
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            return [Opening(tuple(moves), self.settings.conditions.size) for moves in kept["moves"]]
        except (ValueError, TypeError, KeyError) as fault:
            raise InputError(f"{file}: damaged ({fault}); remove it to draw the openings anew") from None

    def _make(self, count: int) -> list[Opening]:
        source, length = parse_openings(self.settings.openings, self.settings.conditions.size)
        size = self.settings.conditions.size
        if source == "auto":
            return self._balanced(count, length)
        if source == "none":
            return [EMPTY]
        if source == "random":
            return self._random(count, length)
        path = Path(source)
        if not path.exists():
            raise FileNotFoundError(f"openings: no file or folder '{source}'")
        if path.is_dir() or path.suffix.lower() == ".sgf":
            files = sorted(path.rglob("*.sgf")) if path.is_dir() else [path]
            return opening_sources.from_sgf_files(files, length, size, count)
        return opening_sources.from_packed(path, length, size, count, self.settings.conditions.seed)

    def _balanced(self, count: int, length: int) -> list[Opening]:
        """Drawn from a network where one plays and finds balanced ones; else games begin on the empty board."""
        if self.hall.referee is None:
            return [EMPTY]
        try:
            return self._random(count, length)
        except ValueError as fault:  # as at an extreme komi
            self.notes.append(f"Games begin on the empty board: {fault}.")
            return [EMPTY]

    def _random(self, count: int, length: int) -> list[Opening]:
        if self.hall.referee is None:
            raise InputError("random openings are checked by a network: name one as --referee")
        conditions = self.settings.conditions
        return opening_sources.drawn(
            self.hall.referee.judge,
            count,
            length=length,
            size=conditions.size,
            komi=conditions.komi,
            rules=conditions.rules,
            seed=conditions.seed,
        )


def parse_openings(text: str, size: int) -> tuple[str, int]:
    """The source and the number of moves: `random:6`, `train.games:8`, `suite/`."""
    found = re.fullmatch(r"(.+?):(\d+)", text)
    usual = size // 2 if size <= 7 else 6 if size <= 9 else 8 if size <= 13 else 12
    source, length = (found[1], int(found[2])) if found else (text, usual)
    if not 1 <= length <= size * size // 2:
        raise InputError(f"openings={text}: between 1 and {size * size // 2} moves on this board")
    return source, length
