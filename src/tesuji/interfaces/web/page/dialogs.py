"""The dialogs: a new game, the settings of the page."""

from functools import partial
from typing import Any

from nicegui import ui

from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.proposal import PROPOSALS, begins_with
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import MAX_SECONDS, Seat, Setup
from tesuji.interfaces.web.page.game_fields import RuleFields, TimeFields
from tesuji.interfaces.web.page.keys_dialog import KeysDialog
from tesuji.interfaces.web.page.level_select import LevelSelect
from tesuji.interfaces.web.page.widgets import Chooser, Later, Question, button, dialog_title, quoted
from tesuji.interfaces.web.words.words import languages, sentence

SIDES = ("black", "white", "both", "watch")


class NewGameDialog:
    """Board, opponent, and behind a fold the rest."""

    def __init__(self, session: Session, networks: Networks, question: Question) -> None:
        self.session = session
        self._networks = networks
        self._question = question
        setup, words = session.setup, session.words
        with ui.dialog() as self._dialog, ui.card().classes("dialog new-game"):
            dialog_title(words("new_game.title"), self._dialog, words)
            with _field(words("new_game.strength")):
                strengths = {"": words("new_game.strength_none")}
                strengths |= {one.key: words(f"new_game.strength_{one.key}") for one in PROPOSALS}
                known = session.look.strength if session.look.strength in strengths else ""
                self._strength = ui.select(strengths, value=known, on_change=lambda event: self._propose(event.value))
                self._strength.props(f"dense outlined aria-label={quoted(words('new_game.strength'))}").classes("full")
                self._strength.props('data-testid="strength"')
                ui.label(words("new_game.strength_about")).classes("soft small")
            with _field(words("new_game.board")), ui.element("div").classes("row-line"):
                sizes = ((9, "9 × 9"), (13, "13 × 13"), (19, "19 × 19"))
                self._size = Chooser(words("new_game.board"), sizes, setup.size, self._sized)
                self._other = ui.number(value=setup.size, min=2, max=25, step=1, precision=0)
                self._other.props(f"dense outlined aria-label={quoted(words('new_game.lines'))}").classes("narrow")
                self._other.on_value_change(lambda event: self._resized(event.value))
            with _field(words("new_game.you_play")):
                sides = [(side, words(f"new_game.{side}")) for side in SIDES]
                self._side = Chooser(words("new_game.you_play"), sides, "black", self._seated)
            with _field(words("new_game.opponent")) as self._opponent:
                self._level = LevelSelect(words, setup.size, "level", self._describe)
                self._about = ui.label().classes("soft small").props('data-testid="about-level"')
                with ui.element("div") as self._time:
                    self._seconds = ui.number(words("new_game.seconds"), value=2, min=0.1, max=MAX_SECONDS, step=0.5)
                    self._seconds.props("dense outlined").classes("full")
            self._clock = TimeFields(words, setup.time)
            stones, komi = begins_with(setup, session.record.game, played=session.played)
            self._agreed = RuleFields(words, setup, stones, komi, networks.names())
            with ui.element("div").classes("row-line spread dialog-actions"):
                button(words("actions.cancel"), self._dialog.close, "quiet")
                button(words("new_game.start"), self._start, "main-action").props('data-testid="start"')
        self._level.show(setup)
        self._side.choose(self._side_now())
        self._describe()

    def _side_now(self) -> str:
        """Who plays what in the game that is played here; of a record nobody knows, nor of a game lent to another."""
        session = self.session
        if not session.played or session.lent is not None:
            return "black"
        kinds = (session.setup.black.kind, session.setup.white.kind)
        return {("engine", "human"): "white", ("human", "human"): "both", ("engine", "engine"): "watch"}.get(
            kinds, "black"
        )

    def _propose(self, strength: str | None) -> None:
        """A game that should be even for who is so strong; the visitor may change all of it."""
        proposal = next((one for one in PROPOSALS if one.key == strength), None)
        if proposal is None:
            return
        self.session.set_look(strength=proposal.key)
        size = proposal.size if self._networks.made_for(proposal.size) else Setup().size
        self._side.choose("black")
        self._other.value = size
        self._level.choose(proposal.level)
        self._agreed.propose_handicap(proposal.handicap)
        self._agreed.propose_komi(size)

    def _resized(self, size: float | None) -> None:
        self._size.show(size)
        self._level.offer(int(size or 0))
        self._agreed.propose_komi(int(size or 0))
        self._describe()

    def _sized(self, size: int) -> None:
        self._other.value = size
        self._describe()

    def _seated(self, side: str) -> None:
        """Two people need no opponent but each other."""
        self._opponent.visible = side != "both"
        self._agreed.seat(side)

    def _describe(self) -> None:
        chosen = self._level.chosen
        size = int(self._other.value or 0)
        words = self.session.words
        stranger = "" if self._networks.made_for(size) else words("new_game.stranger")
        self._about.text = words.told((chosen.about(words), chosen.strength(words), stranger))
        self._time.visible = chosen.timed

    def open(self) -> None:
        """Shows the dialog."""
        self._dialog.open()

    def _start(self) -> None:
        try:
            setup = self._chosen()
        except (ValueError, TypeError) as fault:
            told = sentence(self.session.words.fault(fault))
            return ui.notify(told, type="warning", classes="notice")
        if self.session.unfinished:
            words = self.session.words
            return self._question.ask(words("ask.leave"), words("ask.leave_it"), partial(self._begin, setup))
        return self._begin(setup)

    def _begin(self, setup: Setup) -> None:
        self._dialog.close()
        self.session.new_game(setup)

    def _chosen(self) -> Setup:
        side, agreed = self._side.value, self._agreed
        engine: dict[str, Any] = {"level": self._level.chosen.key, "seconds": float(self._seconds.value or 0)}
        first, second = (Seat("engine", network=name, **engine) for name in agreed.networks)
        black = Seat() if side in {"black", "both"} else first
        white = Seat() if side in {"white", "both"} else second if side == "watch" else first
        return Setup(
            size=int(self._other.value or 0),
            komi=agreed.komi,
            rules=agreed.rules,
            handicap=agreed.handicap,
            black=black,
            white=white,
            time=self._clock.chosen,
        )


