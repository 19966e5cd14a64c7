"""Studying a game: its review, its mistakes, and what is written about it."""

from collections.abc import Callable

from tesuji.go.sgf.files import game_at
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.table import Table


class Study(Table):
    """A table at which games are looked through."""

    def look_at(self, number: int) -> None:
        """Stands before a move with the engine's candidates shown: what would have been better."""
        self.look.analysis = True
        self.jump(number)

    def review(self) -> None:
        """Judges every position of the current line."""
        line = self.record.line()
        try:
            game = game_at(line[-1])
        except ValueError as fault:
            return self.say(self.words.fault(fault))
        self.reviewed.start(line, game)
        if self.result and not line[-1].children and game.is_over:
            self.findings.setdefault(line[-1], Finding.of_finished(self.result))
        return self.changed()

    def next_mistake(self, direction: int) -> None:
        """To the next mistake of the line, or the previous one, with the better move on the board."""
        numbers = [number - 1 for number, _ in self.reviewed.mistakes(self.record.line())]
        here = self.record.number
        ahead = [number for number in numbers if (number - here) * direction > 0]
        if not ahead:
            return self.say(self.words("course.no_more" if numbers else "course.none"))
        return self.look_at(min(ahead, key=lambda number: abs(number - here)))

    def comment(self, text: str) -> None:
        """Writes about the current position."""
        self.record.node.comment = text[:20_000]
        self.changed()

    @property
    def reviewing(self) -> bool:
        """Whether a review is under way."""
        return self.reviewed.running

    def reviewed_more(self, take: Callable[[], None]) -> None:
        """A step of the review is done; kept on disk only at the end, as half a review is begun anew."""
        take()
        self.reviewed.next_step()
        if self.reviewing:
            self._tell()
        else:
            self.changed()
