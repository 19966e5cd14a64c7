"""The dialog that tells the keys."""

from collections.abc import Iterable
from html import escape

from nicegui import ui

from tesuji.interfaces.web.page.widgets import dialog_title
from tesuji.interfaces.web.words.words import Words

KEYS = (
    (("←", "→"), "keys.step"),
    (("PageUp", "PageDown"), "keys.ten"),
    (("Home", "End"), "keys.ends"),
    (("↑", "↓"), "keys.variations"),
    (("N", "B"), "keys.mistakes"),
    (("Delete",), "edit.delete"),
    (("Z",), "edit.restore"),
    (("1", "2", "…", "9"), "edit.tools"),
    (("P",), "actions.pass"),
    (("U",), "actions.undo"),
    (("H",), "actions.hint"),
    (("R",), "actions.resign"),
    (("T",), "teach.title"),
    (("W",), "actions.why"),
    (("C",), "actions.go_on"),
    (("A",), "analysis.title"),
    (("M",), "settings.numbers"),
    (("G",), "header.new_game"),
    (("O",), "header.open"),
    (("L",), "games.title"),
    (("S",), "header.save"),
    (("⇧", "← ↑ → ↓"), "keys.cursor"),
    (("⏎",), "keys.play"),
    (("?",), "keys.title"),
)


class KeysDialog:
    """Everything that can be done without a mouse."""

    def __init__(self, words: Words) -> None:
        with ui.dialog() as self._dialog, ui.card().classes("dialog wide"):
            dialog_title(words("keys.title"), self._dialog, words)
            rows = "".join(_row(keys, words(text)) for keys, text in KEYS)
            ui.html(f'<div class="keys" role="list" data-testid="key-list">{rows}</div>', sanitize=False)

    def open(self) -> None:
        """Shows the dialog."""
        self._dialog.open()


def _row(keys: Iterable[str], text: str) -> str:
    shown = "".join(f"<kbd>{escape(one)}</kbd>" for one in keys)
    return f'<div class="key-row" role="listitem"><span>{shown}</span><span>{escape(text)}</span></div>'
