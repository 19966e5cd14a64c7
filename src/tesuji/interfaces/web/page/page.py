"""The page: a board and little else; what it shows follows from the session."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

from nicegui import ui

from tesuji.interfaces.web.game.chair import Chair, Role
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.views import board_props, spoken
from tesuji.interfaces.web.page.analysis import AnalysisCard, KomiCard
from tesuji.interfaces.web.page.cards import GameCard
from tesuji.interfaces.web.page.components import BoardView
from tesuji.interfaces.web.page.count_card import CountCard
from tesuji.interfaces.web.page.dialogs import NewGameDialog, look_menu
from tesuji.interfaces.web.page.edit_card import CommentCard, EditCard, ToolBar
from tesuji.interfaces.web.page.games_dialog import GamesDialog
from tesuji.interfaces.web.page.keyboard import Keyboard
from tesuji.interfaces.web.page.keys_dialog import KeysDialog
from tesuji.interfaces.web.page.networks_dialog import NetworksDialog
from tesuji.interfaces.web.page.open_dialog import OpenDialog
from tesuji.interfaces.web.page.practice_card import PracticeCard
from tesuji.interfaces.web.page.review_card import ReviewCard
from tesuji.interfaces.web.page.share_dialog import ShareDialog
from tesuji.interfaces.web.page.teach_card import TeachCard
from tesuji.interfaces.web.page.widgets import Later, Question, button, icon_button, quoted
from tesuji.interfaces.web.server.lobby import Lobby, Place
from tesuji.interfaces.web.server.security import LOCAL
from tesuji.interfaces.web.server.thinker import Thinker
from tesuji.interfaces.web.words.words import Said, Words

STATIC = Path(__file__).parent / "static"
MARK = (
    '<svg viewBox="0 0 26 26" aria-hidden="true">'
    '<circle cx="9.5" cy="13" r="8.5" fill="#1c1b1b" stroke="#8d8778" stroke-width="0.8"/>'
    '<circle cx="17" cy="13" r="8.5" fill="#f7f5f0" stroke="#8d8778" stroke-width="1"/></svg>'
)
HEAD = '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">'
THEMES = {"auto": None, "light": False, "dark": True}


def save_record() -> None:
    """The game on the board as a file."""
    ui.navigate.to("/game.sgf")


class Part(Protocol):
    """Something beside the board that follows the session."""

    def refresh(self) -> None:
        """Shows the session as it is now."""


class Page:
    """One open tab on a session."""

    def __init__(self, place: Place, lobby: Lobby, role: Role = "owner", words: Words | None = None) -> None:
        networks, self._role = lobby.networks, role
        chair = Chair(place.session, role, words)
        chair.tell = self.say
        session = self.session = cast(Session, chair)
        self._client = ui.context.client
        self._dark = ui.dark_mode(THEMES[session.look.theme])
        ui.colors(primary="#2f5d50")
        ui.add_head_html(HEAD)
        for style in ("style.css", "looks.css"):
            ui.add_css(STATIC / style)
        ui.add_body_html(f"<script>const tesujiWords = {session.words.for_the_browser()}</script>")
        ui.add_body_html(f"<script>const tesujiGuest = {str(role != 'owner').lower()}</script>")
        for script in ("words.js", "records.js", "reveal.js"):
            ui.add_body_html(f"<script>{(STATIC / script).read_text(encoding='utf-8')}</script>")
        question = Question(session.words)
        self._new_game = Later(partial(NewGameDialog, session, networks, question))
        self._open = Later(partial(OpenDialog, session.words, question))
        ui.on("tesuji-record", lambda event: self._open().answered(event.args))
        if role == "owner":  # what belongs to the owner alone is not even on the pages of others
            save = partial(lobby.save, place)
            self._games = Later(partial(GamesDialog, session, lobby.archive, place.key, question, save))
            link = self._link_maker(lobby, place.key)
            self._share = Later(partial(ShareDialog, session, link, reached=bool(lobby.reach)))
        self._keys = Later(partial(KeysDialog, session.words))
        self._networks = Later(partial(NetworksDialog, session, place.thinker, networks))
        self._header()
        self._heard = ui.label().classes("unseen").props('role="status" aria-live="polite" data-testid="heard"')
        with ui.element("main").classes("desk"):
            with ui.element("section").classes("table"):
                self._board = BoardView(board_props(session), session.touch, session.walk)
                with ui.element("div").classes("under"):
                    self._walk_bar()
                    self._parts: list[Part] = [ToolBar(session)] if role == "owner" else []
            with ui.element("aside").classes("side"):
                self._cards(question, place.thinker)
        Keyboard(session, self._opening())
        self.refresh()

    def _cards(self, question: Question, thinker: Thinker) -> None:
        """What stands beside the board, in two columns where there is room; guests find nothing they may not press."""
        session, owner = self.session, self._role == "owner"
        with ui.element("div").classes("column-a"):
            self._game = GameCard(session, question, self._new_game.open)
            self._parts += [self._game, CountCard(session)]
            self._parts += [TeachCard(session)] if owner else []
            self._parts += [AnalysisCard(session, thinker), KomiCard(session)]
            self._parts += [PracticeCard(session)] if owner else []
        with ui.element("div").classes("column-b"):
            self._parts += [ReviewCard(session)]
            self._parts += [EditCard(session)] if owner else []
            self._parts += [CommentCard(session)]

    def _header(self) -> None:
        words = self.session.words
        with ui.element("header").classes("top"):
            with ui.element("div").classes("brand"):
                ui.html(MARK, sanitize=False)
                ui.html("Tesuji", sanitize=False, tag="h1")
            if self._role != "owner":
                ui.label(words(f"share.{self._role}")).classes("soft").props('data-testid="role"')
                return
            icon_button("folder_open", words("header.open"), self._open.open).props('data-testid="open"')
            icon_button("folder_special", words("games.title"), self._games.open).props('data-testid="my-games"')
            icon_button("download", words("header.save"), save_record)
            icon_button("share", words("share.title"), self._share.open).props('data-testid="share"')
            icon_button("hub", words("header.networks"), self._networks.open).props('data-testid="networks"')
            with icon_button("tune", words("header.settings")).props('data-testid="settings"'):
                look_menu(self.session, self._keys)
            button(words("header.new_game"), self._new_game.open, "main-action").props('data-testid="new-game"')

    def _link_maker(self, lobby: Lobby, key: str) -> Callable[[Role], str]:
        """Makes links to this board: by the address this visitor came by, unless that leads nobody else here."""
        request = self._client.request
        base = str(request.base_url).rstrip("/") if request is not None else ""
        if lobby.reach and (request is None or request.base_url.hostname in LOCAL):
            base = lobby.reach
        asked = f"?token={lobby.token}" if lobby.token else ""
        return lambda role: f"{base}/at/{lobby.shares.word(key, role)}{asked}"

    def _walk_bar(self) -> None:
        session, words = self.session, self.session.words
        with ui.element("nav").classes("walk").props(f"aria-label={quoted(words('walk.label'))}"):
            self._steps = [
                icon_button("first_page", words("walk.first"), lambda: session.jump(0)),
                icon_button("chevron_left", words("walk.back"), lambda: session.walk(-1)),
            ]
            self._place = ui.label().classes("place").props('data-testid="place"')
            self._steps += [
                icon_button("chevron_right", words("walk.forward"), lambda: session.walk(1)),
                icon_button("last_page", words("walk.last"), lambda: session.jump(10**6)),
            ]

    def _opening(self) -> dict[str, Callable[[], Any]]:
        """The keys of what only the owner opens."""
        if self._role != "owner":
            return {}
        keys = {"o": self._open.open, "g": self._new_game.open, "l": self._games.open, "s": save_record}
        return {**keys, "r": self._game.ask_to_resign, "k": self._keys.open, "?": self._keys.open}

    def on_hidden(self, tell: Callable[[bool], None]) -> None:
        """Tells when this tab goes into the background, and when it comes back."""
        ui.on("tesuji-hidden", lambda event: tell(event.args is True))

    def say(self, said: Said) -> None:
        """A message that passes by, in the language of who sits here."""
        with self._client:
            ui.notify(said(self.session.words), position="bottom", color="dark", classes="notice")

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        self._board.show(board_props(session))
        total = len(session.record.line()) - 1
        self._place.text = session.words("walk.place", number=session.record.number, total=total)
        for step in self._steps:
            step.visible = session.may_walk
        self._heard.text = spoken(session)
        self._dark.value = THEMES[session.look.theme]
        for part in self._parts:
            part.refresh()
