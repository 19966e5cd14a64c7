"""The dialog that tells the keys."""

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
    (("P",), "actions.pass"),
    (("U",), "actions.undo"),
    (("H",), "actions.hint"),
    (("A",), "analysis.title"),
    (("M",), "settings.numbers"),
    (("O",), "header.open"),
    (("G",), "header.new_game"),
    (("⇧ ←", "⇧ ↑", "⇧ →", "⇧ ↓"), "keys.cursor"),
    (("⏎",), "keys.play"),
    (("?",), "keys.title"),
)


class KeysDialog:
    """Everything that can be done without a mouse."""

    def __init__(self, words: Words) -> None:
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title(words("keys.title"), self._dialog, words)
            rows = "".join(
                f"<tr><td>{' '.join(f'<kbd>{escape(one)}</kbd>' for one in keys)}</td>"
                f"<td>{escape(words(text))}</td></tr>"
                for keys, text in KEYS
            )
            ui.html(f'<table class="keys" data-testid="key-list">{rows}</table>', sanitize=False)

    def open(self) -> None:
        """Shows the dialog."""
        self._dialog.open()
