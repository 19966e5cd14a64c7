"""KataGo's own commands that clients learned to use: rules, parameters, the network's raw opinion."""

import json
import math
from collections.abc import Sequence

from tesuji import WHITE, Rules
from tesuji.base.errors import InputError
from tesuji.interfaces.engine.kata_rules import kata_rules
from tesuji.interfaces.engine.kata_rules import parse_rules as kata_rules_from
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation
from tesuji.interfaces.gtp.protocol import GtpError, command


class KataCommands(Conversation):
    """Rules as KataGo writes them, a few parameters by its names, and raw evaluations."""

    @command("kata-get-rules")
    def kata_get_rules(self, arguments: Arguments) -> str:
        return json.dumps(kata_rules(self.game.rules).as_json(), separators=(",", ":"))

    @command("kata-set-rules")
    def kata_set_rules(self, arguments: Arguments) -> str:
        self.set_rules(parse_rules(arguments.text, self.game.rules))
        return ""

    @command("kata-set-rule")
    def kata_set_rule(self, arguments: Arguments) -> str:
        key, value = arguments.word("a rule"), arguments.word("its value")
        self.set_rules(parse_rules(json.dumps({key: value}), self.game.rules))
        return ""

    @command("kata-get-param")
    def kata_get_param(self, arguments: Arguments) -> str:
        return self.parameters.text(arguments.word("a parameter"))

    @command("kata-set-param")
    def kata_set_param(self, arguments: Arguments) -> str:
        self.parameters.set(arguments.word("a parameter"), arguments.word("its value"))
        self.thinker.forget()  # players are made with the parameters of their time
        return ""

    @command("kata-list-params")
    def kata_list_params(self, arguments: Arguments) -> str:
        return " ".join(self.parameters.names())

    @command("kata-get-params")
    def kata_get_params(self, arguments: Arguments) -> str:
        return json.dumps({name: self.parameters.text(name) for name in self.parameters.names()})

    @command("kata-raw-nn")
    def kata_raw_nn(self, arguments: Arguments) -> str:
        word = arguments.peek().lower()
        symmetries = range(8) if word == "all" else [arguments.integer("symmetry", 0, 7) if arguments else 0]
        return "\n" + "\n".join(self._raw(symmetry) for symmetry in symmetries)

    @command("heatmap")
    def heatmap(self, arguments: Arguments) -> str:
        """Leela Zero's: priors in thousandths."""
        size = self.game.size
        policy = self.thinker.evaluation(self.game).policy[0]
        rows = [[round(1000 * float(share)) for share in row] for row in policy[:-1].reshape(size, size)]
        lines = [" ".join(f"{share:>4}" for share in row) for row in rows]
        return "\n" + "\n".join([*lines, f"pass: {round(1000 * float(policy[-1]))}"])

    def _raw(self, symmetry: int) -> str:
        game, size = self.game, self.game.size
        said = self.thinker.evaluation(game, symmetry)
        white_wins = float(said.value[0]) if game.to_play == WHITE else 1 - float(said.value[0])
        lead = 0.0 if said.black_score is None else game.komi - float(said.black_score[0])
        legal = set(game.legal_moves())
        policy = [float(said.policy[0, p]) if p in legal else math.nan for p in range(size * size)]
        owned = said.black_ownership
        white = [0.0] * (size * size) if owned is None else [-float(x) for x in owned[0].reshape(-1)]
        return "\n".join(
            [
                f"symmetry {symmetry}",
                f"whiteWin {white_wins:.6f}",
                f"whiteLoss {1 - white_wins:.6f}",
                "noResult 0.000000",
                f"whiteLead {lead:.3f}",
                f"whiteScoreSelfplay {lead:.3f}",
                f"whiteScoreSelfplaySq {lead * lead:.3f}",
                "policy",
                _rows(policy, size),
                f"policyPass {float(said.policy[0, -1]):.6f}",
                "whiteOwnership",
                _rows(white, size),
            ]
        )


def parse_rules(text: str, present: Rules) -> Rules:
    """Rules by name, or as KataGo's JSON on top of the present ones; `GtpError` for what we do not play."""
    try:
        told = kata_rules_from(text, kata_rules(present))
    except InputError as fault:
        raise GtpError(str(fault)) from None
    if not told.is_played:
        raise GtpError("unsupported rules: a button, or a tax on all groups")
    # KataGo's words have no name: Korean stays Korean.
    return present if told.rules.plays_like(present) and not told.own else told.rules


def _rows(board: Sequence[float], size: int) -> str:
    texts = ["NAN" if math.isnan(x) else f"{x:.6f}" for x in board]
    return "\n".join(" ".join(texts[row * size : (row + 1) * size]) for row in range(size))
