"""The teacher beside the board: whether there is one, when it speaks up, and how one plays so far."""

from nicegui import ui

from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.teaching import LIMITS
from tesuji.interfaces.web.page.widgets import Chooser, card, quoted


class TeachCard:
    """Shown while one person plays against the engine."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        with card().classes("first") as self._card:
            with ui.element("div").classes("row-line spread"):
                ui.label(words("teach.title")).classes("card-title").props('role="heading" aria-level="2"')
                self._switch = ui.switch(value=session.look.teaching, on_change=lambda event: self._turn(event.value))
                self._switch.props(f'dense aria-label={quoted(words("teach.title"))} data-testid="teaching"')
            with ui.element("div").classes("row-line") as self._limits:
                ui.label(words("teach.from")).classes("soft small")
                choices = [(limit, words("verdict.points", count=limit)) for limit in LIMITS]
                self._limit = Chooser(words("teach.from"), choices, session.look.teach_points, self._choose)
            self._score = ui.label().classes("soft small").props('data-testid="teach-score"')
        self.refresh()

    def _turn(self, on: bool) -> None:
        if on != self.session.look.teaching:
            self.session.set_look(teaching=on)

    def _choose(self, limit: float) -> None:
        self.session.set_look(teach_points=limit)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        self._card.visible = session.with_teacher
        if not self._card.visible:
            return
        self._switch.value = self._limits.visible = session.look.teaching
        self._limit.show(session.look.teach_points)
        self._score.text = self._in_numbers()
        self._score.visible = bool(self._score.text)

    def _in_numbers(self) -> str:
        session, words = self.session, self.session.words
        so_far = session.playing_so_far(session.my_color) if session.look.teaching else None
        if so_far is None:
            return ""
        told = {"good": so_far.grades["good"], "moves": so_far.moves}
        if so_far.points_a_move is None:
            return words("teach.score", **told)
        return words("teach.score_points", lost=words.number(so_far.points_a_move, 1), **told)
