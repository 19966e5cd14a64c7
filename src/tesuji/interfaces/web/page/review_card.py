"""The review beside the board: the curve, how far it has come, points lost by player and phase, and the mistakes."""

from functools import partial
from typing import Any

from nicegui import ui

from tesuji.interfaces.web.game.review_views import (
    graph_props,
    lost_in_phase,
    mistake_rows,
    progress_text,
    review_shown,
    summaries,
)
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.page.components import GraphView
from tesuji.interfaces.web.page.widgets import card, icon_button
from tesuji.reviews.summary import PHASES, PlayerSummary
from tesuji.reviews.verdicts import GRADES


class ReviewCard:
    """The course of the game with what every move cost."""

    def __init__(self, session: Session) -> None:
        self.session = session
        words = session.words
        # Above the analysis: opening that must not push the list away under one's hand.
        with card(words("course.title")).classes("early") as self._card:
            self._graph = GraphView(graph_props(session), session.jump)
            with ui.element("div").classes("legend soft small") as self._legend:
                for grade in GRADES:
                    with ui.element("span"):
                        ui.element("i").classes(f"spot grade-{grade}")
                        ui.label(words(f"course.{grade}"))
            self._bar = ui.linear_progress(0, show_value=False, size="4px").props('data-testid="review-bar"')
            self._progress = ui.label().classes("soft small").props('data-testid="review-progress"')
            with ui.element("div").classes("row-line spread") as self._head:
                ui.label(words("course.mistakes")).classes("card-title").props('role="heading" aria-level="3"')
                with ui.element("div"):
                    for icon, name, step in (("keyboard_arrow_up", "previous", -1), ("keyboard_arrow_down", "next", 1)):
                        made = icon_button(icon, words(f"course.{name}"), partial(session.next_mistake, step))
                        made.props(f'dense data-testid="{name}-mistake"')
            self._list = ui.element("div").classes("mistakes").props('data-testid="mistakes"')
            self._table = ui.element("div")
        self._rows: list[dict[str, Any]] = []
        self._buttons: dict[int, ui.element] = {}
        self._here: ui.element | None = None
        self._numbers: list[PlayerSummary] = []
        self.refresh()

    def refresh(self) -> None:
        """Shows the session as it is now; nothing while a game runs without analysis."""
        session = self.session
        self._card.visible = review_shown(session)
        if not self._card.visible:
            return
        props = graph_props(session)
        self._graph.show(props)
        self._legend.visible = bool(props["dots"])
        self._progress.text = progress_text(session)
        _, done, total = session.reviewed.progress
        self._bar.value = done / max(1, total)
        self._bar.visible = self._progress.visible = session.reviewing
        self._show_numbers(summaries(session))
        self._show_mistakes(mistake_rows(session))
        self._point_at(session.record.number + 1)

    def _point_at(self, number: int) -> None:
        """Marks the mistake with this number, if it is one, and brings it into sight: who walks by key reads why."""
        for each, row in self._buttons.items():
            row.classes(add="here" if each == number else "", remove="" if each == number else "here")
        chosen = self._buttons.get(number)
        if chosen is not None and chosen is not self._here:
            chosen.client.run_javascript(f"tesujiReveal('{chosen.html_id}')")
        self._here = chosen

    def _show_numbers(self, numbers: list[PlayerSummary]) -> None:
        self._table.visible = bool(numbers)
        if numbers == self._numbers:
            return
        self._numbers = numbers
        self._table.clear()
        if not numbers:
            return
        words, scored = self.session.words, all(one.points is not None for one in numbers)
        with self._table, ui.element("table").classes("numbers").props('data-testid="lost"'):
            with ui.element("thead"), ui.element("tr"):
                head = words("course.points_lost" if scored else "course.winrate_lost")
                for text in (head, *(one.name for one in numbers)):
                    _cell("th", text)
            for index, phase in enumerate(PHASES):
                values = [lost_in_phase(one, index) for one in numbers]
                self._row(f"course.{phase.replace(' ', '_')}", [self._number(value, scored) for value in values])
            totals = [one.points if scored else one.winrate_a_move * one.moves for one in numbers]
            self._row("course.in_all", [self._number(value, scored) for value in totals], "total")
            means = [one.points_a_move if scored else one.winrate_a_move for one in numbers]
            self._row("course.a_move", [self._number(value, scored, 2) for value in means])
            self._row("course.first_choice", [words.percent(one.first_choice) for one in numbers])
            if any(one.strength for one in numbers):
                self._row("course.strength", [one.strength or "" for one in numbers], "strength")
        if any(one.strength for one in numbers):
            with self._table:
                ui.label(words("course.strength_about")).classes("soft small")

    def _number(self, value: float | None, scored: bool, digits: int = 1) -> str:
        words = self.session.words
        return "" if value is None else words.number(value, digits) if scored else words.percent(value, digits)

    def _row(self, key: str, values: list[str], kind: str = "") -> None:
        with ui.element("tr").classes(kind):
            for text in (self.session.words(key), *values):
                _cell("td", text)

    def _show_mistakes(self, rows: list[dict[str, Any]]) -> None:
        self._head.visible = self._list.visible = bool(rows)
        if rows == self._rows:
            return
        self._rows, self._buttons = rows, {}
        self._list.clear()
        with self._list:
            for row in rows:
                self._buttons[row["number"]] = self._mistake(row)

    def _mistake(self, row: dict[str, Any]) -> ui.element:
        # To the position before the move: there the better one and its continuation are on the board.
        made = ui.element("button").classes(f"mistake edge-{row['grade']}").props(f'data-number="{row["number"]}"')
        made.on("click", lambda: self.session.look_at(row["number"] - 1))
        with made:
            with ui.element("span").classes("mistake-line"):
                ui.label(row["move"])
                ui.label(row["better"]).classes("soft small")
                ui.label(row["loss"]).classes("loss")
            if row["reason"]:
                ui.label(row["reason"]).classes("soft small")
        return made


def _cell(tag: str, text: str) -> None:
    with ui.element(tag):
        ui.label(text)
