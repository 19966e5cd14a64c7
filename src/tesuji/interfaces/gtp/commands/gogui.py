"""What GoGui and gomill show beside the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji.interfaces.gtp.protocol import command
from tesuji.interfaces.gtp.session import Session
from tesuji.interfaces.gtp.words import Words

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


class GoGui(Session):
    """Commands of GoGui's analyze menu; the first word of each line of the list is how GoGui shows the answer."""

    @command("gogui-analyze_commands")
    def gogui_analyze_commands(self, words: Words) -> str:
        return _ANALYZE_COMMANDS

    @command("tesuji-policy")
    def tesuji_policy(self, words: Words) -> str:
        evaluation = self.mind.evaluation(self.game)
        size = self.game.size
        return _board_of(evaluation.policy[0, : size * size].reshape(size, size))

    @command("tesuji-ownership")
    def tesuji_ownership(self, words: Words) -> str:
        return _board_of(self.mind.judgement(self.game).black_ownership)

    @command("tesuji-candidates")
    def tesuji_candidates(self, words: Words) -> str:
        report = self.mind.last_report
        if report is None:
            return ""
        return " ".join(
            f"{self.game.vertex(candidate.move)} {round(100 * candidate.winrate)}"
            for candidate in report.candidates
            if candidate.visits and candidate.move >= 0
        )

    @command("gomill-explain_last_move")
    def gomill_explain_last_move(self, words: Words) -> str:
        report = self.mind.last_report
        if report is None or not report.candidates:
            return "no move generated yet"
        best = report.candidates[0]
        lead = "" if report.score_lead is None else f", {report.score_lead:+.1f} points"
        line = " ".join(self.game.vertex(move) for move in best.line[:8])
        return f"{report.visits} visits, win rate {100 * report.winrate:.1f} %{lead}; expected {line}"


def _board_of(values: Floats) -> str:
    """Rows of numbers, as GoGui colours them."""
    return "\n" + "\n".join(" ".join(f"{value:.3g}" for value in row) for row in values)
