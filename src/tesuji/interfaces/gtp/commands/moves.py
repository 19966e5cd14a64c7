"""Moves of the engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tesuji import PASS, Color, Game
from tesuji.interfaces.engine.thought import Thought
from tesuji.interfaces.gtp.analysis_request import AnalysisRequest
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command
from tesuji.search.clock import TimeLossError

if TYPE_CHECKING:
    from tesuji.search.players import Decision
    from tesuji.search.result import SearchResult

_PATIENCE = 5.0
"""Seconds a move may still take when nobody will ask for another: a script gets its answer, a dead client no more."""
_NEVER = 1e9
Show = Callable[["SearchResult"], None]


class MoveCommands(Conversation):
    """`genmove` and its kin."""

    @command("genmove")
    def genmove(self, arguments: Arguments) -> str:
        return self.generate(arguments.color(), play=True)

    @command("reg_genmove")
    def reg_genmove(self, arguments: Arguments) -> str:
        """The same move, not played; regression suites ask for it."""
        return self.generate(arguments.color(), play=False)

    def generate(
        self,
        color: Color,
        *,
        play: bool,
        request: AnalysisRequest | None = None,
        show: Show | None = None,
        after_passes: bool = False,
    ) -> str:
        """Thinks, plays if asked, and returns the vertex, `pass` or `resign`; `show` gets what is found on the way."""
        request = request or AnalysisRequest(color)
        position = self.position_for(color)
        if self.game.is_over and not self.game.is_void and not after_passes:
            return self._played(color, PASS, play)
        started = time.monotonic()
        thought = self.thinker.decide(
            position,
            self.clocks.get(color),
            interval=_NEVER if show is None or request.interval is None else request.interval,
            restrictions=request.restrictions,
        )
        if show is not None:
            self.begin()
        self._follow(thought, show)
        decision = thought.conclusion()
        if play:
            self._spend(color, time.monotonic() - started)
        return self._answer(color, decision, play, show)

    def position_for(self, color: Color | None) -> Game:
        """The game as a search can take it: this player on the move, and passes that ended it taken back."""
        from tesuji.search.endgame.ownership import without_passes

        self.check_not_resigned()
        wanted = self.game.to_play if color is None else color
        position = without_passes(self.game) if self.game.is_over and not self.game.is_void else self.game.copy()
        # Without result the game is over by the rules; a server that goes on gets a move.
        if position.is_over and not position.is_void:
            raise GtpError("the game is over")
        position.to_play = wanted
        return position

    def check_not_resigned(self) -> None:
        """A resigned game can only be taken back or cleared."""
        if (self.game.result() or "").endswith("+R"):
            raise GtpError("the game is over by resignation")

    def _follow(self, thought: Thought[Any], show: Show | None) -> None:
        """Lets the thought run, passing its news on, until it ends or the client asks for its end."""
        deadline: float | None = None
        while not thought.is_done and not self.lines.asks_to_stop:
            now = time.monotonic()
            if deadline is None and self.lines.asks_to_leave:
                deadline = now + _PATIENCE
            if deadline is not None and now >= deadline:
                break
            self._wait_for_news(thought, None if deadline is None else deadline - now)
            news = thought.news()
            if news is not None and show is not None:
                show(news)
        thought.stop()

    def _wait_for_news(self, thought: Thought[Any], seconds: float | None) -> None:
        was_leaving = self.lines.asks_to_leave

        def is_news() -> bool:
            changed = self.lines.asks_to_leave and not was_leaving
            return thought.is_done or thought.has_news or self.lines.asks_to_stop or changed

        self.lines.wait(is_news, seconds)

    def _answer(self, color: Color, decision: Decision, play: bool, show: Show | None) -> str:
        if decision.result is not None:
            self.thinker.last_result = decision.result
            if show is not None:
                show(decision.result)
        if decision.resign and self.parameters.allowResignation:
            return "resign"
        return self._played(color, decision.move, play)

    def _played(self, color: Color, move: int, play: bool) -> str:
        if play:
            self.play(color, move)
            self.has_moved = True
        return "pass" if move == PASS else self.game.vertex(move)

    def _spend(self, color: Color, seconds: float) -> None:
        """Keeps the clock right where the server does not tell it before every move."""
        clock = self.clocks.get(color)
        if clock is not None:
            try:
                self.clocks[color] = clock.after(seconds)
            except TimeLossError:
                self.clocks[color] = clock  # the server decides; the next `time_left` says what it thinks
