"""The analysis card: the switch, what to show on the board, candidate moves, komi curve and search tree."""

from nicegui import ui

from tesuji import BLACK
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.verdict import last_move_in_words
from tesuji.interfaces.web.game.views import candidate_rows, komi_curve_svg, short_count
from tesuji.interfaces.web.page.components import MovesView
from tesuji.interfaces.web.page.widgets import Chooser, button, card, dialog_title
from tesuji.interfaces.web.server.thinker import Thinker

OVERLAYS = (("none", "Moves"), ("territory", "Territory"), ("policy", "Instinct"))


class AnalysisCard:
    """What the engine thinks of this position, when asked."""

    def __init__(self, session: Session, thinker: Thinker) -> None:
        self.session = session
        self._thinker = thinker
        self._shown: Finding | None = None
        with card() as self._card:
            with ui.element("div").classes("row-line spread"):
                ui.label("Analysis").classes("card-title").props('role="heading" aria-level="2"')
                self._switch = ui.switch(value=session.look.analysis, on_change=lambda event: self._turn(event.value))
                self._switch.props('dense aria-label="Analysis" data-testid="analysis"')
            with ui.element("div").classes("analysis-body") as self._body:
                self._headline = ui.label().classes("headline").props('data-testid="headline"')
                self._verdict = ui.label().classes("soft").props('data-testid="verdict"')
                self._overlay = Chooser(OVERLAYS, session.look.overlay, lambda value: session.set_look(overlay=value))
                self._table = MovesView(session.play)
                with ui.element("div").classes("row-line spread"):
                    self._facts = ui.label().classes("soft small").props('data-testid="facts"')
                    button("Tree", self._show_tree, "quiet").props('dense data-testid="tree"')
        with ui.dialog().props("full-width") as self._tree_dialog, ui.card().classes("dialog tree"):
            dialog_title("The search tree", self._tree_dialog)
            ui.label("The most visited moves: visits, win rate of the player to move, prior.").classes("soft small")
            self._tree = ui.html("", sanitize=False).classes("tree-drawing").props('data-testid="tree-drawing"')
        self.refresh()

    async def _show_tree(self) -> None:
        if self.session.record.game.is_over:
            return self.session.say("The game is over here: there is nothing to search.")
        try:
            drawing = await self._thinker.picture()
        except (ValueError, OSError) as fault:
            return self.session.say(str(fault).splitlines()[0])
        self._tree.content = drawing
        self._tree_dialog.open()
        return None

    def _turn(self, on: bool) -> None:
        if on != self.session.look.analysis:
            self.session.set_look(analysis=on)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self.session
        on = session.look.analysis and session.mode != "scoring"
        self._switch.value = session.look.analysis
        self._body.visible = on
        self._overlay.show(session.look.overlay)
        self._verdict.text = last_move_in_words(session) if on else ""
        self._verdict.visible = bool(self._verdict.text)
        finding = session.finding if on else None
        if finding is self._shown and finding is not None:
            return
        self._shown = finding
        if finding is None:
            over = session.record.game.is_over
            self._headline.text = "The game is over here." if over else "Reading this position ..."
            self._facts.text = ""
            self._table.show({"rows": []})
            return
        self._show(finding)

    def _show(self, finding: Finding) -> None:
        session = self.session
        self._headline.text = headline(finding)
        speed = f", {short_count(round(finding.speed))} a second" if finding.speed else ""
        self._facts.text = f"{short_count(finding.visits)} descents{speed}, {finding.depth} moves deep"
        self._table.show({"rows": candidate_rows(finding, session.record.game.size)})


def headline(finding: Finding) -> str:
    """`Black 63 %, ahead by 2.4`."""
    black = finding.winrate(BLACK)
    who, share = ("Black", black) if black >= 0.5 else ("White", 1 - black)
    score = finding.black_score
    if score is None:
        return f"{who} {100 * share:.0f} %"
    return f"{who} {100 * share:.0f} %, {'Black' if score >= 0 else 'White'} leads by {abs(score):.1f}"


class KomiCard:
    """Black's win rate against komi, where the network tells it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        with card("Win rate against komi") as self._card:
            self._drawing = ui.html("", sanitize=False)
        self.refresh()

    def refresh(self) -> None:
        """Shows the curve of the current position while analysing."""
        session = self.session
        finding = session.finding if session.look.analysis and session.mode != "scoring" else None
        curve = finding.komi_curve if finding is not None else None
        self._card.visible = bool(curve)
        if curve:
            self._drawing.content = komi_curve_svg(curve, session.record.game.komi)
