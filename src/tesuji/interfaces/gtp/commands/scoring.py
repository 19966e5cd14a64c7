"""The end of a game: score, dead stones, seki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.interfaces.gtp.protocol import GtpError, command
from tesuji.interfaces.gtp.session import Session
from tesuji.interfaces.gtp.words import Words, shown

if TYPE_CHECKING:
    from tesuji.search.judge import Judgement

_STATES = ("alive", "dead", "seki")
_OTHER_STATES = ("white_territory", "black_territory", "dame")


class Scoring(Session):
    """What the judge says, in the protocol's words."""

    @command("final_score")
    def final_score(self, words: Words) -> str:
        """Of the stones as they stand after a game to the end by Tromp-Taylor rules, else without the dead ones."""
        resigned = self.game.result() if self.game.is_over else None
        if resigned and (resigned.endswith("+R") or self.game.rules.name == "tromp-taylor"):
            return resigned
        return self._judgement().result

    @command("final_status_list")
    def final_status_list(self, words: Words) -> str:
        state = words.word("a status").lower()
        if state in _STATES:
            return self._chains(getattr(self._judgement(), state))
        if state in _OTHER_STATES:
            return " ".join(self.game.vertex(point) for point in self._territory(state))
        raise GtpError(f"invalid status '{shown(state)}': alive, dead or seki")

    @command("final_status")
    def final_status(self, words: Words) -> str:
        point = words.point(self.game.size)
        judgement = self._judgement()
        for state in _STATES:
            if point in getattr(judgement, state):
                return state
        return next(state for state in _OTHER_STATES if point in self._territory(state))

    def _judgement(self) -> Judgement:
        return self.mind.judgement(self.game)

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
        judgement, board = self._judgement(), self.game.board
        flat = judgement.black_ownership.reshape(-1)
        owners = ["black_territory" if owned > 0.5 else "white_territory" if owned < -0.5 else "dame" for owned in flat]
        return [point for point, owner in enumerate(owners) if owner == state and board.at(point) is None]
