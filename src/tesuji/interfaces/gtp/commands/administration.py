"""Who the engine is, what it can do, and how it ends."""

import tesuji
from tesuji.interfaces.gtp.arguments import Arguments
from tesuji.interfaces.gtp.conversation import Conversation, processor_seconds
from tesuji.interfaces.gtp.protocol import command, commands_of


class AdministrationCommands(Conversation):
    """Commands that touch no game."""

    @command("protocol_version")
    def protocol_version(self, arguments: Arguments) -> str:
        return "2"

    @command("name")
    def name(self, arguments: Arguments) -> str:
        return self.options.name

    @command("version")
    def version(self, arguments: Arguments) -> str:
        return self.options.version or tesuji.__version__

    @command("list_commands")
    def list_commands(self, arguments: Arguments) -> str:
        return "\n".join(commands_of(type(self)))

    @command("known_command")
    def known_command(self, arguments: Arguments) -> str:
        return "true" if arguments.word("a command") in commands_of(type(self)) else "false"

    @command("quit")
    def quit(self, arguments: Arguments) -> str:
        self.is_running = False
        return ""

    @command("stop")
    def stop(self, arguments: Arguments) -> str:
        """Whatever ran has already stopped when this line was seen; what is left is pondering."""
        self.thinker.rest()
        return ""

    @command("clear_cache")
    def clear_cache(self, arguments: Arguments) -> str:
        self.thinker.forget()
        return ""

    @command("cputime")
    def cputime(self, arguments: Arguments) -> str:
        return f"{processor_seconds():.3f}"

    @command("gomill-cpu_time")
    def gomill_cpu_time(self, arguments: Arguments) -> str:
        return self.cputime(arguments)

    @command("gomill-describe_engine")
    def gomill_describe_engine(self, arguments: Arguments) -> str:
        return f"{self.options.name} {self.version(arguments)}\n{self.thinker.description(self.game.size)}"

    @command("gogui-interrupt")
    def gogui_interrupt(self, arguments: Arguments) -> str:
        """Only says that the comment `# interrupt` is understood."""
        return ""
