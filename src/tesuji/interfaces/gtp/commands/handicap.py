"""Stones given before the game."""

from tesuji.interfaces.gtp.protocol import GtpError, command
from tesuji.interfaces.gtp.session import Session
from tesuji.interfaces.gtp.words import Words


class Handicap(Session):
    """Fixed, chosen by the network, or set by the client."""

    @command("fixed_handicap")
    def fixed_handicap(self, words: Words) -> str:
        return self._placed(self._fixed(words.integer("number of stones", 2, 9)))

    @command("place_free_handicap")
    def place_free_handicap(self, words: Words) -> str:
        """Exactly as many stones as asked, as gtp2ogs needs, on points the network likes."""
        stones = words.integer("number of stones", 2, self.game.size**2 - 1)
        self._check_empty()
        points = self.mind.handicap(self.game, stones)
        self.game.set_handicap(points)
        self.mind.forget_game()
        return self._placed(points)

    @command("set_free_handicap")
    def set_free_handicap(self, words: Words) -> str:
        self._check_empty()
        points: list[int] = []
        while words:
            points.append(words.point(self.game.size))
        if len(points) < 2 or len(set(points)) < len(points) or len(points) >= self.game.size**2:
            raise GtpError("bad vertex list")
        try:
            self.game.set_handicap(points)
        except ValueError as fault:
            raise GtpError(f"bad vertex list: {str(fault).splitlines()[0]}") from None
        self.mind.forget_game()
        return ""

    def _fixed(self, stones: int) -> list[int]:
        self._check_empty()
        try:
            points = self.game.place_handicap(stones)
        except ValueError as fault:
            raise GtpError(f"invalid number of stones: {fault}") from None
        self.mind.forget_game()
        return points

    def _check_empty(self) -> None:
        if self.game.moves or any(owner is not None for owner in self.game.board.area_owners()):
            raise GtpError("board not empty")

    def _placed(self, points: list[int]) -> str:
        return " ".join(self.game.vertex(point) for point in points)
