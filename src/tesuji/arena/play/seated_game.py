"""One game at one table: two seats that move in turn, each thinking alone, and the count at its end."""

import threading
from typing import Protocol

from tesuji._core import BLACK, WHITE, Color, Game
from tesuji.arena.play.live_game import Answer, LiveGame
from tesuji.arena.players.gtp_engine import EngineError, EngineTimeoutError
from tesuji.go.results import out_of_time, same_result, score_text


class Seat(Protocol):
    """A player as the table sees it; an `EngineError` from any method loses the game."""

    name: str

    def begin(self, game: Game, color: Color, seed: int) -> None:
        """A new game, its opening already played."""
        ...

    def observe(self, game: Game, move: int, color: Color) -> None:
        """A move of the opponent."""
        ...

    def choose(self, game: Game, *, cleanup: bool = False) -> Answer:
        """The move in this position."""
        ...

    def final_score(self) -> str:
        """Its opinion of the result; empty where it takes the board as it stands."""
        ...

    @property
    def cleans_up(self) -> bool:
        """Whether it captures dead stones when asked to."""
        ...

    def interrupt(self) -> None:
        """Makes a `choose` under way in another thread end soon."""
        ...

    def close(self) -> None: ...


class Referee(Protocol):
    """Settles what players leave open."""

    def black_winrate(self, game: Game) -> float:
        """Its judgement of the position."""
        ...

    def play_out(self, game: Game) -> None:
        """Plays both sides until no dead stone is left."""
        ...


class StoppedError(Exception):
    """The tournament was interrupted; the game counts for nothing and is played again."""


class SeatedGame:
    """Plays one game between two seats."""

    def __init__(
        self, live: LiveGame, black: Seat, white: Seat, referee: Referee | None, stop: threading.Event
    ) -> None:
        self.live, self.referee, self.stop = live, referee, stop
        self.seats: dict[Color, Seat] = {BLACK: black, WHITE: white}

    def play(self) -> None:
        """Plays the game to its result; whatever a seat does wrong becomes that result."""
        for color, seat in self.seats.items():
            try:
                seat.begin(self.live.game, color, self.live.seed)
            except EngineError as fault:
                self._lose(color, fault)
                return
        self._go_on(cleanup=False)
        if self.live.passed_out:
            self._settle()

    def _go_on(self, *, cleanup: bool) -> None:
        live = self.live
        while not live.decided and not live.game.is_over:
            if self.stop.is_set():
                raise StoppedError
            color = live.game.to_play
            try:
                live.take(self.seats[color].choose(live.game, cleanup=cleanup))
            except EngineError as fault:
                self._lose(color, fault)
                return
            if live.decided:
                return
            self._tell(color.opponent)
            if self.referee is not None and live.conditions.adjudicate == "referee" and not live.decided:
                live.adjudicate(self.referee.black_winrate(live.game))

    def _tell(self, color: Color) -> None:
        mover, move = self.live.game.moves[-1]
        try:
            self.seats[color].observe(self.live.game, move, mover)
        except EngineError as fault:
            # It was told a legal move and refused it: its fault, not its opponent's.
            self._lose(color, fault)

    def _lose(self, color: Color, fault: EngineError) -> None:
        if self.stop.is_set():
            raise StoppedError  # the engine was ended by us
        if not self.live.decided:
            if isinstance(fault, EngineTimeoutError):
                self.live.end(out_of_time(color), str(fault))
            else:
                self.live.forfeit(color, str(fault))

    def _settle(self) -> None:
        """Counts the final board; where a player holds stones on it for dead, they are played out first."""
        objection = self._objection()
        if self.live.decided or not objection:
            self._count("counted")
            return
        if any(seat.cleans_up for seat in self.seats.values()):
            self._resume(objection)
        elif self.referee is not None:
            # A copy: the referee's moves decide, but are not the players'.
            played_out = self.live.game.copy()
            played_out.undo()
            played_out.undo()
            self.referee.play_out(played_out)
            self.live.end(score_text(played_out.black_score()), f"played out by the referee, as {objection}")
        else:
            self._count(f"counted as it stood, though {objection}")

    def _resume(self, objection: str) -> None:
        """As servers do after a dispute: the two passes are forgotten and the players play on."""
        self.live.game.undo()
        self.live.game.undo()
        self._go_on(cleanup=True)
        if self.live.decided:
            return
        still = self._objection()
        self._count(f"played out, as {objection}" + (f"; even so {still}" if still else ""))

    def _count(self, how: str) -> None:
        if not self.live.decided:
            self.live.count(how)

    def _objection(self) -> str:
        """Who reads the board otherwise than the rules count it, in words; empty when nobody does."""
        counted = score_text(self.live.game.black_score())
        for color, seat in self.seats.items():
            try:
                claimed = seat.final_score()
            except EngineError as fault:
                self._lose(color, fault)
                return ""
            if claimed and not same_result(claimed, counted):
                return f"{seat.name} said {claimed} where the board counted {counted}"
        return ""
