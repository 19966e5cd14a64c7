"""The analysis card: the switch, what to show on the board, candidate moves, komi curve and search tree."""

from nicegui import ui

from tesuji import BLACK, WHITE
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.review_views import last_move_in_words
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.views import candidate_rows, komi_curve_svg
from tesuji.interfaces.web.page.components import MovesView
from tesuji.interfaces.web.page.widgets import Chooser, Later, button, card, dialog_title, quoted
from tesuji.interfaces.web.server.thinker import Thinker
from tesuji.interfaces.web.words.words import Words, why

OVERLAYS = {"none": "analysis.moves", "territory": "analysis.territory", "policy": "analysis.policy"}


class AnalysisCard:
    """What the engine thinks of this position, when asked."""

    def __init__(self, session: Session, thinker: Thinker) -> None:
        self.session = session
        self._thinker = thinker
        self._shown: Finding | None = None
        words = session.words
        with card() as self._card:
            with ui.element("div").classes("row-line spread"):
                ui.label(words("analysis.title")).classes("card-title").props('role="heading" aria-level="2"')
                self._switch = ui.switch(value=session.look.analysis, on_change=lambda event: self._turn(event.value))
                self._switch.props(f'dense aria-label={quoted(words("analysis.title"))} data-testid="analysis"')
            with ui.element("div").classes("analysis-body") as self._body:
                self._headline = ui.label().classes("headline").props('data-testid="headline"')
                self._verdict = ui.label().classes("soft").props('data-testid="verdict"')
                overlays = [(overlay, words(key)) for overlay, key in OVERLAYS.items()]
                with ui.element("div") as self._overlays:
                    self._overlay = Chooser(words("analysis.title"), overlays, session.look.overlay, self._choose)
                self._table = MovesView(session.play)
                with ui.element("div").classes("row-line spread beside"):
                    self._facts = ui.label().classes("soft small").props('data-testid="facts"')
                    button(words("analysis.tree"), self._show_tree, "quiet").props('dense data-testid="tree"')
        self._tree_dialog = Later(self._make_tree_dialog)
        self.refresh()

    def _make_tree_dialog(self) -> ui.dialog:
        words = self.session.words
        with ui.dialog().props("full-width") as dialog, ui.card().classes("dialog tree"):
            dialog_title(words("analysis.tree_title"), dialog, words)
            ui.label(words("analysis.tree_about")).classes("soft small")
            self._tree = ui.html("", sanitize=False).classes("tree-drawing").props('data-testid="tree-drawing"')
        return dialog

    async def _show_tree(self) -> None:
        if self.session.record.game.is_over:
            return self.session.refuse(lambda words: words("analysis.nothing_to_search"))
        try:
            drawing = await self._thinker.picture()
        except (ValueError, OSError) as fault:
            return self.session.refuse(why(fault))
        dialog = self._tree_dialog()
        self._tree.content = drawing
        large = self.session.record.game.size > 13  # boards too small to read unless they are drawn larger
        self._tree.classes(add="large" if large else "", remove="" if large else "large")
        dialog.open()
        return None

    def _choose(self, overlay: str) -> None:
        self.session.set_look(overlay=overlay)

    def _turn(self, on: bool) -> None:
        if on != self.session.look.analysis:
            self.session.set_look(analysis=on)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        on = session.look.analysis and session.mode != "scoring"
        mine = session.may("set_look")
        self._card.visible = mine or on
        self._switch.visible, self._switch.value = mine, session.look.analysis
        self._body.visible = on
        self._overlays.visible = mine
        self._overlay.show(session.look.overlay)
        self._verdict.text = last_move_in_words(session) if on else ""
        self._verdict.visible = bool(self._verdict.text)
        finding = session.finding if on else None
        if finding is self._shown and finding is not None:
            return
        self._shown = finding
        if finding is None:
            over = session.record.game.is_over
            self._headline.text = session.words("analysis.over" if over else "analysis.reading")
            self._facts.text = ""
            self._table.show({"rows": []})
            return
        self._show(finding)

    def _show(self, finding: Finding) -> None:
        session, words = self.session, self.session.words
        self._headline.text = headline(finding, words)
        speed = words.short_count(round(finding.speed))
        key = "analysis.facts_and_speed" if finding.speed else "analysis.facts"
        self._facts.text = words(key, visits=words.short_count(finding.visits), speed=speed, depth=finding.depth)
        self._table.show({"rows": candidate_rows(finding, session.record.game.size, words)})


def headline(finding: Finding, words: Words) -> str:
    """`Black 63 %, Black leads by 2.4`."""
    ahead = BLACK if finding.winrate(BLACK) >= 0.5 else WHITE
    told = {"color": words.color(ahead), "share": words.percent(finding.winrate(ahead))}
    score = finding.black_score
    if score is None:
        return words("analysis.headline", **told)
    leader = words.color(BLACK if score >= 0 else WHITE)
    return words("analysis.headline_and_score", leader=leader, points=words.number(abs(score), 1), **told)


class KomiCard:
    """Black's win rate against komi, where the network tells it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        with card(session.words("analysis.komi_title")) as self._card:
            self._drawing = ui.html("", sanitize=False)
        self.refresh()

    def refresh(self) -> None:
        """Shows the curve of the current position while analysing."""
        session = self.session
        finding = session.finding if session.look.analysis and session.mode != "scoring" else None
        curve = finding.komi_curve if finding is not None else None
        self._card.visible = bool(curve)
        if curve:
            self._drawing.content = komi_curve_svg(curve, session.record.game.komi, session.words)
