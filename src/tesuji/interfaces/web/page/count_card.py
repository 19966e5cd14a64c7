"""The count in words: what each side has and why, and what the judge is not sure of."""

from collections.abc import Sequence

from nicegui import ui

from tesuji import BLACK, WHITE, Color
from tesuji.interfaces.web.game.count import Count, Side
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.widgets import card
from tesuji.interfaces.web.words.words import Words

NAMED = 4  # points of an open border


class CountCard:
    """Shown while a game is counted, and at the end of a game that was."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._lines: dict[Color, tuple[ui.label, ui.label]] = {}
        with card(session.words("count.title")).classes("first") as self._card:
            for color, name in ((BLACK, "black"), (WHITE, "white")):
                with ui.element("div").classes("count-line").props(f'data-testid="count-{name}"'):
                    self._lines[color] = (ui.label(), ui.label().classes("total"))
            self._hint = ui.label(session.words("count.click")).classes("soft small")
            self._doubts = ui.element("ul").classes("doubts small").props('data-testid="doubts"')
        self._shown: list[str] = []
        self.refresh()

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        count = session.settled_count()
        self._card.visible = count is not None
        if count is None:
            return
        self._hint.visible = session.mode == "scoring"
        for color, side in count.sides().items():
            text, total = self._lines[color]
            text.text = self._made_of(color, side)
            total.text = session.words.number(side.total)
        self._show_doubts(self._in_words(count) if session.mode == "scoring" else [])

    def _made_of(self, color: Color, side: Side) -> str:
        words = self.session.words
        kind = "area" if self.session.record.game.rules.scoring == "area" else "territory"
        told = {"color": words.color(color), "territory": side.territory}
        told["count"] = side.stones if kind == "area" else side.prisoners
        if side.komi:
            return words(f"count.{kind}_komi", komi=float(side.komi), **told)
        return words(f"count.{kind}", **told)

    def _in_words(self, count: Count) -> list[str]:
        words, size = self.session.words, self.session.record.game.size
        groups = [] if count.touched else count.unsettled
        told = [words("count.unsettled", point=words.move(chain[0], size)) for chain in groups]
        for region in count.open_borders:
            told.append(words("count.open_border", points=named(region, size, words)))
        if filled := count.judgement.protections:
            points = words.listed(words.move(point, size) for point in filled)
            told.append(words("count.protection", points=points))
        return told

    def _show_doubts(self, doubts: list[str]) -> None:
        self._doubts.visible = bool(doubts)
        if doubts == self._shown:
            return
        self._shown = doubts
        self._doubts.clear()
        with self._doubts:
            for text in doubts:
                with ui.element("li"):
                    ui.label(text)


def named(region: Sequence[int], size: int, words: Words) -> str:
    """Some points of a region, and whether there are more: `A1, B1, C1, D1, …`."""
    points = [words.move(point, size) for point in region[:NAMED]]
    return words.listed([*points, "…"] if len(region) > NAMED else points)
