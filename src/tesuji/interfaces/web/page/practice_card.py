"""Practice beside the board: guess the moves of the record, or solve the positions before its mistakes."""

from nicegui import ui

from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.widgets import button, card


class PracticeCard:
    """Shown while one looks through a game."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        with card(words("practice.title")).classes("to-press last") as self._card:
            self._text = ui.label().props('data-testid="quiz"')
            with ui.element("div").classes("row-line"):
                self._guess = button(words("practice.guess"), session.start_guessing)
                self._guess.props('data-testid="guess"')
                self._problems = button("", session.start_problems)
                self._problems.props('data-testid="problems"')
                self._stop = button(words("practice.stop"), session.stop_practice)
                self._stop.props('data-testid="stop-practice"')
        self.refresh()

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session, words, quiz = self.session, self.session.words, self.session.quiz
        self._card.visible = session.mode == "review"
        if not self._card.visible:
            return
        self._guess.visible = self._problems.visible = quiz is None
        self._stop.visible = self._text.visible = quiz is not None
        if quiz is None:
            count = len(session.problems()) if not session.reviewing else 0
            self._problems.visible = bool(count)
            self._problems.text = words("practice.problems", count=count)
            return
        task = words("practice.find", color=words.color(session.record.game.to_play))
        score = words("practice.score", right=quiz.right, asked=quiz.asked)
        self._text.text = f"{task} {score}" if quiz.asked else task
