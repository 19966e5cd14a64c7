"""What the keys do; those that open something are given by the page, and are its owner's alone."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.events import KeyEventArguments

from tesuji import PASS
from tesuji.interfaces.web.game.editing import TOOLS
from tesuji.interfaces.web.game.session import Session

Action = Callable[[], Any]


class Keyboard:
    """Listens wherever nobody writes."""

    def __init__(self, session: Session, opening: Mapping[str, Action]) -> None:
        self._held = _walking(session)
        self._once = {**_playing(session), **{key: (lambda: True, action) for key, action in opening.items()}}
        ui.keyboard(on_key=self._pressed, ignore=["input", "select", "textarea"])

    def _pressed(self, event: KeyEventArguments) -> None:
        name, held = event.key.name, event.modifiers
        if not event.action.keydown or held.ctrl or held.alt or held.meta or (held.shift and name != "?"):
            return
        if name in self._held:
            self._held[name]()
        elif name in self._once and not event.action.repeat:
            possible, action = self._once[name]
            if possible():
                action()


def _walking(session: Session) -> dict[str, Action]:
    """Keys that may be held down."""
    steps = {"ArrowLeft": -1, "ArrowRight": 1, "PageUp": -10, "PageDown": 10}
    return {
        **{key: partial(session.walk, step) for key, step in steps.items()},
        **{key: partial(session.jump, number) for key, number in {"Home": 0, "End": 10**6}.items()},
        **{key: partial(session.switch, step) for key, step in {"ArrowUp": -1, "ArrowDown": 1}.items()},
        **{key: partial(session.next_mistake, step) for key, step in {"b": -1, "n": 1}.items()},
    }


def _playing(session: Session) -> dict[str, tuple[Callable[[], bool], Action]]:
    """What is done once, and when that is possible."""
    change = session.set_look
    editing: dict[str, Action] = {str(number): partial(session.use_tool, tool) for number, tool in enumerate(TOOLS, 1)}
    editing |= {"Delete": session.delete, "z": session.restore}
    return {
        "p": (lambda: session.quiz is None, lambda: session.play(PASS)),
        "a": (lambda: True, lambda: change(analysis=not session.look.analysis)),
        "m": (lambda: True, lambda: change(numbers=not session.look.numbers)),
        **{key: (lambda: session.mode != "review", session.undo) for key in ("u", "Backspace")},
        "h": (lambda: session.mode == "play", session.ask_hint),
        "t": (lambda: session.with_teacher, lambda: change(teaching=not session.look.teaching)),
        "w": (lambda: session.warned is not None, session.show_why),
        "c": (lambda: session.warned is not None, session.go_on_anyway),
        **{key: (lambda: session.mode == "review" and session.quiz is None, action) for key, action in editing.items()},
    }
