"""The analysis card: the switch, what to show on the board, candidate moves, komi curve and search tree."""

from nicegui import ui

from tesuji import BLACK
from tesuji.interfaces.web.game.curve import komi_curve_svg
from tesuji.interfaces.web.game.judgement import Judgement
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.verdict import last_move_in_words
from tesuji.interfaces.web.game.views import candidate_rows, short_count
from tesuji.interfaces.web.page.components import MovesView
from tesuji.interfaces.web.page.widgets import Chooser, button, card, dialog_title
from tesuji.interfaces.web.server.mind import Mind

OVERLAYS = (("none", "Moves"), ("territory", "Territory"), ("policy", "Instinct"))


class AnalysisCard:
    """What the engine thinks of this position, when asked."""

    def __init__(self, session: Session, mind: Mind) -> None:
        self.session = session
        self._mind = mind
        self._shown: Judgement | None = None
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
            drawing = await self._mind.picture()
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
        judgement = session.judgement if on else None
        if judgement is self._shown and judgement is not None:
            return
        self._shown = judgement
        if judgement is None:
            over = session.record.game.is_over
            self._headline.text = "The game is over here." if over else "Reading this position ..."
            self._facts.text = ""
            self._table.show({"rows": []})
            return
        self._show(judgement)

    def _show(self, judgement: Judgement) -> None:
        session = self.session
        self._headline.text = headline(judgement)
        speed = f", {short_count(round(judgement.speed))} a second" if judgement.speed else ""
        self._facts.text = f"{short_count(judgement.visits)} descents{speed}, {judgement.depth} moves deep"
        self._table.show({"rows": candidate_rows(judgement, session.record.game.size)})


def headline(judgement: Judgement) -> str:
    """`Black 63 %, ahead by 2.4`."""
    black = judgement.winrate(BLACK)
    who, share = ("Black", black) if black >= 0.5 else ("White", 1 - black)
    score = judgement.black_score
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
        judgement = session.judgement if session.look.analysis and session.mode != "scoring" else None
        curve = judgement.komi_curve if judgement is not None else None
        self._card.visible = bool(curve)
        if curve:
            self._drawing.content = komi_curve_svg(curve, session.record.game.komi)
