"""Links to this board for others: to watch, or to play the other colour from another device."""

from collections.abc import Callable
from functools import partial

from nicegui import ui

from tesuji import BLACK, WHITE, Color
from tesuji.interfaces.web.game.chair import Role
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.widgets import button, dialog_title, quoted


class ShareDialog:
    """Two kinds of links."""

    def __init__(self, session: Session, link: Callable[[Role], str], *, reached: bool) -> None:
        self.session = session
        self._link = link
        words = session.words
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title(words("share.title"), self._dialog, words)
            ui.label(words("share.about")).classes("soft small")
            with ui.element("div").classes("row-line"):
                button(words("share.watch"), self._watch).props('data-testid="share-watch"')
                for color, name in ((BLACK, "black"), (WHITE, "white")):
                    made = button(words(f"share.play_{name}"), partial(self._play, color))
                    made.props(f'data-testid="share-{name}"')
            with ui.element("div").classes("row-line beside") as self._made:
                self._field = ui.input().props(f"dense outlined readonly aria-label={quoted(words('share.link'))}")
                self._field.props('data-testid="share-link" input-class="share-link"').classes("full")
                button(words("share.copy"), lambda: ui.run_javascript("tesujiCopy()")).props('data-testid="copy-link"')
            if not reached:
                ui.label(words("share.reach")).classes("soft small")

    def open(self) -> None:
        """Shows the dialog, without a link yet."""
        self._made.visible = False
        self._dialog.open()

    def _show(self, role: Role) -> None:
        self._field.value = self._link(role)
        self._made.visible = True

    def _watch(self) -> None:
        self._show("watcher")

    def _play(self, color: Color) -> None:
        self.session.lend(color)
        self._show("player")
