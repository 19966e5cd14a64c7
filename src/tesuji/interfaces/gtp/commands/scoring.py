"""The end of a game: score, dead stones, seki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji import BLACK, WHITE, Color
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command

if TYPE_CHECKING:
    from tesuji.search.endgame.judge import Judgement

_STATES = ("alive", "dead", "seki")
_TERRITORIES: dict[str, Color | None] = {"black_territory": BLACK, "white_territory": WHITE, "dame": None}


class ScoringCommands(Conversation):
    """What the judge says, in the protocol's words."""

    @command("final_score")
    def final_score(self, arguments: Arguments) -> str:
        """Of the stones as they stand after a game to the end by Tromp-Taylor rules, else without the dead ones."""
        if self.game.is_void:
            return "0"  # the protocol has no word for a game without result
        resigned = self.game.result() if self.game.is_over else None
        if resigned and (resigned.endswith("+R") or self.game.rules.name == "tromp-taylor"):
            return resigned
        return self._judgement().result

    @command("final_status_list")
    def final_status_list(self, arguments: Arguments) -> str:
        state = arguments.word("a status").lower()
        if state in _STATES:
            return self._chains(getattr(self._judgement(), state))
        if state in _TERRITORIES:
            return " ".join(self.game.vertex(point) for point in self._territory(state))
        raise GtpError("syntax error", f"invalid status '{shown(state)}': alive, dead or seki")

    @command("final_status")
    def final_status(self, arguments: Arguments) -> str:
        point = arguments.point(self.game.size)
        judgement = self._judgement()
        for state in _STATES:
            if point in getattr(judgement, state):
                return state
        return next(state for state in _TERRITORIES if point in self._territory(state))

    def _judgement(self) -> Judgement:
        return self.thinker.judgement(self.game)

    def _chains(self, points: list[int]) -> str:
        """One chain a line, as the protocol asks."""
        board, left, lines = self.game.board, set(points), []
        for point in points:
            if point in left:
                chain = board.chain(point)
                left -= set(chain)
                lines.append(" ".join(self.game.vertex(stone) for stone in chain))
        return "\n".join(lines)

    def _territory(self, state: str) -> list[int]:
        """Points that hold no stone once the dead are off, by owner."""
        judgement, board = self._judgement(), self.game.board
        dead = set(judgement.dead)
        wanted = _TERRITORIES[state]
        return [
            point
            for point, owner in enumerate(judgement.owners)
            if owner == wanted and (board.at(point) is None or point in dead)
        ]
