"""What GoGui and gomill show beside the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.interfaces.gtp.analysis_request import AnalysisRequest
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import command
from tesuji.interfaces.gtp.report import lead, shown_moves

if TYPE_CHECKING:
    from tesuji.features.evaluation import Floats

_ANALYZE_COMMANDS = """\
dboard/Policy of the network/tesuji-policy
dboard/Ownership (Black 1, White -1)/tesuji-ownership
pspairs/Candidates of the last search/tesuji-candidates
string/Last search in words/gomill-explain_last_move
plist/Dead stones/final_status_list dead
plist/Stones in seki/final_status_list seki
string/Score/final_score
string/Engine/gomill-describe_engine
none/Forget the tree/clear_cache"""


class GoGuiCommands(Conversation):
    """Commands of GoGui's analyze menu; the first word of each line of the list is how GoGui shows the answer."""

    @command("gogui-analyze_commands")
    def gogui_analyze_commands(self, arguments: Arguments) -> str:
        return _ANALYZE_COMMANDS

    @command("tesuji-policy")
    def tesuji_policy(self, arguments: Arguments) -> str:
        evaluation = self.thinker.evaluation(self.game)
        size = self.game.size
        return _board_of(evaluation.policy[0, : size * size].reshape(size, size))

    @command("tesuji-ownership")
    def tesuji_ownership(self, arguments: Arguments) -> str:
        return _board_of(self.thinker.judgement(self.game).black_ownership)

    @command("tesuji-candidates")
    def tesuji_candidates(self, arguments: Arguments) -> str:
        result = self.thinker.last_result
        if result is None:
            return ""
        return " ".join(
            f"{self.game.vertex(move.move)} {round(100 * move.value)}"
            for move in shown_moves(result, AnalysisRequest())
            if move.visits and move.move >= 0
        )

    @command("gomill-explain_last_move")
    def gomill_explain_last_move(self, arguments: Arguments) -> str:
        result = self.thinker.last_result
        if result is None:
            return "no move generated yet"
        points = lead(result, result.black_score)
        told = "" if points is None else f", {points:+.1f} points"
        line = " ".join(self.game.vertex(move) for move in result.pv[:8])
        return f"{result.root_visits} visits, win rate {100 * result.value:.1f} %{told}; expected {line}"


def _board_of(values: Floats) -> str:
    """Rows of numbers, as GoGui colours them."""
    return "\n" + "\n".join(" ".join(f"{value:.3g}" for value in row) for row in values)
