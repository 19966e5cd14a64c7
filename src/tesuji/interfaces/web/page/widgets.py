"""Small parts in the look of the page."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from nicegui import ui

from tesuji.interfaces.web.words.words import Words


class Opening(Protocol):
    """A dialog, or something around one."""

    def open(self) -> Any:
        """Shows it."""


T = TypeVar("T", bound=Opening)


def quoted(text: str) -> str:
    """A text as the value of a property: `props(f"aria-label={quoted(text)}")`."""
    return json.dumps(text, ensure_ascii=False)


def button(text: str, action: Callable[[], Any], kind: str = "second", icon: str | None = None) -> ui.button:
    """A button: `main-action` for the one thing most people want next, `second` for the others."""
    made = ui.button(text, on_click=lambda: action(), icon=icon, color=None)
    return made.props("flat no-caps").classes(kind)


def icon_button(icon: str, label: str, action: Callable[[], Any] | None = None) -> ui.button:
    """A round button with an icon; the label is read aloud and shown on hovering."""
    made = ui.button(on_click=(lambda: action()) if action else None, icon=icon, color=None)
    made.props("flat round").props(f"aria-label={quoted(label)}").classes("quiet")
    with made:
        ui.tooltip(label).props("delay=600")
    return made


def card(title: str = "") -> ui.element:
    """A sheet on the desk, to be used in a `with` statement."""
    made = ui.element("section").classes("card")
    if title:
        with made:
            ui.label(title).classes("card-title").props('role="heading" aria-level="2"')
    return made


def dialog_title(title: str, dialog: ui.dialog, words: Words) -> None:
    """The head of a dialog, with the way out of it; the title is the dialog's name to those who listen, too."""
    dialog.props(f"aria-label={quoted(title)}")
    with ui.element("div").classes("row-line spread"):
        ui.label(title).classes("dialog-title").props('role="heading" aria-level="2"')
        icon_button("close", words("actions.close"), dialog.close).props('data-testid="close"')


class Later(Generic[T]):
    """A dialog that is made when it is first asked for: nobody waits, when the page loads, for what is not seen yet."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._client = ui.context.client
        self._made: T | None = None

    def __call__(self) -> T:
        """The dialog itself."""
        if self._made is None:
            with self._client:  # not inside the button that was pressed
                self._made = self._make()
        return self._made

    def open(self) -> Any:
        """Shows the dialog."""
        return self().open()


class Question:
    """Asks before something is done that cannot be taken back."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._action: Callable[[], Any] = lambda: None
        self._dialog = Later(self._make)

    def _make(self) -> ui.dialog:
        with ui.dialog().props('role="alertdialog"') as dialog, ui.card().classes("dialog question"):
            self._text = ui.label().classes("question-text").props('data-testid="question"')
            with ui.element("div").classes("row-line spread"):
                button(self._words("actions.cancel"), dialog.close).props('data-testid="no" autofocus')
                self._yes = button("", self._agree, "main-action").props('data-testid="yes"')
        return dialog

    def ask(self, text: str, yes: str, action: Callable[[], Any]) -> None:
        """Shows the question; `action` is done when the visitor agrees."""
        dialog = self._dialog()
        self._text.text, self._yes.text, self._action = text, yes, action
        dialog.props(f"aria-label={quoted(text)}")
        dialog.open()

    def _agree(self) -> None:
        self._dialog().close()
        self._action()


class Chooser:
    """A row of buttons of which one is chosen."""

    def __init__(
        self,
        label: str,
        options: Iterable[tuple[Any, str]],
        chosen: Any,
        on_choice: Callable[[Any], None] | None = None,
    ) -> None:
        """`label` says to those who listen what is chosen."""
        self.value = chosen
        self._on_choice = on_choice
        self._buttons: dict[Any, ui.button] = {}
        with ui.element("div").classes("chooser").props(f'role="group" aria-label={quoted(label)}'):
            for value, text in options:
                self._buttons[value] = button(text, partial(self.choose, value))
        self._paint()

    def choose(self, value: Any) -> None:
        """Chooses as a click would."""
        self.show(value)
        if self._on_choice is not None:
            self._on_choice(value)

    def show(self, value: Any) -> None:
        """Shows a choice made elsewhere."""
        self.value = value
        self._paint()

    def _paint(self) -> None:
        for value, made in self._buttons.items():
            pressed = value == self.value
            made.classes(add="on" if pressed else "", remove="" if pressed else "on")
            made.props(f'aria-pressed="{str(pressed).lower()}"')
