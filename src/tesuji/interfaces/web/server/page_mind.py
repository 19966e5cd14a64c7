"""What the engine does for a session, in whatever thread: answer, look, analyse, count."""

import random
import threading
from collections.abc import Sequence
from typing import Any

from tesuji import Color, Game
from tesuji.base import machine
from tesuji.interfaces.engine.mind import Mind, first_opinion
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.levels import Level, level
from tesuji.interfaces.web.game.setup import Seat
from tesuji.networks.devices import usual_batch
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.judging import Judges
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.options import SearchOptions
from tesuji.search.players import PlayerOptions, SearchPlayer

MEMORY_MB = 96  # of one tree; a session has two at most
MOST_VISITS = 100_000  # where a live analysis rests
PICTURE_VISITS = 400
SLICE_SECONDS = 0.4  # after which a live analysis lets other sessions have the thread
ANALYST = level("full")  # who analyses, hints and reviews


class PageMind(Mind):
    """The mind of one session, in the page's words."""

    def __init__(self, networks: Networks) -> None:
        super().__init__(networks)
        self._seed = random.getrandbits(32)
        self._judges: tuple[tuple[str, int], Judges] | None = None

    def player_for(
        self, size: int, network: str = "", color: Color | None = None, strength: Level = ANALYST
    ) -> SearchPlayer:
        """The player of this strength; one for each colour, as each counts its own hopeless moves."""
        patience = ResignOptions() if strength.reads else ResignOptions(threshold=0)
        usual = {"batch": usual_batch(SearchOptions.batch, self.networks.devices)}
        search = SearchOptions(**(usual | strength.search), memory_mb=MEMORY_MB, seed=self._seed)
        manners = PlayerOptions(resign=patience)
        return self.player(size, search, manners, strength.network or network, (color, strength.key))

    def answer(self, game: Game, seat: Seat, stop: threading.Event) -> tuple[int | None, Finding]:
        """The engine's move (None resigns) and what it thinks of the position."""
        strength = level(seat.level)
        player = self.player_for(game.size, seat.network, game.to_play, strength)
        if game.move_count < 2:
            player.reset()
        time: dict[str, Any] = {"unlimited": True, "seconds": seat.seconds} if strength.timed else {}
        decision = player.move(game, stop=stop, **time)
        assert decision.result is not None
        return None if decision.resign else decision.move, Finding.of(decision.result)

    def look(self, game: Game, visits: int, seconds: float, stop: threading.Event, network: str = "") -> Finding:
        """A search of this many visits, or less if the time ends before."""
        search = self.player_for(game.size, network).search
        return Finding.of(search.run(game, visits=visits, seconds=seconds, stop=stop))

    def analyse(self, game: Game, stop: threading.Event, network: str = "") -> tuple[Finding, bool]:
        """Another slice of a search without end; also whether it is deep enough to rest."""
        search = self.player_for(game.size, network).search
        result = search.run(game, unlimited=True, seconds=SLICE_SECONDS, stop=stop)
        rests = result.memory_full or result.root_visits >= MOST_VISITS
        return Finding.of(result, first_opinion(search.evaluate, game)), rests

    def judge_all(
        self, positions: Sequence[Game], visits: int, size: int, stop: threading.Event, network: str = ""
    ) -> list[Analysis | None]:
        """What a review finds of positions of one size; None for those that `stop` came before."""
        name = self.networks.choose(size, network)
        if self._judges is None or self._judges[0] != (name, size):
            # Half of the cores: somebody else may be waiting for an answer meanwhile.
            threads = max(1, machine.cores() // 2)
            self._judges = ((name, size), Judges(self.networks.on_all_devices(name), size, threads))
        return self._judges[1].judge(positions, visits, stop=stop)

    @property
    def reviewer(self) -> str:
        """The network that judged last; empty before."""
        return self._judges[0][0] if self._judges is not None else ""

    def forget(self) -> None:
        """Gives the memory of all trees back."""
        super().forget()
        self._judges = None

    def picture(self, game: Game, network: str = "", decimal: str = ".") -> str:
        """The search tree of this position, drawn as Figure 2 of the 9x9 paper."""
        search = self.player_for(game.size, network).search
        return search.run(game, visits=PICTURE_VISITS, seconds=3.0).picture(2, 3, decimal)
