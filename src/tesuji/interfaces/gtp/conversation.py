"""What all commands share: the game, the options, the two streams and the thinker."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tesuji import BLACK, WHITE, Color, Game, IllegalMoveError, Rules
from tesuji.go.rules import usual_komi
from tesuji.interfaces.gtp.parameters import Parameters
from tesuji.interfaces.gtp.protocol import GtpError
from tesuji.interfaces.gtp.thinker import Thinker

if TYPE_CHECKING:
    from tesuji.interfaces.gtp.options import GtpOptions
    from tesuji.interfaces.gtp.streams import Answers, Lines
    from tesuji.search.clock import Clock


class Conversation:
    """The state of one engine; the themes below `commands/` add the methods that answer."""

    def __init__(self, options: GtpOptions, lines: Lines, answers: Answers) -> None:
        self.options = options
        self.parameters = Parameters.of(options)
        self.lines = lines
        self.answers = answers
        self.game = Game(size=options.size, komi=options.komi, rules=options.rules)
        self.komi_is_stated = options.komi is not None
        self.thinker = Thinker(options, self.parameters, lines.wake)
        self.time_system: Clock | None = None
        self.clocks: dict[Color, Clock] = {}
        self.is_running = True
        self.has_begun = False
        self.has_moved = False
        """Whether the engine itself made a move in answer to this line, so that the opponent thinks now."""
        self.request_id = ""

    def begin(self) -> None:
        """Sends the start of an answer whose lines follow one by one; from now on the command cannot fail."""
        self.answers.write(f"={self.request_id}\n")
        self.has_begun = True

    def stream(self, line: str) -> None:
        """Sends one line of an answer that was begun."""
        if line:
            self.answers.write(line + "\n")

    def new_game(self, size: int | None = None) -> None:
        """An empty board; rules, time system and a komi once stated stay, as clients expect of `clear_board`."""
        old = self.game
        self.game = Game(size=size or old.size, komi=old.komi if self.komi_is_stated else None, rules=old.rules)
        self.clocks = {} if self.time_system is None else dict.fromkeys((BLACK, WHITE), self.time_system)
        self.thinker.forget_game()
        self.thinker.load_ahead(self.game.size)

    def play(self, color: Color, move: int) -> None:
        """Puts a move on the board; raises `GtpError` if the rules forbid it."""
        try:
            self.game.play(move, color)
        except IllegalMoveError as fault:
            raise GtpError("illegal move", getattr(fault, "reason", "forbidden by the rules")) from None

    def set_komi(self, komi: float) -> None:
        """Changes komi; the tree was searched for the old one."""
        self.komi_is_stated = True
        if komi != self.game.komi:
            self.thinker.forget()
            self.game.komi = komi

    def set_rules(self, rules: Rules) -> None:
        """Changes the rules of the game that runs; the tree was searched under the old ones."""
        if rules != self.game.rules:
            self.thinker.forget()
            self.game.rules = rules
            self.use_usual_komi()

    def use_usual_komi(self) -> None:
        """Before the first move, a komi that nobody stated is the usual one of the rules and the handicap."""
        if not (self.komi_is_stated or self.game.moves):
            self.game.komi = usual_komi(self.game.size, self.game.rules, handicap=self.game.has_handicap)


def processor_seconds() -> float:
    """Processor time used so far, by all threads."""
    return time.process_time()
