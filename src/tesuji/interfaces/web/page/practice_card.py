"""Practice beside the board: guess the moves of the record, or solve the positions before its mistakes."""

from nicegui import ui

from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.widgets import button, card


class PracticeCard:
    """Shown while one looks through a game; the question itself stands in the card of the game."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        with (
            card(words("practice.title")).classes("to-press last") as self._card,
            ui.element("div").classes("row-line"),
        ):
            button(words("practice.guess"), session.start_guessing).props('data-testid="guess"')
            self._problems = button("", session.start_problems).props('data-testid="problems"')
        self.refresh()

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        self._card.visible = session.mode == "review" and session.quiz is None
        if not self._card.visible:
            return
        count = len(session.problems()) if not session.reviewing else 0
        self._problems.visible = bool(count)
        self._problems.text = session.words("practice.problems", count=count)
