"""Options that mean the same in every command, and the examples under its `--help`."""

import logging
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tesuji.base.errors import InputError

OUT = ("--out", "-o")
"""What is written goes there: the option has one name in all commands."""

Quiet = Annotated[bool, typer.Option("--quiet", help="No progress: only what was asked for, and what is wrong.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")]


def examples(*pairs: tuple[str, str], others: bool = False) -> type[TyperCommand]:
    """The kind of a command whose `--help` ends with these: what somebody wants, and the line that does it.

    With `others`, options it does not know are words of a command line it is given, and need no quotes.
    """
    text = " Examples:\n" + "".join(f"   # {wish}\n   {line}\n" for wish, line in pairs)

    class WithExamples(TyperCommand):
        """A command that shows how it is used."""

        examples = pairs
        ignore_unknown_options = others

        def format_help(self, ctx: Any, formatter: Any) -> None:
            super().format_help(ctx, formatter)  # drawn by rich; what the formatter holds follows it
            formatter.write(text)

    return WithExamples


def folder_of(run: Path | None, out: Path | None) -> Path | None:
    """The folder of a run, given as a word or by `--out`."""
    if run is not None and out is not None and run != out:
        raise InputError(f"two folders for one run: '{run}' and '{out}'; give one")
    return out or run


def is_quiet(asked: bool) -> bool:
    """Whether nothing is to be told on the way: by the command's own `--quiet`, or by the one before it."""
    return asked or logging.getLogger("tesuji").level >= logging.WARNING
