"""Opening a record: by drop, file or paste; which of several games; and whether to leave the present one.

The browser sends the record over plain HTTP, where its size is limited before it is read, and keeps it until the
questions about it are answered.
"""

from typing import Any

from nicegui import ui

from tesuji.interfaces.web.page.widgets import Question, button, dialog_title, quoted
from tesuji.interfaces.web.words.words import Words

SGF_LIKE = "(;GM[1]SZ[9] ...)"


class OpenDialog:
    """The dialog, and what follows when the browser sent something."""

    def __init__(self, words: Words, question: Question) -> None:
        self._words = words
        self._question = question
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title(words("open.title"), self._dialog, words)
            ui.label(words("open.about")).classes("soft")
            self._text = ui.textarea(placeholder=SGF_LIKE).props(f"outlined aria-label={quoted(words('open.text'))}")
            self._text.props('data-testid="sgf-text" input-class="sgf-text"')
            with ui.element("div").classes("row-line spread"):
                choose = button(words("open.choose"), lambda: ui.run_javascript("tesujiChoose()"))
                choose.props('data-testid="choose-file"')
                paste = button(words("open.open"), lambda: ui.run_javascript("tesujiOpenText()"), "main-action")
                paste.props('data-testid="open-text"')
        with ui.dialog() as self._games, ui.card().classes("dialog"):
            dialog_title(words("open.which"), self._games, words)
            self._which = ui.select({}, with_input=True, on_change=lambda event: self._chosen(event.value))
            self._which.props(f'outlined aria-label={quoted(words("open.which"))} data-testid="which-game"')
            self._about = ui.label().classes("soft small")

    def open(self) -> None:
        """Shows the dialog."""
        self._text.value = ""
        self._dialog.open()

    def answered(self, answer: Any) -> None:
        """What the server said of the record that the browser sent."""
        if not isinstance(answer, dict):
            return
        self._dialog.close()
        if "games" in answer:
            names = [str(name) for name in answer["games"]]
            self._which.set_options(dict(enumerate(names)), value=None)
            self._about.text = self._words("open.games", count=len(names))
            self._games.open()
        elif "unfinished" in answer:
            leave = "tesujiGoOn({ leave: true })"
            words = self._words
            self._question.ask(words("ask.leave"), words("ask.leave_it"), lambda: ui.run_javascript(leave))

    def _chosen(self, number: int | None) -> None:
        if number is not None:
            self._games.close()
            ui.run_javascript(f"tesujiGoOn({{ game: {int(number)} }})")
