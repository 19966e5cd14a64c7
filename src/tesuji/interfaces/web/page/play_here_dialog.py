"""The dialog that asks how to play on from a position of a record."""

from nicegui import ui

from tesuji import BLACK, WHITE
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.level_select import LevelSelect
from tesuji.interfaces.web.page.widgets import Chooser, button, dialog_title

COLORS = {"black": BLACK, "white": WHITE}


class PlayHereDialog:
    """Colour and level of a game that begins in the middle."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title(words("actions.play_from_here"), self._dialog, words)
            ui.label(words("edit.play_here_about")).classes("soft small")
            colors = [(name, words(f"new_game.{name}")) for name in COLORS]
            self._side = Chooser(words("new_game.you_play"), colors, "black")
            self._level = LevelSelect(words, session.setup.size, "here-level")
            with ui.element("div").classes("row-line spread"):
                button(words("actions.cancel"), self._dialog.close, "quiet")
                button(words("new_game.start"), self._start, "main-action").props('data-testid="here-start"')

    def open(self) -> None:
        """Shows the dialog; the player to move is proposed."""
        self._side.show("black" if self.session.record.game.to_play == BLACK else "white")
        self._level.show(self.session.setup)
        self._dialog.open()

    def _start(self) -> None:
        self._dialog.close()
        self.session.play_from_here(COLORS[str(self._side.value)], self._level.chosen.key)
