"""Games in files."""

import time
from pathlib import Path

from tesuji import BLACK, Game
from tesuji.base.errors import InputError
from tesuji.go.sgf.files import game_at, read_tree, tree_of, write_tree
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command


class RecordCommands(Conversation):
    """SGF in and out."""

    @command("loadsgf")
    def loadsgf(self, arguments: Arguments) -> str:
        """A file name, which may contain spaces, and optionally the number of the move to stop before."""
        name, number = _file_and_number(arguments.rest())
        try:
            game = self._game_in(name, number)
        except (OSError, InputError) as fault:
            raise GtpError("cannot load file", str(fault)) from None
        self.game = game
        self.thinker.forget_game()
        return "black" if game.to_play == BLACK else "white"

    def _game_in(self, name: str, number: int | None) -> Game:
        root = read_tree(name)
        line = root.main_line()
        if number is not None:
            before = 0
            for index, node in enumerate(line):
                before += len(node.moves)
                if before >= number:
                    line = line[:index]
                    break
        stated = root.text("RU")
        return game_at(line[-1] if line else root, rules=None if stated else self.game.rules)

    @command("printsgf")
    def printsgf(self, arguments: Arguments) -> str:
        """The game as SGF, or into a file where one is named."""
        names = {"black": self.options.name, "white": self.options.name} if self.game.moves else {}
        root = tree_of(self.game, date=time.strftime("%Y-%m-%d"), **names)
        path = " ".join(arguments.rest())
        if not path or path == "-":
            return write_tree(root).decode("utf-8")
        try:
            write_tree(root, Path(path))
        except (OSError, InputError) as fault:
            raise GtpError("cannot write file", str(fault)) from None
        return ""


def _file_and_number(words: list[str]) -> tuple[str, int | None]:
    if not words:
        raise GtpError("syntax error", "expected a file name")
    if len(words) > 1 and words[-1].isascii() and words[-1].isdigit() and len(words[-1]) < 7:
        return " ".join(words[:-1]), int(words[-1])
    return " ".join(words), None
