"""What kgsGtp asks beyond the protocol."""

from tesuji import PASS, Color, Rules
from tesuji.go.rules import KGS_NAMES
from tesuji.interfaces.gtp.analysis_request import AnalysisRequest, MoveList
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.commands.moves import MoveCommands
from tesuji.interfaces.gtp.protocol import GtpError, command


class KgsCommands(MoveCommands):
    """Rules and the phase after the game. `kgs-chat` is left out on purpose: kgsGtp then answers visitors itself."""

    @command("kgs-rules")
    def kgs_rules(self, arguments: Arguments) -> str:
        word = arguments.word("rules")
        rules = Rules.from_text(word)
        if rules is None:
            raise GtpError(f"unknown rules '{shown(word)}'; known: {', '.join(KGS_NAMES)}")
        self.set_rules(rules)
        return ""

    @command("kgs-genmove_cleanup")
    def kgs_genmove_cleanup(self, arguments: Arguments) -> str:
        """A move that helps to take the opponent's dead stones off; a pass only when none are left."""
        color = arguments.color()
        helping = self._points_around_dead(color)
        if not helping:
            return self._played(color, PASS, play=True)
        request = AnalysisRequest(color, restrictions=[MoveList(color, frozenset(helping), allow=True, depth=1)])
        return self.generate(color, play=True, request=request, after_passes=True)

    def _points_around_dead(self, color: Color) -> set[int]:
        """Legal points in the empty regions that touch dead stones of the other player."""
        game, board = self.game, self.game.board
        dead = {point for point in self.thinker.judgement(game).dead if board.at(point) != color}
        region: set[int] = set()
        front = list(dead)
        while front:
            for other in board.neighbours(front.pop()):
                if other not in region and board.at(other) is None:
                    region.add(other)
                    front.append(other)
        return region & set(game.legal_moves(color))

    @command("kgs-game_over")
    def kgs_game_over(self, arguments: Arguments) -> str:
        self.thinker.rest()
        return ""
