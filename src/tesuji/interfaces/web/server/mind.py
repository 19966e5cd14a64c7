"""What the engine does for a session, in whatever thread: answer, look, analyse, count."""

import random
import threading
from typing import Any

from tesuji import Color, Game
from tesuji.interfaces.engine.mind import Mind, first_opinion
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.levels import Level, level
from tesuji.interfaces.web.game.setup import Seat
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

    def player_for(
        self, size: int, network: str = "", color: Color | None = None, strength: Level = ANALYST
    ) -> SearchPlayer:
        """The player of this strength; one for each colour, as each counts its own hopeless moves."""
        patience = ResignOptions() if strength.reads else ResignOptions(threshold=0)
        search = SearchOptions(**strength.search, memory_mb=MEMORY_MB, seed=self._seed)
        return self.player(size, search, PlayerOptions(resign=patience), network, (color, strength.key))

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

    def picture(self, game: Game, network: str = "") -> str:
        """The search tree of this position, drawn as Figure 2 of the 9x9 paper."""
        search = self.player_for(game.size, network).search
        return search.run(game, visits=PICTURE_VISITS, seconds=3.0).picture(depth=2, width=3)
