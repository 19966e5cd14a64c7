"""Stones given before the game."""

from tesuji.base.errors import InputError
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command

_NUMBER = "invalid number of stones"


class HandicapCommands(Conversation):
    """Fixed, chosen by the network, or set by the client."""

    @command("fixed_handicap")
    def fixed_handicap(self, arguments: Arguments) -> str:
        return self._placed(self._fixed(arguments.integer("number of stones", 2, 9, _NUMBER)))

    @command("place_free_handicap")
    def place_free_handicap(self, arguments: Arguments) -> str:
        """Exactly as many stones as asked, as gtp2ogs needs, on points the network likes."""
        stones = arguments.integer("number of stones", 2, self.game.size**2 - 1, _NUMBER)
        self._check_empty()
        points = self.thinker.handicap(self.game, stones, self._is_hurried)
        self.game.set_handicap(points)
        self._begin()
        return self._placed(points)

    @command("set_free_handicap")
    def set_free_handicap(self, arguments: Arguments) -> str:
        self._check_empty()
        points: list[int] = []
        while arguments:
            points.append(self._vertex(arguments))
        if len(points) < 2 or len(set(points)) < len(points) or len(points) >= self.game.size**2:
            raise GtpError("bad vertex list")
        try:
            self.game.set_handicap(points)
        except InputError as fault:
            raise GtpError("bad vertex list", str(fault).splitlines()[0]) from None
        self._begin()
        return ""

    def _vertex(self, arguments: Arguments) -> int:
        try:
            return arguments.point(self.game.size)
        except GtpError as fault:
            raise GtpError("bad vertex list", fault.reason) from None

    def _fixed(self, stones: int) -> list[int]:
        self._check_empty()
        try:
            points = self.game.place_handicap(stones)
        except InputError as fault:
            raise GtpError(_NUMBER, str(fault)) from None
        self._begin()
        return points

    def _begin(self) -> None:
        """The stones lie: a game of its own, with the komi of such games where none was stated."""
        self.use_usual_komi()
        self.thinker.forget_game()

    def _is_hurried(self) -> bool:
        return self.lines.asks_to_leave or self.lines.asks_to_stop

    def _check_empty(self) -> None:
        if self.game.moves or any(owner is not None for owner in self.game.board.area_owners()):
            raise GtpError("board not empty")

    def _placed(self, points: list[int]) -> str:
        return " ".join(self.game.vertex(point) for point in points)
