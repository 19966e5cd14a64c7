"""`tesuji completion SHELL`: a script that completes commands and options at the prompt."""

from typing import Annotated

import typer
from typer.main import get_command

from tesuji.base.settings import check_names
from tesuji.interfaces.terminal.completion import SHELLS, Completions
from tesuji.interfaces.terminal.options import examples

EXAMPLES = examples(
    ("in bash, now; in ~/.bashrc, always", "source <(tesuji completion bash)"),
    ("in zsh", "source <(tesuji completion zsh)"),
    ("in fish", "tesuji completion fish > ~/.config/fish/completions/tesuji.fish"),
)


def main(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help=f"One of: {', '.join(SHELLS)}.")],
) -> None:
    """Prints what the shell needs to complete commands and options; it knows them all and starts no Python."""
    from tesuji.interfaces.cli import COMMANDS, load

    check_names([shell], SHELLS, "shell")
    words = {name: Completions.of(get_command(load(name)), COMMANDS[name].summary) for name in sorted(COMMANDS)}
    print(SHELLS[shell](words), end="")
