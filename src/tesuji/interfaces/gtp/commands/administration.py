"""Who the engine is, what it can do, and how it ends."""

import tesuji
from tesuji.interfaces.gtp.conversation import Conversation, processor_seconds
from tesuji.interfaces.gtp.protocol import command, commands_of
from tesuji.interfaces.gtp.words import Words


class Administration(Conversation):
    """Commands that touch no game."""

    @command("protocol_version")
    def protocol_version(self, words: Words) -> str:
        return "2"

    @command("name")
    def name(self, words: Words) -> str:
        return self.options.name

    @command("version")
    def version(self, words: Words) -> str:
        return self.options.version or tesuji.__version__

    @command("list_commands")
    def list_commands(self, words: Words) -> str:
        return "\n".join(commands_of(type(self)))

    @command("known_command")
    def known_command(self, words: Words) -> str:
        return "true" if words.word("a command") in commands_of(type(self)) else "false"

    @command("quit")
    def quit(self, words: Words) -> str:
        self.is_running = False
        return ""

    @command("stop")
    def stop(self, words: Words) -> str:
        """Whatever ran has already stopped when this line was seen; what is left is pondering."""
        self.thinker.rest()
        return ""

    @command("clear_cache")
    def clear_cache(self, words: Words) -> str:
        self.thinker.forget()
        return ""

    @command("cputime")
    def cputime(self, words: Words) -> str:
        return f"{processor_seconds():.3f}"

    @command("gomill-cpu_time")
    def gomill_cpu_time(self, words: Words) -> str:
        return self.cputime(words)

    @command("gomill-describe_engine")
    def gomill_describe_engine(self, words: Words) -> str:
        return f"{self.options.name} {self.version(words)}\n{self.thinker.description(self.game.size)}"

    @command("gogui-interrupt")
    def gogui_interrupt(self, words: Words) -> str:
        """Only says that the comment `# interrupt` is understood."""
        return ""
