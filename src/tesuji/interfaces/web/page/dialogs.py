"""The dialogs: a new game, opening a record, the look of the page."""

from typing import Any

from nicegui import ui

from tesuji.go.rules import LABELS, usual_komi
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.levels import LEVELS, level
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import MAX_SECONDS, Seat, Setup
from tesuji.interfaces.web.page.widgets import Chooser, button, dialog_title

SIDES = (("black", "Black"), ("white", "White"), ("both", "Two people"), ("watch", "Watch"))


class NewGameDialog:
    """Board, opponent, and behind a fold the rest."""

    def __init__(self, session: Session, networks: Networks) -> None:
        self.session = session
        self._networks = networks
        setup = session.setup
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title("New game", self._dialog)
            with _field("Board"), ui.element("div").classes("row-line"):
                self._size = Chooser(((9, "9 × 9"), (13, "13 × 13"), (19, "19 × 19")), setup.size, self._sized)
                self._other = ui.number(value=setup.size, min=2, max=25, step=1, precision=0)
                self._other.props('dense outlined aria-label="Lines of the board"').classes("narrow")
                self._other.on_value_change(lambda event: self._resized(event.value))
            with _field("You play"):
                self._side = Chooser(SIDES, "black")
            with _field("Opponent"):
                options = {one.key: one.name for one in LEVELS}
                self._level = ui.select(options, value=self._last_level(), on_change=lambda _: self._describe())
                self._level.props('dense outlined aria-label="Level" data-testid="level"').classes("full")
                self._about = ui.label().classes("soft small").props('data-testid="about-level"')
                with ui.element("div") as self._time:
                    self._seconds = ui.number("Seconds per move", value=2, min=0.1, max=MAX_SECONDS, step=0.5)
                    self._seconds.props("dense outlined").classes("full")
            with ui.expansion("Komi, handicap, rules, network").props("dense").classes("fold"):
                self._details(setup, networks.names())
            with ui.element("div").classes("row-line spread"):
                button("Cancel", self._dialog.close, "quiet")
                button("Start", self._start, "main-action").props('data-testid="start"')
        self._describe()

    def _details(self, setup: Setup, networks: list[str]) -> None:
        with ui.element("div").classes("grid-fields"):
            self._komi = ui.number("Komi", value=setup.komi, step=0.5).props("dense outlined")
            self._handicap = ui.select(
                {0: "None", **{n: f"{n} stones" for n in range(2, 10)}}, value=0, label="Handicap"
            )
            self._handicap.props("dense outlined").on_value_change(self._propose_komi)
            self._rules = ui.select(LABELS, value=setup.rules, label="Rules")
            self._rules.props("dense outlined").on_value_change(self._propose_komi)
            names = {"": "Best for the board", **{name: name for name in networks}}
            self._network = ui.select(names, value="", label="Network").props("dense outlined")
            self._second = ui.select(names, value="", label="Network of White when watching").props("dense outlined")

    def _last_level(self) -> str:
        seats = (self.session.setup.white, self.session.setup.black)
        return next((seat.level for seat in seats if seat.kind == "engine"), Seat().level)

    def _resized(self, size: float | None) -> None:
        self._size.show(size)
        self._propose_komi()
        self._describe()

    def _sized(self, size: int) -> None:
        self._other.value = size
        self._describe()

    def _propose_komi(self) -> None:
        """What is usual for the board, the rules and the handicap chosen; the visitor may change it."""
        given = int(self._handicap.value or 0) >= 2
        self._komi.value = usual_komi(int(self._other.value or 0), str(self._rules.value), handicap=given)

    def _describe(self) -> None:
        chosen = level(str(self._level.value))
        size = int(self._other.value or 0)
        stranger = (
            "" if self._networks.made_for(size) else "No network here was made for this board, so it plays weakly."
        )
        measured = f"On 9 × 9: {chosen.measured[0].lower()}{chosen.measured[1:]}" if chosen.measured else ""
        self._about.text = f"{chosen.summary} {measured} {stranger}".strip()
        self._time.visible = chosen.timed

    def open(self) -> None:
        """Shows the dialog."""
        self._dialog.open()

    def _start(self) -> None:
        try:
            setup = self._chosen()
        except (ValueError, TypeError) as fault:
            ui.notify(f"{str(fault).splitlines()[0]}.", type="warning", classes="notice")
            return
        self._dialog.close()
        self.session.new_game(setup)

    def _chosen(self) -> Setup:
        side = self._side.value
        engine: dict[str, Any] = {"level": str(self._level.value), "seconds": float(self._seconds.value or 0)}
        first = Seat("engine", network=self._network.value or "", **engine)
        second = Seat("engine", network=self._second.value or self._network.value or "", **engine)
        black = Seat() if side in {"black", "both"} else first
        white = Seat() if side in {"white", "both"} else second if side == "watch" else first
        handicap = int(self._handicap.value or 0)
        return Setup(
            size=int(self._other.value or 0),
            komi=float(self._komi.value if self._komi.value is not None else 0),
            rules=str(self._rules.value),
            handicap=handicap,
            black=black,
            white=white,
        )


class OpenDialog:
    """A record by file or paste. The browser sends it over plain HTTP, where its size is limited before it is read."""

    def __init__(self) -> None:
        with ui.dialog() as self._dialog, ui.card().classes("dialog"):
            dialog_title("Open a game", self._dialog)
            ui.label("Drop an SGF file anywhere on the page, choose one, or paste its text.").classes("soft")
            self._text = ui.textarea(placeholder="(;GM[1]SZ[9] ...)").props(
                'outlined aria-label="SGF text" data-testid="sgf-text" input-style="min-height: 140px"'
            )
            with ui.element("div").classes("row-line spread"):
                button("Choose a file", lambda: ui.run_javascript("tesujiChoose()"))
                button("Open", self._open, "main-action").props('data-testid="open-text"')

    def open(self) -> None:
        """Shows the dialog."""
        self._text.value = ""
        self._dialog.open()

    def close(self) -> None:
        """Hides it."""
        self._dialog.close()

    def _open(self) -> None:
        field = f"getHtmlElement({self._text.id}).querySelector('textarea')"
        ui.run_javascript(f"tesujiOpen({field}.value)")
        self._dialog.close()


def look_menu(session: Session) -> None:
    """Switches for the look of the board and the page."""
    with (
        ui.menu().props('anchor="bottom right" self="top right"').classes("look"),
        ui.element("div").classes("look-body"),
    ):
        for name, text in (("coordinates", "Coordinates"), ("numbers", "Move numbers"), ("sound", "Sound")):

            def change(event: Any, name: str = name) -> None:
                session.set_look(**{name: bool(event.value)})

            ui.switch(text, value=getattr(session.look, name), on_change=change).props(f'data-testid="look-{name}"')
        ui.label("Theme").classes("field-label")
        themes = (("auto", "Auto"), ("light", "Light"), ("dark", "Dark"))
        Chooser(themes, session.look.theme, lambda value: session.set_look(theme=value))
        ui.link("For programs: the API", "/api").classes("soft small")


def _field(label: str) -> ui.element:
    made = ui.element("div").classes("field")
    with made:
        ui.label(label).classes("field-label")
    return made
