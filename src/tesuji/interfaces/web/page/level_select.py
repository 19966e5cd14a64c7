"""The list of levels as dialogs offer it: those that play the board in question."""

from collections.abc import Callable

from nicegui import ui

from tesuji.interfaces.web.game.levels import Level, level, levels_for
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.page.widgets import quoted
from tesuji.interfaces.web.words.words import Words


class LevelSelect:
    """A level to choose; on another board the choice stays where that level plays it."""

    def __init__(self, words: Words, size: int, name: str, on_choice: Callable[[], None] = lambda: None) -> None:
        self._words = words
        self._select = ui.select(self._titles(size), value=Seat().level, on_change=lambda _: on_choice())
        self._select.props(f"dense outlined aria-label={quoted(words('new_game.level'))}").classes("full")
        self._select.props(f'data-testid="{name}"')

    def _titles(self, size: int) -> dict[str, str]:
        return {one.key: one.title(self._words) for one in levels_for(size)}

    @property
    def chosen(self) -> Level:
        """The level as chosen."""
        return level(str(self._select.value))

    def choose(self, key: str) -> None:
        """Chooses one of those offered."""
        self._select.value = key

    def offer(self, size: int) -> None:
        """Offers the levels that play a board of so many lines."""
        titles = self._titles(size)
        if titles != self._select.options:
            kept = self._select.value if self._select.value in titles else Seat().level
            self._select.set_options(titles, value=kept)

    def show(self, setup: Setup) -> None:
        """Offers the levels for a game, its engine's chosen."""
        self.offer(setup.size)
        self.choose(next((seat.level for seat in (setup.white, setup.black) if seat.kind == "engine"), Seat().level))
