"""Analysis: lines that keep coming until the client says something, and moves with their reasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tesuji.interfaces.gtp.analysis_request import AnalysisRequest, parse_analysis
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.commands.moves import MoveCommands
from tesuji.interfaces.gtp.protocol import command
from tesuji.interfaces.gtp.report import Line, cgos_line, kata_line, lz_line, shown_moves

if TYPE_CHECKING:
    from tesuji.search.result import SearchResult


class AnalysisCommands(MoveCommands):
    """Leela Zero's, KataGo's and CGOS's commands.

    Plain `analyze` is left out on purpose: Sabaki would prefer it, and reads its win rates as whole numbers.
    """

    @command("lz-analyze")
    def lz_analyze(self, arguments: Arguments) -> str:
        return self._analyse(arguments, lambda request: lz_line)

    @command("kata-analyze")
    def kata_analyze(self, arguments: Arguments) -> str:
        return self._analyse(arguments, _kata_format)

    @command("lz-genmove_analyze")
    def lz_genmove_analyze(self, arguments: Arguments) -> str:
        return self._generate(arguments, lambda request: lz_line, play=True)

    @command("kata-genmove_analyze")
    def kata_genmove_analyze(self, arguments: Arguments) -> str:
        return self._generate(arguments, _kata_format, play=True)

    @command("kata-search_analyze")
    def kata_search_analyze(self, arguments: Arguments) -> str:
        return self._generate(arguments, _kata_format, play=False)

    @command("cgos-genmove_analyze")
    def cgos_genmove_analyze(self, arguments: Arguments) -> str:
        """One line of JSON, then the move."""
        request = parse_analysis(arguments, self.game.size)
        request.interval = None  # CGOS reads one line only
        return self._move_with_lines(request, cgos_line, play=True)

    def _generate(self, arguments: Arguments, style: Style, play: bool) -> str:
        request = parse_analysis(arguments, self.game.size)
        return self._move_with_lines(request, style(request), play)

    def _move_with_lines(self, request: AnalysisRequest, line: Line, play: bool) -> str:
        color = self.game.to_play if request.color is None else request.color

        def show(result: SearchResult) -> None:
            self.stream(line(result, shown_moves(result, request)))

        vertex = self.generate(color, play=play, request=request, show=show)
        return f"play {vertex}"

    def _analyse(self, arguments: Arguments, style: Style) -> str:
        request = parse_analysis(arguments, self.game.size)
        position = self.position_for(request.color)
        line = style(request)
        thought = self.thinker.analyse(position, interval=request.seconds, restrictions=request.restrictions)
        self.begin()
        # Even a search that has ended (all is proven, the memory is full) stays the answer until the next line comes.
        while not self.lines.has_waiting:
            self.lines.wait(lambda: thought.has_news or self.lines.has_waiting, None)
            news = thought.news()
            if news is not None and not self.lines.has_waiting:
                self.thinker.last_result = news
                self.stream(line(news, shown_moves(news, request)))
        thought.stop()
        return ""


Style = Callable[[AnalysisRequest], Line]
"""Chooses how a search is told, given what the client asked for."""


def _kata_format(request: AnalysisRequest) -> Line:
    return partial(kata_line, ownership=request.ownership, root_info=request.root_info)
