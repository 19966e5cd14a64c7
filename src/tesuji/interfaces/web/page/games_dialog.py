"""My games: all that were played or opened here, to be searched, opened again, collected and thrown away."""

from collections.abc import Callable
from functools import partial

from nicegui import ui

from tesuji.interfaces.web.game.archive import Archive, KeptGame
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.page.widgets import Question, button, dialog_title, icon_button, quoted
from tesuji.interfaces.web.words.words import why

SHOWN = 100


class GamesDialog:
    """The list of a visitor's games."""

    def __init__(
        self, session: Session, archive: Archive, visitor: str, question: Question, save: Callable[[], None]
    ) -> None:
        self.session = session
        self._archive, self._visitor, self._question, self._save = archive, visitor, question, save
        words = session.words
        with ui.dialog() as self._dialog, ui.card().classes("dialog wide"):
            dialog_title(words("games.title"), self._dialog, words)
            self._search = ui.input(placeholder=words("games.search"), on_change=self._show)
            self._search.props(f"dense outlined clearable aria-label={quoted(words('games.search'))}").classes("full")
            self._search.props('debounce=200 data-testid="games-search"')
            self._list = ui.element("div").classes("games").props('data-testid="games"')
        with ui.dialog() as self._naming, ui.card().classes("dialog"):
            dialog_title(words("games.collection"), self._naming, words)
            self._name = ui.input().props(f"dense outlined aria-label={quoted(words('games.collection'))}")
            self._name.props('data-testid="collection-name" autofocus').on("keydown.enter", self._collect)
            self._named = ""
            button(words("games.keep"), self._collect, "main-action").props('data-testid="collect"')

    def open(self) -> None:
        """Shows the list as it is now."""
        self._save()
        self._show()
        self._dialog.open()

    def _show(self) -> None:
        words = self.session.words
        wanted = (self._search.value or "").split()
        kept = self._archive.games(self._visitor)
        found = [game for game in kept if game.fits(wanted, words)]
        self._name.set_autocomplete(sorted({game.collection for game in kept if game.collection}))
        self._list.clear()
        with self._list:
            if not found:
                ui.label(words("games.none_fits" if wanted else "games.none")).classes("soft")
            for game in found[:SHOWN]:
                self._row(game)
            if len(found) > SHOWN:
                ui.label(words("games.more", count=len(found) - SHOWN)).classes("soft small")

    def _row(self, game: KeptGame) -> None:
        words = self.session.words
        with ui.element("div").classes("game-row"):
            made = ui.element("button").classes("game-open").on("click", partial(self._ask, game))
            with made.props(f'type="button" data-testid="kept" data-name="{game.name}"'):
                ui.label(game.players(words)).classes("game-players")
                ui.label(" · ".join(game.facts(words))).classes("soft small")
            icon_button("label", words("games.collection"), partial(self._name_it, game)).props("dense")
            icon_button("delete", words("games.remove"), partial(self._remove, game)).props("dense")

    def _ask(self, game: KeptGame) -> None:
        words = self.session.words
        if game.name == self.session.game_name:  # it is on the board
            self._dialog.close()
        elif self.session.mode == "play" and self.session.record.root.children:
            # It is kept too, but a running game is not left by a slip of the hand.
            self._question.ask(words("ask.leave"), words("open.open"), partial(self._open, game))
        else:
            self._open(game)

    def _open(self, game: KeptGame) -> None:
        try:
            record = Record.from_sgf(self._archive.read(self._visitor, game.name))
        except (OSError, ValueError) as fault:
            return self.session.refuse(why(fault))
        self._save()
        self._dialog.close()
        return self.session.open_kept(record, game.name)

    def _name_it(self, game: KeptGame) -> None:
        self._named, self._name.value = game.name, game.collection
        self._naming.open()

    def _collect(self) -> None:
        self._naming.close()
        name = str(self._name.value or "")
        self._archive.collect(self._visitor, self._named, name)
        if self._named == self.session.game_name:
            self.session.put_into(name)
        self._show()

    def _remove(self, game: KeptGame) -> None:
        def throw_away() -> None:
            if game.name == self.session.game_name:  # it would be kept again with the next change
                self.session.new_game(Setup(size=game.size))
            self._archive.remove(self._visitor, game.name)
            self._show()

        words = self.session.words
        self._question.ask(words("games.really_remove"), words("games.remove"), throw_away)
