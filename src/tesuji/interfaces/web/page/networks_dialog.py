"""The dialog about networks: what they are, how fast they are here, and two of them side by side on this position."""

from html import escape
from typing import Any

from nicegui import ui

from tesuji import BLACK, Game
from tesuji.go.coordinates import from_policy_index, vertex_text
from tesuji.interfaces.engine.mind import Opinion, first_opinion
from tesuji.interfaces.engine.networks import NetworkFacts, Networks
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.views import board_props
from tesuji.interfaces.web.page.components import BoardView
from tesuji.interfaces.web.page.widgets import button, dialog_title
from tesuji.interfaces.web.server.thinker import Thinker


class NetworksDialog:
    """Two columns, each with a network, its facts, and its first thought about the position on the board."""

    def __init__(self, session: Session, thinker: Thinker, networks: Networks) -> None:
        self.session = session
        self._networks = networks
        self._size = session.record.game.size
        with ui.dialog() as self._dialog, ui.card().classes("dialog wide"):
            dialog_title("Networks", self._dialog)
            ui.label("What each would play here at first sight, without reading ahead.").classes("soft small")
            with ui.element("div").classes("pair"):
                shown = range(min(2, len(networks.names())))
                self._columns = [_Column(session, thinker, networks, index) for index in shown]

    async def open(self) -> None:
        """Shows the dialog for the current position."""
        self._dialog.open()
        size = self.session.record.game.size
        if size != self._size:  # another board: its networks come first again
            self._size = size
            for column, name in zip(self._columns, self._networks.ranked_for(size), strict=False):
                column.choose(name)
        for column in self._columns:
            await column.show()


class _Column:
    def __init__(self, session: Session, thinker: Thinker, networks: Networks, index: int) -> None:
        self._session, self._thinker, self._networks = session, thinker, networks
        names = networks.ranked_for(session.record.game.size)
        with ui.element("div").classes("pair-column"):
            self._name = ui.select(names, value=names[index]).on("update:model-value", self.show)
            self._name.props(f'dense outlined aria-label="Network {index + 1}"').classes("full")
            self._board = BoardView(self._props([]))
            self._opinion = ui.label()
            self._facts = ui.html("", sanitize=True).classes("soft small")
            button("Use this network", self._use)

    def choose(self, name: str) -> None:
        """Puts this network into the column."""
        self._name.value = name

    def _props(self, heat: list[float]) -> dict[str, Any]:
        shown = {"playable": False, "scoring": False, "candidates": [], "marks": [], "owners": [], "dead": []}
        return board_props(self._session) | shown | {"heat": heat, "coordinates": False, "sound": False}

    def _use(self) -> None:
        self._session.use_network(str(self._name.value or ""))
        self._session.say(f"{self._name.value} plays and analyses from now on.")

    async def show(self) -> None:
        """Asks the network and shows what it says."""
        name, game = str(self._name.value or ""), self._session.record.game.copy()
        self._board.show(self._props([]))
        try:
            facts, speed, opinion = await self._thinker.aside(self._ask, name, game)
        except (ValueError, OSError) as fault:
            self._opinion.text, self._facts.content = str(fault).splitlines()[0], ""
            return
        policy = opinion.policy
        best = max(range(len(policy)), key=policy.__getitem__)
        move = vertex_text(from_policy_index(best, game.size), game.size)
        who = "Black" if game.to_play == BLACK else "White"
        self._board.show(self._props(policy[:-1]))
        self._opinion.text = f"{move} ({100 * policy[best]:.0f} %); {who} wins {100 * opinion.value:.0f} %"
        self._facts.content = facts_html(facts, speed)

    def _ask(self, name: str, game: Game) -> tuple[NetworkFacts, float, Opinion]:
        opinion = first_opinion(self._networks.for_size(game.size, name), game)
        return self._networks.facts(name), self._networks.speed(name, game.size), opinion


def facts_html(facts: NetworkFacts, speed: float) -> str:
    """The facts as a short list."""
    rows = {
        "Shape": facts.network,
        "Size": f"{facts.parameters / 1e6:.2f} million parameters, {facts.megabytes:.1f} MB",
        "Planes": facts.planes,
        "Boards": facts.boards,
        "Speed here": f"{speed:,.0f} positions a second on one thread".replace(",", " "),
        "Training": training_words(facts.training),
    }
    return "".join(f"<div><b>{title}</b> {escape(value)}</div>" for title, value in rows.items())


def training_words(training: dict[str, Any]) -> str:
    """What the file says of its training: how it did on games it never saw, and on what it was trained."""
    seen = training.get("validation")
    words = []
    if isinstance(seen, dict):
        names = {
            "top1": "first move right {:.1%}",
            "value_mse": "value error {:.3f}",
            "positions": "on {:.0f} unseen positions",
        }
        words = [text.format(seen[name]) for name, text in names.items() if isinstance(seen.get(name), int | float)]
    data = training.get("data")
    if isinstance(data, list | tuple):
        words.append("data " + " ".join(str(name).removesuffix(".games") for name in data))
    return ", ".join(words)[:400] or "no record in the file"
