"""The dialog about networks: what they are, how fast they are here, and two of them side by side on this position."""

from html import escape
from typing import Any

from nicegui import ui

from tesuji import Game
from tesuji.go.coordinates import from_policy_index
from tesuji.interfaces.engine.mind import Opinion, first_opinion
from tesuji.interfaces.engine.networks import NetworkFacts, Networks
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.views import board_props
from tesuji.interfaces.web.page.components import BoardView
from tesuji.interfaces.web.page.widgets import button, dialog_title, quoted
from tesuji.interfaces.web.server.thinker import Thinker
from tesuji.interfaces.web.words.words import Words


class NetworksDialog:
    """Two columns, each with a network, its facts, and its first thought about the position on the board."""

    def __init__(self, session: Session, thinker: Thinker, networks: Networks) -> None:
        self.session = session
        self._networks = networks
        self._size = session.record.game.size
        words = session.words
        with ui.dialog() as self._dialog, ui.card().classes("dialog wide"):
            dialog_title(words("networks.title"), self._dialog, words)
            ui.label(words("networks.about")).classes("soft small")
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
            label = quoted(session.words("networks.network", number=index + 1))
            self._name.props(f"dense outlined aria-label={label}").classes("full")
            self._board = BoardView(self._props([]))
            self._opinion = ui.label()
            self._facts = ui.html("", sanitize=True).classes("soft small")
            button(session.words("networks.use"), self._use)

    def choose(self, name: str) -> None:
        """Puts this network into the column."""
        self._name.value = name

    def _props(self, heat: list[float]) -> dict[str, Any]:
        shown = {"playable": False, "scoring": False, "candidates": [], "marks": [], "owners": [], "dead": []}
        return board_props(self._session) | shown | {"heat": heat, "coordinates": False, "sound": False}

    def _use(self) -> None:
        self._session.use_network(str(self._name.value or ""))
        name = self._name.value
        self._session.say(lambda words: words("networks.used", name=name))

    async def show(self) -> None:
        """Asks the network and shows what it says."""
        name, game = str(self._name.value or ""), self._session.record.game.copy()
        self._board.show(self._props([]))
        try:
            facts, speed, opinion = await self._thinker.aside(self._ask, name, game)
        except (ValueError, OSError) as fault:
            self._opinion.text, self._facts.content = self._session.words.fault(fault), ""
            return
        policy, words = opinion.policy, self._session.words
        best = max(range(len(policy)), key=policy.__getitem__)
        move = words.move(from_policy_index(best, game.size), game.size)
        told = {"move": move, "share": words.percent(policy[best]), "color": words.color(game.to_play)}
        self._board.show(self._props(policy[:-1]))
        self._opinion.text = words("networks.opinion", chance=words.percent(opinion.value), **told)
        self._facts.content = facts_html(facts, speed, words)

    def _ask(self, name: str, game: Game) -> tuple[NetworkFacts, float, Opinion]:
        opinion = first_opinion(self._networks.for_size(game.size, name), game)
        return self._networks.facts(name), self._networks.speed(name, game.size), opinion


def facts_html(facts: NetworkFacts, speed: float, words: Words) -> str:
    """The facts as a short list."""
    millions, megabytes = words.number(facts.parameters / 1e6, 2), words.number(facts.megabytes, 1)
    rows = {
        words("networks.shape"): facts.network,
        words("networks.size"): words("networks.size_is", millions=millions, megabytes=megabytes),
        words("networks.planes"): facts.planes,
        words("networks.boards"): words(
            "networks.any_board" if facts.any_size else "networks.one_board", size=facts.size
        ),
        words("networks.speed"): words("networks.speed_is", speed=f"{speed:,.0f}".replace(",", " ")),
        words("networks.training"): training_words(facts.training, words),
    }
    return "".join(f"<div><b>{escape(title)}</b> {escape(value)}</div>" for title, value in rows.items())


def training_words(training: dict[str, Any], words: Words) -> str:
    """What the file says of its training: how it did on games it never saw, and on what it was trained."""
    seen = training.get("validation")
    told = []
    if isinstance(seen, dict):
        known = {name: float(seen[name]) for name in seen if isinstance(seen[name], int | float)}
        if "top1" in known:
            told.append(words("networks.top1", share=words.percent(known["top1"], 1)))
        if "value_mse" in known:
            told.append(words("networks.value_mse", error=words.number(known["value_mse"], 3)))
        if "positions" in known:
            told.append(words("networks.positions", count=words.number(known["positions"], 0)))
    data = training.get("data")
    if isinstance(data, list | tuple):
        told.append(words("networks.data", names=" ".join(str(name).removesuffix(".games") for name in data)))
    return words.listed(told)[:400] or words("networks.no_record")
