"""A whole tournament in one description, and the tournament made from it."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tesuji.arena.play import openings as opening_sources
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.openings import EMPTY, Opening
from tesuji.arena.play.schedule import Meetings, Schedule, Swiss, gauntlet, round_robin
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import Hall
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically

SCHEDULES = ("round-robin", "gauntlet", "swiss")
COLORS = ("both", "a-black", "b-black")


@dataclass(frozen=True)
class Settings:
    """Who plays whom, how often and under which conditions."""

    players: Sequence[PlayerDescription]
    conditions: Conditions = field(default_factory=Conditions)
    schedule: str = "round-robin"
    """`round-robin`, `gauntlet` (the first against all others) or `swiss`."""
    games: int = 100
    """Per meeting of two players."""
    rounds: int = 5
    """Of a Swiss tournament."""
    colors: str = "both"
    """`both`: each opening twice, colours swapped. `a-black`, `b-black`: the first or second named is Black."""
    openings: str = "auto"
    """`none`, `random[:MOVES]`, a packed game file, an SGF file or a folder of them `[:MOVES]`; see docs."""

    def __post_init__(self) -> None:
        for name, known in (("schedule", SCHEDULES), ("colors", COLORS)):
            if getattr(self, name) not in known:
                raise InputError(f"{name}={getattr(self, name)}: one of {', '.join(known)}")

    def fingerprint(self) -> str:
        """Short text that differs when players or conditions do; the number of games does not count."""
        parts = [self._record(), {player.name: player.record() for player in self.players}]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:8]

    def _record(self) -> dict[str, Any]:
        return {
            **self.conditions.record(),
            "schedule": self.schedule,
            "colors": self.colors,
            "openings": self.openings,
        }

    def record(self) -> Mapping[str, Any]:
        """What the results file states."""
        return self._record()

    def make_schedule(self, openings: Sequence[Opening]) -> Schedule:
        """The games to play."""
        names = [player.name for player in self.players]
        swap = self.colors == "both"
        if self.schedule == "swiss":
            return Swiss(names, self.rounds, self.games, openings, swap)
        make = gauntlet if self.schedule == "gauntlet" else round_robin
        meetings = make(names, self.games, openings, swap)
        if self.colors == "b-black":
            turned = [(second, first) for first, second in meetings.meetings]
            return Meetings(turned, self.games, openings, swap)
        return meetings


class OpeningBook:
    """The openings of a tournament, kept beside its results so that a resumed one has the same."""

    def __init__(self, settings: Settings, hall: Hall) -> None:
        self.settings, self.hall = settings, hall

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
            kept = json.loads(file.read_text())
            return [Opening(tuple(moves), self.settings.conditions.size) for moves in kept["moves"]]
        except (ValueError, TypeError, KeyError) as fault:
            raise InputError(f"{file}: damaged ({fault}); remove it to draw the openings anew") from None

    def _make(self, count: int) -> list[Opening]:
        source, length = parse_openings(self.settings.openings, self.settings.conditions.size)
        size = self.settings.conditions.size
        if source == "auto":
            source = "random" if self.hall.referee else "none"
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
    source, length = (found[1], int(found[2])) if found else (text, 6 if size <= 9 else 8 if size <= 13 else 12)
    if not 1 <= length <= size * size // 2:
        raise InputError(f"openings={text}: between 1 and {size * size // 2} moves on this board")
    return source, length
