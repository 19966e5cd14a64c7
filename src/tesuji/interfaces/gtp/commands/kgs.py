"""What kgsGtp asks beyond the protocol."""

from tesuji import Rules
from tesuji.interfaces.gtp.commands.moves import Moves
from tesuji.interfaces.gtp.protocol import GtpError, command
from tesuji.interfaces.gtp.words import Words, shown

_RULES = {"chinese": "chinese", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}


class Kgs(Moves):
    """Rules and the phase after the game. `kgs-chat` is left out on purpose: kgsGtp then answers visitors itself."""

    @command("kgs-rules")
    def kgs_rules(self, words: Words) -> str:
        word = words.word("rules")
        name = word.lower().replace("-", "_")
        if name not in _RULES:
            raise GtpError(f"unknown rules '{shown(word)}'; known: {', '.join(_RULES)}")
        self.set_rules(Rules.named(_RULES[name]))
        return ""

    @command("kgs-genmove_cleanup")
    def kgs_genmove_cleanup(self, words: Words) -> str:
        """A move that helps to take dead stones off; a pass only when none are left."""
        return self.generate(words.color(), play=True, cleanup=True)

    @command("kgs-game_over")
    def kgs_game_over(self, words: Words) -> str:
        self.mind.rest()
        return ""
