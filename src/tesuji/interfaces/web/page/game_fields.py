"""The folds of the dialog for a new game: time; komi, handicap, rules and networks. Each says what is chosen in it."""

from collections.abc import Sequence

from nicegui import ui

from tesuji.go.rules import NAMES, usual_komi
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.timing import KINDS, Kind, TimeControl
from tesuji.interfaces.web.page.widgets import Chooser, quoted
from tesuji.interfaces.web.words.words import Words


class _Fold:
    """Fields that are out of the way; what is chosen behind it stands below its name."""

    def __init__(self, title: str, name: str) -> None:
        self.fold = ui.expansion(title).props(f'dense data-testid="{name}"').classes("fold")

    def tell(self, chosen: str) -> None:
        """Says what is chosen."""
        self.fold.props(f"caption={quoted(chosen)}")


class TimeFields(_Fold):
    """The fields about time, those shown that the kind of clock needs."""

    def __init__(self, words: Words, control: TimeControl) -> None:
        super().__init__(words("new_game.time"), "time")
        self._kinds = {kind: words(f"new_game.time_{kind}") for kind in KINDS}
        with self.fold:
            self._kind = Chooser(words("new_game.time"), self._kinds.items(), control.kind, self._show)
            with ui.element("div").classes("grid-fields"):
                self._main = ui.number(words("new_game.minutes"), value=control.main / 60, min=0, step=1)
                self._period = ui.number(words("new_game.time_seconds"), value=control.period, min=1, step=5)
                self._periods = ui.number(words("new_game.periods"), value=control.periods, min=1, step=1, precision=0)
                for one in (self._main, self._period, self._periods):
                    one.props("dense outlined")
            self._strict = ui.switch(words("new_game.strict"), value=control.strict).props('data-testid="strict"')
        self._show(control.kind)

    def _show(self, kind: Kind) -> None:
        self._main.visible = kind in {"byoyomi", "fischer"}
        self._periods.visible = kind == "byoyomi"
        self._period.visible = self._strict.visible = kind != "none"
        self.tell(self._kinds[kind])

    @property
    def chosen(self) -> TimeControl:
        """The control as chosen. Raises `ValueError` where it makes no sense."""
        return TimeControl(
            kind=self._kind.value,
            main=60 * float(self._main.value or 0),
            period=float(self._period.value or 0),
            periods=int(self._periods.value or 0),
            strict=bool(self._strict.value),
        )


class RuleFields(_Fold):
    """Komi, handicap, rules and networks."""

    def __init__(self, words: Words, setup: Setup, stones: int, komi: float, networks: Sequence[str]) -> None:
        super().__init__(words("new_game.more"), "more")
        self._words, self._size = words, setup.size
        with self.fold, ui.element("div").classes("grid-fields"):
            self._komi = ui.number(words("new_game.komi"), value=komi, step=0.5)
            given = {0: words("new_game.no_handicap")} | {n: words("new_game.stones", count=n) for n in range(2, 10)}
            self._handicap = ui.select(given, value=stones, label=words("new_game.handicap"))
            rules = {name: words(f"rules.{name}") for name in NAMES}
            self._rules = ui.select(rules, value=setup.rules, label=words("new_game.rules"))
            names = {"": words("new_game.best_network"), **{name: name for name in networks}}
            self._network = ui.select(names, value="", label=words("new_game.network"))
            self._second = ui.select(names, value="", label=words("new_game.second_network"))
            for one in (self._komi, self._handicap, self._rules, self._network, self._second):
                one.props("dense outlined")
        self._second.props('data-testid="second-network"')
        self._komi.on_value_change(self._tell)
        for each in (self._handicap, self._rules):
            each.on_value_change(lambda: self.propose_komi(self._size))
        self._tell()

    def _tell(self) -> None:
        words, stones = self._words, self.handicap
        told = [
            words("game.komi", komi=self.komi),
            words("game.rules", name=words(f"rules.{self.rules}")),
            words("game.stones", count=stones) if stones else "",
        ]
        self.tell(words.listed(told))

    def propose_komi(self, size: int) -> None:
        """What is usual for the board, the rules and the handicap chosen; the visitor may change it."""
        self._size = size
        self._komi.value = usual_komi(size, self.rules, handicap=self.handicap >= 2)
        self._tell()

    def propose_handicap(self, stones: int) -> None:
        """So many stones; the komi follows."""
        self._handicap.value = stones

    def seat(self, side: str) -> None:
        """Two people need no network, and one engine no second."""
        self._network.visible, self._second.visible = side != "both", side == "watch"

    @property
    def komi(self) -> float:
        """The komi as chosen."""
        return float(self._komi.value if self._komi.value is not None else 0)

    @property
    def handicap(self) -> int:
        """How many stones Black is given."""
        return int(self._handicap.value or 0)

    @property
    def rules(self) -> str:
        """The rules by their name."""
        return str(self._rules.value)

    @property
    def networks(self) -> tuple[str, str]:
        """The network that plays, and White's where two of them play; the empty name is the best one."""
        first = str(self._network.value or "")
        return first, str(self._second.value or first)
