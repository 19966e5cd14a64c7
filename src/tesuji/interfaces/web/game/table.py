"""The table a visitor sits at: the game, a place in it, what is known of it, and who is told when something changes."""

import secrets
from collections.abc import Callable
from typing import Any, Literal

from tesuji import Color
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.count import Count
from tesuji.interfaces.web.game.editing import Removed
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.look import Look
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.reviewing import Reviewing
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.task import Task
from tesuji.interfaces.web.game.timing import Clocks
from tesuji.interfaces.web.words.words import Said, Words, english, why

RESULT = "XRE"
"""Our own property of a node that ends a game played out of a record, whose root keeps the result it had."""
Mode = Literal["play", "scoring", "review"]


class Table:
    """A game with its place, its look and its listeners; nothing of how it is played."""

    def __init__(self) -> None:
        self.look = Look()
        self.words: Words = english()
        """The language of the visitor, known when the page is opened."""
        self.listeners: list[Callable[[], None]] = []
        self.leaving: list[Callable[[], None]] = []
        """Told before another game takes the place of this one."""
        self.notices: list[Callable[[Said], None]] = []
        self.asking: Callable[[Said], None] | None = None
        """Told what cannot be done, while somebody at a board of several people tries it."""
        self.unsaved = False
        self.lent: Color | None = None
        """The colour that somebody at another device plays; None where nobody was invited."""

    def adopt(self, setup: Setup, record: Record, mode: Mode) -> None:
        """Takes over a game as it stands, with nothing known about it yet."""
        for listener in self.leaving:
            listener()
        self.setup = setup
        if "engine" in {setup.black.kind, setup.white.kind}:
            self.lent = None
        self.record = record
        self.mode: Mode = mode
        self.played = mode != "review"
        """Whether the game is played here, and not only looked at."""
        self.findings: dict[Node, Finding] = {}
        self.count: Count | None = None
        self.hint: Node | None = None
        self.paused = False
        self.reviewed = Reviewing()
        self.thinking: Task | None = None
        self.trouble = ""
        self.clocks = Clocks(setup.time)
        self.game_name = secrets.token_hex(8)
        """Under which the game is kept among the visitor's games."""
        self.tool = "play"
        self.removed: list[Removed] = []
        """Lines taken out of the game, the latest last; they can be brought back."""
        self.tip = record.line()[-1]
        """Where the game that is being played ends; the engine answers there alone."""
        self.branch: Node | None = None
        """Where a game from a record began that keeps the record's own result; None for a game of its own."""
        self._untouched = record.to_sgf()

    @property
    def unfinished(self) -> bool:
        """Whether leaving the game now would leave something behind: moves of a running game, or a changed record."""
        if self.mode != "review":
            return bool(self.record.root.children)
        return self.record.to_sgf() != self._untouched

    def walk(self, steps: int) -> None:
        """Through the game by so many moves."""
        self._go(lambda: self.record.walk(steps))

    def jump(self, number: int) -> None:
        """To a move of the current line by its number."""
        self._go(lambda: self.record.jump(number))

    def switch(self, steps: int) -> None:
        """To another variation of the last move."""
        self._go(lambda: self.record.switch(steps))

    def _go(self, step: Callable[[], None]) -> None:
        if self.mode == "scoring":
            return self.refuse(lambda words: words("game.count_first"))
        try:
            step()
        except ValueError as fault:
            return self.refuse(why(fault))
        return self.changed()

    def set_look(self, **wishes: Any) -> None:
        """Changes how the page looks."""
        for name, value in wishes.items():
            setattr(self.look, name, value)
        self.changed()

    @property
    def finding(self) -> Finding | None:
        """What is known about the current position."""
        return self.findings.get(self.record.node)

    @property
    def result(self) -> str:
        """The result as SGF writes it, empty while the game runs."""
        end = self.record.line()[-1]
        played = self.record.node.text(RESULT) or end.text(RESULT)
        if played:
            return played
        running = self.branch is not None and self.mode != "review"
        return "" if running or end is not self.record.root.main_line()[-1] else self.record.root.text("RE")

    def say(self, said: Said) -> None:
        """A message that passes by, to everybody here."""
        for notice in list(self.notices):
            notice(said)

    def refuse(self, said: Said) -> None:
        """Why something cannot be done: to the one alone who tried it."""
        (self.asking or self.say)(said)

    def changed(self) -> None:
        """Something happened that must be shown and kept."""
        self.unsaved = True
        self._tell()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()
