"""The results file: one JSON line per game, appended whole or not at all, and never counted twice."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tesuji._core import BLACK, WHITE
from tesuji.base.errors import InputError
from tesuji.base.files import open_alone
from tesuji.go.results import winner_of

FORMAT = 1


class ResultsError(InputError):
    """The results file does not fit this tournament, or somebody else writes it."""


@dataclass(frozen=True)
class SideRecord:
    """What one side spent on a game."""

    moves: int = 0
    """Moves chosen; those of the opening are nobody's."""
    seconds: float = 0.0
    descents: int = 0


@dataclass(frozen=True)
class GameResult:
    """One finished game."""

    key: str
    """Which game of the schedule this is; no other game has it."""
    black: str
    white: str
    result: str
    """`B+3.5`, `W+R` (resigned), `B+F` (forfeited), `W+T` (time), `0` (drawn)."""
    how: str
    """How the result came about: counted, both engines agreed, resigned, or what the loser did wrong."""
    round: int = 0
    pair: int = 0
    opening: str = ""
    moves: int = 0
    black_side: SideRecord = field(default_factory=SideRecord)
    white_side: SideRecord = field(default_factory=SideRecord)
    sgf: str = ""

    @property
    def black_points(self) -> float:
        """1, 0.5 or 0."""
        return {BLACK: 1.0, WHITE: 0.0, None: 0.5}[winner_of(self.result)]

    def points(self, player: str) -> float:
        """The points of one of the two players."""
        return self.black_points if player == self.black else 1 - self.black_points

    def side(self, player: str) -> SideRecord:
        return self.black_side if player == self.black else self.white_side

    @property
    def forfeited(self) -> bool:
        """Lost by what a player did rather than on the board."""
        return self.result[2:] in {"F", "T"}


class ResultsFile:
    """All games played so far, on disk as they finish.

    Lines are of three kinds: the conditions (first line), a player with its description, and a game. A last
    line cut by a kill or a full disk is dropped and its game played again; so is a damaged line elsewhere.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.games: dict[str, GameResult] = {}
        self.players: dict[str, Mapping[str, Any]] = {}
        self.conditions: Mapping[str, Any] | None = None
        self.damaged: list[str] = []
        """What could not be read, one line each, for the user to see."""
        self._descriptor: int | None = None
        if self.path.exists():
            self._read()

    def __enter__(self) -> "ResultsFile":
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Makes ready to append; refuses when another process does."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._descriptor = open_alone(self.path)
        except BlockingIOError:
            raise ResultsError(f"{self.path}: another tournament is writing it; wait, or use --out") from None
        self._drop_cut_line()

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def begin(self, conditions: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> None:
        """States what is played; games of other conditions or other players by the same names are refused."""
        if self.conditions is None:
            self._append({"tesuji-results": FORMAT, "conditions": dict(conditions)})
            self.conditions = dict(conditions)
        for key in sorted({*self.conditions, *conditions}):
            if self.conditions.get(key) != conditions.get(key):
                was, now = self.conditions.get(key), conditions.get(key)
                raise ResultsError(f"{self.path} was played with {key}={was}, not {now}; choose another --out")
        for name, description in players.items():
            if name not in self.players:
                self._append({"player": name, "description": dict(description)})
                self.players[name] = dict(description)
            elif self.players[name] != description:
                was, now = _brief(self.players[name]), _brief(description)
                cure = "give it another name, or choose another --out"
                raise ResultsError(f"{self.path}: '{name}' was {was} and is now {now}; {cure}")

    def add(self, game: GameResult) -> None:
        """Appends a game; one that is already there is an error of the program, not of the user."""
        assert game.key not in self.games, f"{game.key} played twice"
        self._append({"game": asdict(game)})
        self.games[game.key] = game

    def _append(self, value: Mapping[str, Any]) -> None:
        """One write of one whole line; what a full disk leaves of it is taken back."""
        assert self._descriptor is not None, "open() first"
        line = (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        before = os.fstat(self._descriptor).st_size
        try:
            written = os.write(self._descriptor, line)
            if written != len(line):
                raise OSError(28, "no space left on the disk", str(self.path))
        except OSError as fault:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, before)
            reason = fault.strerror or fault
            raise OSError(f"{self.path}: {reason}; all games before this one are kept") from fault

    def _drop_cut_line(self) -> None:
        assert self._descriptor is not None
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            os.ftruncate(self._descriptor, data.rfind(b"\n") + 1)

    def _read(self) -> None:
        data = self.path.read_bytes()
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            try:
                self._take(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
                self.damaged.append(f"{self.path}, line {number}: damaged ({fault}), its game is played again")
        if self.damaged and self.conditions is None and not self.games:
            raise ResultsError(f"{self.path} is no results file; choose another --out")
        if data and not data.endswith(b"\n"):
            self.damaged.append(f"{self.path}: its last line was cut, that game is played again")

    def _take(self, value: Any) -> None:
        if "game" in value:
            game = _game_from(value["game"])
            self.games.setdefault(game.key, game)
        elif "player" in value:
            self.players[value["player"]] = dict(value["description"])
        elif value["tesuji-results"] == FORMAT:
            self.conditions = dict(value["conditions"])
        else:
            raise ResultsError(f"format {value['tesuji-results']}, this version reads {FORMAT}")

    def __iter__(self) -> Iterator[GameResult]:
        return iter(self.games.values())


def _game_from(value: Mapping[str, Any]) -> GameResult:
    known = {entry.name for entry in fields(GameResult)}
    given = {key: value[key] for key in known & value.keys()}
    given |= {side: SideRecord(**value[side]) for side in ("black_side", "white_side")}
    game = GameResult(**given)
    texts = (game.key, game.black, game.white, game.result, game.how, game.opening, game.sgf)
    counts = (game.round, game.pair, game.moves)
    if not all(isinstance(text, str) for text in texts) or not all(type(count) is int for count in counts):
        raise InputError("a field of the wrong kind")
    if game.result[:1] not in {"B", "W", "0"}:
        raise InputError("no result in it")
    return game


def _brief(description: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(description.items())) or "nothing"
