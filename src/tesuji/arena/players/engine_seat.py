"""A GTP engine as a player of one game after another: told every move, asked for its own, restarted when it fell."""

import contextlib
import time
from typing import Any

from tesuji._core import BLACK, PASS, Color, Game, parse_vertex
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.live_game import Answer
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.gtp_engine import EngineError, EngineGarbageError, EngineRefusedError, GtpEngine
from tesuji.base.errors import InputError
from tesuji.go.results import parse_result
from tesuji.go.rules import rules_for_kgs

DEFAULT_TIMEOUT = 60.0


class EngineSeat:
    """One engine process that plays; `EngineError` from any method loses it the game."""

    def __init__(self, description: PlayerDescription, conditions: Conditions) -> None:
        options: dict[str, Any] = dict(description.options)
        self.name = description.name
        self.conditions = conditions
        self.seconds = _number(options.get("seconds", 0), "seconds", self.name)
        usual = max(DEFAULT_TIMEOUT, 10 * self.seconds)
        self.timeout = _number(options.get("timeout", usual), "timeout", self.name)
        self._commands = [text.strip() for text in str(options.get("commands", "")).split(";") if text.strip()]
        self._engine = GtpEngine(description.command, folder=options.get("folder"))

    def check(self) -> None:
        """Starts the engine once, so that what can never work is said before the first game."""
        size, komi = self.conditions.size, self.conditions.komi
        try:
            self.begin(Game(size=size, komi=komi, rules=self.conditions.rules), BLACK, seed=1)
        except EngineRefusedError as fault:
            raise InputError(f"player '{self.name}' does not play {size}x{size} with komi {komi:g}: {fault}") from fault
        except EngineError as fault:
            raise InputError(f"player '{self.name}' cannot play: {fault}") from fault

    def begin(self, game: Game, color: Color, seed: int) -> None:
        """Sets up the engine's board for a game whose opening has been played."""
        if not self._engine.running:
            self._engine.start()
            for command in self._commands:
                self._engine.send(command)
        engine = self._engine
        engine.send(f"boardsize {game.size}")
        engine.send("clear_board")
        engine.send(f"komi {game.komi:g}")
        for wish in (f"set_random_seed {seed % 1_000_000}", f"kgs-rules {rules_for_kgs(self.conditions.rules)}"):
            self._wish(wish)
        if self.seconds:
            self._wish(f"time_settings 0 {max(1, round(self.seconds))} 1")
        for mover, move in game.moves:
            self.observe(game, move, mover)

    def observe(self, game: Game, move: int, color: Color) -> None:
        """Tells the engine a move of its opponent or of the opening."""
        text = "pass" if move == PASS else game.vertex(move)
        self._engine.send(f"play {'black' if color == BLACK else 'white'} {text}", self.timeout)

    def choose(self, game: Game, *, cleanup: bool = False) -> Answer:
        """Its move; `cleanup` asks it, where it can, to capture what is dead before it passes."""
        name = "black" if game.to_play == BLACK else "white"
        command = "kgs-genmove_cleanup" if cleanup and self.cleans_up else "genmove"
        started = time.perf_counter()
        answer = self._engine.send(f"{command} {name}", self.timeout).lower()
        seconds = time.perf_counter() - started
        if answer == "resign":
            return Answer(None, seconds=seconds)
        try:
            return Answer(parse_vertex(answer, game.size), seconds=seconds)
        except ValueError:
            raise EngineGarbageError(f"'{command}' answered '{answer[:40]}', which is no vertex") from None

    def final_score(self) -> str:
        """Its own opinion of the result, `B+3.5`, `W+2`, `0`; empty where it has none."""
        try:
            return parse_result(self._engine.send("final_score", self.timeout)) or ""
        except EngineRefusedError:
            return ""

    @property
    def cleans_up(self) -> bool:
        """Whether it can be asked to capture dead stones."""
        return self._engine.knows("kgs-genmove_cleanup")

    def interrupt(self) -> None:
        self._engine.close()

    def close(self) -> None:
        self._engine.close()

    def _wish(self, command: str) -> None:
        """Something that helps where the engine knows it and hurts nobody where it does not."""
        if self._engine.knows(command.split()[0]):
            with contextlib.suppress(EngineRefusedError):
                self._engine.send(command)


def _number(value: Any, option: str, player: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < 1e6:
        raise InputError(f"player '{player}': {option}={value} is no number of seconds")
    return number
