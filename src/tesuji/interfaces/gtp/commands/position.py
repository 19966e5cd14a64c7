"""The board: size, komi, moves, undo, and the picture of it."""

from tesuji import BLACK, PASS, WHITE
from tesuji.base.errors import InputError
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.picture import board_picture
from tesuji.interfaces.gtp.protocol import GtpError, command

_LARGEST, _SMALLEST = 25, 2


class PositionCommands(Conversation):
    """Commands that change or show the position."""

    @command("boardsize")
    def boardsize(self, arguments: Arguments) -> str:
        self.new_game(size=_size(arguments))
        return ""

    @command("rectangular_boardsize")
    def rectangular_boardsize(self, arguments: Arguments) -> str:
        width, height = _size(arguments), _size(arguments)
        if width != height:
            raise GtpError("unacceptable size", "boards are square")
        self.new_game(size=width)
        return ""

    @command("clear_board")
    def clear_board(self, arguments: Arguments) -> str:
        self.new_game()
        return ""

    @command("komi")
    def komi(self, arguments: Arguments) -> str:
        self.set_komi(arguments.number("komi", -1000, 1000))
        return ""

    @command("get_komi")
    def get_komi(self, arguments: Arguments) -> str:
        return f"{self.game.komi:g}"

    @command("play")
    def play_command(self, arguments: Arguments) -> str:
        color = arguments.color()
        if arguments.peek().lower() == "resign":
            self.game.resign(color)
            return ""
        self.play(color, arguments.move(self.game.size))
        return ""

    @command("undo")
    def undo(self, arguments: Arguments) -> str:
        self._take_back(1)
        return ""

    @command("gg-undo")
    def gg_undo(self, arguments: Arguments) -> str:
        self._take_back(arguments.integer("number of moves", 0, 10_000) if arguments else 1)
        return ""

    def _take_back(self, count: int) -> None:
        # All or nothing: a client that counts wrongly must not be left somewhere in between.
        position = self.game.copy()
        try:
            for _ in range(count):
                position.undo()
        except InputError:
            raise GtpError("cannot undo") from None
        self.game = position

    @command("showboard")
    def showboard(self, arguments: Arguments) -> str:
        return board_picture(self.game)

    @command("set_position")
    def set_position(self, arguments: Arguments) -> str:
        """Pairs of colour and vertex; the board is set as if no move had been played."""
        stones: dict[int, set[int]] = {BLACK: set(), WHITE: set()}
        while arguments:
            color, word = arguments.color(), arguments.peek()
            point = arguments.point(self.game.size)
            if any(point in placed for placed in stones.values()):
                raise GtpError("illegal position", f"two stones on '{shown(word)}'")
            stones[color].add(point)
        position = self.game.copy()
        try:
            position.setup(black=sorted(stones[BLACK]), white=sorted(stones[WHITE]), to_play=BLACK)
        except InputError as fault:
            raise GtpError("illegal position", str(fault).splitlines()[0]) from None
        self.game = position
        self.thinker.forget_game()
        return ""

    @command("last_move")
    def last_move(self, arguments: Arguments) -> str:
        if not self.game.moves:
            raise GtpError("no previous move known")
        color, move = self.game.moves[-1]
        return f"{'black' if color == BLACK else 'white'} {'pass' if move == PASS else self.game.vertex(move)}"

    @command("move_history")
    def move_history(self, arguments: Arguments) -> str:
        """The moves, the last one first, as GNU Go tells them."""
        return "\n".join(
            f"{'black' if color == BLACK else 'white'} {self.game.vertex(move)}"
            for color, move in reversed(self.game.moves)
        )


def _size(arguments: Arguments) -> int:
    size = arguments.integer("board size", -(10**9), 10**9)
    if not _SMALLEST <= size <= _LARGEST:
        raise GtpError("unacceptable size")
    return size
