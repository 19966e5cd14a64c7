"""The card of the game itself: who plays, and what can be done now."""

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from tesuji import BLACK, PASS, WHITE, Color
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.status import ended, player_name, remark, status
from tesuji.interfaces.web.game.views import game_facts
from tesuji.interfaces.web.page.components import ClockView
from tesuji.interfaces.web.page.play_here_dialog import PlayHereDialog
from tesuji.interfaces.web.page.widgets import Later, Question, button, card

WANTED = frozenset(("accept", "continue", "try_again", "rematch", "take_back"))
"""What most people want next, where it is offered."""
METHODS = {
    "pass": "play", "hint": "ask_hint", "continue": "go_on", "try_again": "go_on", "stronger": "rematch",
    "easier": "rematch", "take_back": "undo", "why": "show_why", "go_on": "go_on_anyway", "stop": "stop_practice",
    "how_strong": "new_game",
}  # fmt: skip
"""What a session calls it, where that is another word than the button's."""


class GameCard:
    """Who plays, whose turn it is, and what can be done now."""

    def __init__(self, session: Session, question: Question, choose_game: Callable[[], Any]) -> None:
        self.session = session
        self._question = question
        self._choose_game = choose_game
        self._players: dict[Color, tuple[ui.element, ui.label, ui.label, ClockView]] = {}
        with card().classes("first"):
            for color in (BLACK, WHITE):
                self._player(color)
            self._facts = ui.label().classes("soft small facts").props('data-testid="game-facts"')
            self._status = ui.label().classes("status").props('data-testid="status"')
            self._remark = ui.label().classes("remark").props('role="status" data-testid="remark"')
            self._actions = ui.element("div").classes("row-line actions")
        self._play_here = Later(partial(PlayHereDialog, session))
        self._shown_actions: tuple[str, ...] = ()
        self.refresh()

    def _player(self, color: Color) -> None:
        name = "black" if color == BLACK else "white"
        with ui.element("div").classes("player") as row:
            ui.element("div").classes(f"disc {name}")
            title = ui.label().classes("name")
            captures = ui.label().classes("captures").props(f'data-testid="captures-{name}"')
            clock = ClockView()
        self._players[color] = (row, title, captures, clock)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session, game, root = self.session, self.session.record.game, self.session.record.root
        for color, (row, title, captures, clock) in self._players.items():
            has_time = session.mode == "play" and session.setup.seat(color).kind == "human"
            clock.follow(session.clocks.shown(color) if has_time else None)
            letter = "B" if color == BLACK else "W"
            title.text = f"{player_name(session, color)} {root.text(f'{letter}R')[:6]}".strip()
            taken = game.captured(color)
            captures.text = session.words("game.captured", count=taken) if taken else ""
            active = game.to_play == color and session.mode != "scoring" and not ended(session)
            row.classes(add="turn" if active else "", remove="" if active else "turn")
        self._facts.text = game_facts(session)
        self._status.text = status(session)
        self._remark.text = remark(session)
        self._remark.visible = bool(self._remark.text)
        bad = session.warned is not None
        self._remark.classes(add="warning" if bad else "", remove="" if bad else "warning")
        self._show_actions()

    def _wanted_actions(self) -> tuple[str, ...]:
        """What this person can do now, the most wanted first."""
        return tuple(name for name in self._possible() if self.session.may(METHODS.get(name, name)))

    def _possible(self) -> tuple[str, ...]:
        session = self.session
        if session.mode == "scoring":
            return ("accept", "resume")
        if session.quiz is not None:
            return ("stop",)
        if session.mode == "review":
            unseen = not session.reviewed.knows(session.record.line())
            here = () if session.record.game.is_over else ("play_from_here",)
            return (*self._again(), *here, "review") if unseen and not session.reviewing else (*self._again(), *here)
        if session.warned is not None:
            return ("take_back", "go_on") if session.warned.explained else ("take_back", "why", "go_on")
        if session.setup.black.kind == session.setup.white.kind == "engine":
            return ("continue",) if session.paused else ("pause",)
        again = ("try_again",) if session.trouble else ()
        # Who comes for the first time finds a strong opponent: nothing but this question says that there are others.
        new_here = session.setup == Setup() and not session.look.strength and not session.record.root.children
        return (*again, "pass", "undo", "hint", "resign", *(("how_strong",) if new_here else ()))

    def _again(self) -> tuple[str, ...]:
        """What is offered after a game that was played here, where it ended."""
        session = self.session
        if not session.played or not session.result or session.record.node.children:
            return ()
        return ("rematch", *{1: ("stronger",), -1: ("easier",), 0: ()}[session.step_offered])

    def ask_to_resign(self) -> None:
        """Gives the game up, once that is confirmed."""
        words = self.session.words
        if "resign" in self._shown_actions:
            self._question.ask(words("ask.resign"), words("actions.resign"), self.session.resign)

    def _show_actions(self) -> None:
        wanted = self._wanted_actions()
        if wanted == self._shown_actions:
            return
        self._shown_actions = wanted
        session = self.session
        actions = {
            "accept": session.accept,
            "resume": session.resume,
            "play_from_here": self._play_here.open,
            "review": session.review,
            "continue": session.go_on,
            "try_again": session.go_on,
            "pause": session.pause,
            "pass": lambda: session.play(PASS),
            "undo": session.undo,
            "hint": session.ask_hint,
            "resign": self.ask_to_resign,
            "rematch": session.rematch,
            "stronger": lambda: session.rematch(1),
            "easier": lambda: session.rematch(-1),
            "take_back": session.undo,
            "why": session.show_why,
            "go_on": session.go_on_anyway,
            "stop": session.stop_practice,
            "how_strong": self._choose_game,
        }
        self._actions.clear()
        with self._actions:
            for name in wanted:
                key = "new_game.strength" if name == "how_strong" else f"actions.{name}"
                made = button(session.words(key), actions[name], "main-action" if name in WANTED else "second")
                made.props(f'data-testid="{name.replace("_", "-")}"')