def look_menu(session: Session, keys: Later[KeysDialog]) -> None:
    """Switches for the look of the board and the page, and its language."""
    words = session.words
    with (
        ui.menu().props('anchor="bottom right" self="top right"').classes("look") as menu,
        ui.element("div").classes("look-body"),
    ):
        for name in ("coordinates", "numbers", "sound"):

            def change(event: Any, name: str = name) -> None:
                session.set_look(**{name: bool(event.value)})

            switch = ui.switch(words(f"settings.{name}"), value=getattr(session.look, name), on_change=change)
            switch.props(f'data-testid="look-{name}"')
        ui.label(words("settings.theme")).classes("field-label")
        themes = [(theme, words(f"settings.{theme}")) for theme in ("auto", "light", "dark")]
        Chooser(words("settings.theme"), themes, session.look.theme, lambda value: session.set_look(theme=value))
        ui.label(words("settings.board")).classes("field-label")
        boards = [(board, words(f"settings.board_{board}")) for board in ("wood", "plain", "night")]
        Chooser(words("settings.board"), boards, session.look.board, lambda value: session.set_look(board=value))
        ui.label(words("settings.stones")).classes("field-label")
        stones = [(style, words(f"settings.stones_{style}")) for style in ("shaded", "flat")]
        Chooser(words("settings.stones"), stones, session.look.stones, lambda value: session.set_look(stones=value))
        _language(session)
        with ui.element("div").classes("row-line spread"):
            button(words("keys.title"), lambda: (menu.close(), keys.open()), "quiet").props('dense data-testid="keys"')
            ui.link(words("settings.api"), "/api").classes("soft small")


def _language(session: Session) -> None:
    words = session.words

    def speak(event: Any) -> None:
        session.set_look(language=event.value)
        ui.navigate.reload()  # every part of the page speaks the language it was made with

    known = {"": words("settings.browser_language"), **{code: one.name for code, one in languages().items()}}
    chosen = ui.select(known, value=session.look.language, label=words("settings.language"), on_change=speak)
    chosen.props('dense outlined data-testid="language"').classes("full")


def _field(label: str) -> ui.element:
    made = ui.element("div").classes("field")
    with made:
        ui.label(label).classes("field-label")
    return made
