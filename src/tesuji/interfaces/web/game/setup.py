"""What a game begins with: board, rules and who sits where. Everything a stranger may send is checked here."""

import math
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, cast

from tesuji import BLACK, Color, Game, Rules
from tesuji.base.errors import InputError
from tesuji.go.rules import NAMES, usual_komi
from tesuji.interfaces.web.game.levels import DEFAULT_LEVEL, level
from tesuji.interfaces.web.game.timing import TimeControl
from tesuji.interfaces.web.words.words import WordedError, Words, languages

MIN_SECONDS, MAX_SECONDS = 0.05, 120.0


@dataclass(frozen=True)
class Seat:
    """One side of the board: a person, or the engine at some level."""

    kind: Literal["human", "engine"] = "human"
    level: str = DEFAULT_LEVEL
    network: str = ""
    """Name or file of the network; empty for the server's own."""
    seconds: float = 2.0
    """Thinking time of the timed level."""

    def __post_init__(self) -> None:
        if self.kind not in ("human", "engine"):
            raise InputError(f"no kind of player '{str(self.kind)[:40]}'; known: human, engine")
        level(self.level)
        if not MIN_SECONDS <= self.seconds <= MAX_SECONDS:
            raise WordedError("new_game.bad_seconds", seconds=self.seconds, least=MIN_SECONDS, most=MAX_SECONDS)

    def name(self, words: Words) -> str:
        """How the seat is called in the game record."""
        if self.kind == "human":
            return words("game.you")
        return words("game.tesuji", level=level(self.level).title(words))


def _most_stones(size: int) -> int:
    """The largest of the fixed handicaps that the core knows on this board; 0 where it knows none."""
    for stones in range(9, 1, -1):
        with suppress(InputError):
            return len(Game(size).place_handicap(stones))
    return 0


@dataclass(frozen=True)
class Setup:
    """A game as chosen in the dialog or by the API."""

    size: int = 9
    komi: float = cast("float", None)
    """The usual one of board, rules and handicap where nobody gives it."""
    rules: str = "chinese"
    handicap: int = 0
    black: Seat = field(default_factory=Seat)
    white: Seat = field(default_factory=lambda: Seat("engine"))
    time: TimeControl = field(default_factory=TimeControl)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= 25:
            raise WordedError("new_game.bad_size", size=self.size)
        if self.rules not in NAMES:
            raise InputError(f"no rules '{self.rules[:40]}'; known: {', '.join(NAMES)}")
        if self.komi is None:
            object.__setattr__(self, "komi", usual_komi(self.size, self.rules, handicap=self.handicap >= 2))
        if not math.isfinite(self.komi) or abs(self.komi) > 200 or self.komi * 2 % 1:
            raise WordedError("new_game.bad_komi", komi=float(self.komi))
        for seat in (self.black, self.white):
            if seat.kind == "engine":
                level(seat.level).check_board(self.size)
        if self.handicap:
            self._check_handicap()
        self.new_game()

    def _check_handicap(self) -> None:
        most = _most_stones(self.size)
        if not most:
            raise WordedError("new_game.no_handicaps", stones=self.handicap)
        if not 2 <= self.handicap <= most:
            raise WordedError("new_game.bad_handicap", stones=self.handicap, most=most)

    def new_game(self) -> Game:
        """The empty board, or the one with handicap stones."""
        game = Game(self.size, self.komi, Rules.named(self.rules))
        if self.handicap:
            game.place_handicap(self.handicap)
        return game

    def seat(self, color: Color) -> Seat:
        """Who plays this colour."""
        return self.black if color == BLACK else self.white

    def name(self, color: Color, words: Words) -> str:
        """How a player is called in the game record."""
        if self.black.kind == self.white.kind == "human":
            return words.color(color)
        return self.seat(color).name(words)

    def names_anywhere(self, color: Color) -> set[str]:
        """The same in every language: names that we gave, and may change."""
        return {self.name(color, words) for words in languages().values()}

    def with_seats(self, black: Seat, white: Seat) -> "Setup":
        """The same board with other players."""
        return replace(self, black=black, white=white)

    def as_dict(self) -> dict[str, Any]:
        """For the file on disk and the API."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Setup":
        """From what `as_dict` gave. Raises `ValueError` on anything else."""
        try:
            seats = {name: Seat(**seat) for name, seat in data.items() if name in {"black", "white"}}
            time = {"time": TimeControl(**data["time"])} if "time" in data else {}
            return cls(**{**data, **seats, **time})
        except TypeError as fault:
            raise InputError(f"not the settings of a game: {fault}") from fault
